// The C interface: its sequence, its statuses and messages.
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "rooftop/network.h"

extern "C" int rooftop_network_c_caller(void);

namespace {

TEST(CInterface, WorksFromC) { EXPECT_EQ(rooftop_network_c_caller(), 0); }

TEST(CInterface, SaysItsVersion) { EXPECT_EQ(rooftop_network_abi_version(), ROOFTOP_NETWORK_ABI_VERSION); }

void expect_refused(int status, const std::string& part) {
  EXPECT_EQ(status, ROOFTOP_NETWORK_INVALID_ARGUMENT);
  EXPECT_NE(std::string(rooftop_network_last_error()).find(part), std::string::npos) << rooftop_network_last_error();
}

TEST(CInterface, RefusesNullsAndCountsOutOfRange) {
  rooftop_network_problem problem{};
  auto* solution = reinterpret_cast<rooftop_network_solution*>(1);
  expect_refused(rooftop_network_solve(nullptr, nullptr, &solution), "problem is null");
  EXPECT_EQ(solution, nullptr);
  expect_refused(rooftop_network_solve(&problem, nullptr, nullptr), "solution is null");
  expect_refused(rooftop_network_solve(&problem, nullptr, &solution), "nodes is 0");
  problem.arcs = -1;
  expect_refused(rooftop_network_solve(&problem, nullptr, &solution), "arcs is -1");
  problem.arcs = 1;
  expect_refused(rooftop_network_solve(&problem, nullptr, &solution), "tail is null");
  problem.arcs = 0;
  for (const std::int32_t objectives : {-1, 17, std::numeric_limits<std::int32_t>::max()}) {
    problem.objectives = objectives;
    expect_refused(rooftop_network_solve(&problem, nullptr, &solution), "objectives is " + std::to_string(objectives));
  }
  rooftop_network_options options;
  rooftop_network_default_options(&options);
  options.trails = 2;
  expect_refused(rooftop_network_solve(&problem, &options, &solution), "trails is 2");
  rooftop_network_default_options(nullptr);
  rooftop_network_solution_destroy(nullptr);
}

}  // namespace
