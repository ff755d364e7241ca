/// Statuses and messages of the C interface.
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "rooftop/elasticity.h"

extern "C" int rooftop_elasticity_c_caller(void);

namespace {

TEST(CApi, WorksFromC) { EXPECT_EQ(rooftop_elasticity_c_caller(), 0); }

TEST(CApi, SaysItsVersion) { EXPECT_EQ(rooftop_elasticity_abi_version(), ROOFTOP_ELASTICITY_ABI_VERSION); }

TEST(CApi, RefusesWhatItCannotRead) {
  const std::array<double, 24> load{};
  const std::array<std::uint8_t, 24> held{};
  const double one = 1;
  std::array<double, 24> displacement{};
  rooftop_elasticity_result result;
  rooftop_elasticity_options options;
  rooftop_elasticity_default_options(&options);
  rooftop_elasticity_body body{{2, 2, 2}, nullptr, 1, &one, 1, &one, load.data(), held.data()};
  const auto refusal = [&] {
    EXPECT_EQ(rooftop_elasticity_solve(&body, &options, displacement.data(), nullptr, 0, &result), 1);
    return std::string(rooftop_elasticity_last_error());
  };
  EXPECT_EQ(refusal(), "poisson[0] is 1; expected a number above -1 and below 0.5");
  body.young_values = 0;
  EXPECT_EQ(refusal(), "young_values is 0; expected 1 or the number of elements");
  body.young = nullptr, body.young_values = 1;
  EXPECT_EQ(refusal(), "young is null; expected a pointer");
  body.nodes[2] = -1;
  EXPECT_EQ(refusal(), "nodes has -1; expected 2 or more in each direction");
  body.nodes[1] = body.nodes[2] = INT64_MAX;
  EXPECT_EQ(refusal(), "nodes asks for more than 2^40 nodes; expected fewer");
  options.preconditioner = 4;
  EXPECT_EQ(refusal(), "preconditioner is 4; expected 0 to 3");
  EXPECT_EQ(rooftop_elasticity_solve(nullptr, nullptr, displacement.data(), nullptr, 0, &result), 1);
  EXPECT_EQ(std::string(rooftop_elasticity_last_error()), "body is null; expected a pointer");
  EXPECT_EQ(rooftop_elasticity_solve(&body, nullptr, displacement.data(), nullptr, -1, &result), 1);
  EXPECT_EQ(std::string(rooftop_elasticity_last_error()), "capacity is -1; expected 0 or more");
}

}  // namespace
