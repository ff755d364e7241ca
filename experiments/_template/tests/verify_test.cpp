// threads: none, but the verifier's, which every check of a rung starts
#include "verify.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <vector>

#include "data.hpp"

namespace {

/// A case with the right result in place.
class VerifyDot : public testing::Test {
 protected:
  VerifyDot() {
    experiment_.set_up({{"n", 1000}}, 1, 1);
    problem_ = static_cast<const dot::Problem*>(experiment_.problem());
    *problem_->result = dot::reference(problem_->x, problem_->y, problem_->n).dot;
  }
  dot::DotProduct experiment_;
  const dot::Problem* problem_ = nullptr;
};

TEST_F(VerifyDot, RightResultIsOk) { EXPECT_TRUE(experiment_.verify("any order").ok); }

TEST_F(VerifyDot, UntouchedResultIsCaught) {
  experiment_.poison();
  const auto verdict = experiment_.verify("any order");
  EXPECT_FALSE(verdict.ok);
  EXPECT_TRUE(std::isnan(verdict.error));
}

TEST_F(VerifyDot, OneElementLeftOutIsCaught) {
  *problem_->result -= problem_->x[999] * problem_->y[999];
  EXPECT_FALSE(experiment_.verify("any order").ok);
}

TEST_F(VerifyDot, SinglePrecisionIsCaught) {
  float sum = 0;
  for (std::size_t i = 0; i < problem_->n; ++i) sum += static_cast<float>(problem_->x[i] * problem_->y[i]);
  *problem_->result = sum;
  EXPECT_FALSE(experiment_.verify("any order").ok);
}

TEST(DotReference, SurvivesCancellation) {
  // Added as they stand, the small products are lost: 1e32 + 1 - 1e32 is 0 in doubles.
  const std::vector<double> x{1e16, 1, -1e16, 1};
  const std::vector<double> y{1e16, 1, 1e16, 1};
  EXPECT_EQ(dot::reference(x.data(), y.data(), x.size()).dot, 2.0);
}

TEST(DotSetUp, RefusesLengthsThatAreNone) {
  dot::DotProduct experiment;
  for (const auto& parameters : {nlohmann::json::object(), nlohmann::json{{"n", 0}}, nlohmann::json{{"n", -1}},
                                 nlohmann::json{{"n", 1.5}}, nlohmann::json{{"n", "many"}}}) {
    EXPECT_THROW(experiment.set_up(parameters, 1, 1), std::invalid_argument) << parameters;
  }
}

TEST(DotTolerance, RefusesUnknownAlgorithms) {
  EXPECT_THROW((void)dot::tolerance("guessing", 10), std::invalid_argument);
}

}  // namespace
