// threads: none, but the verifier's, which every check of a rung starts
#include "verify.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <vector>

#include "data.hpp"
#include "forces.hpp"

namespace {

using elasticity_solution::components;
using elasticity_solution::Index;
using elasticity_solution::Problem;

constexpr const char* algorithm = "preconditioned conjugate gradients";

const Problem& problem_of(const elasticity_solution::Solution& experiment) {
  return *static_cast<const Problem*>(experiment.problem());
}

void put_exact(const Problem& p) {
  for (Index node = 0; node < p.mesh.nodes(); ++node) {
    for (int c = 0; c < components; ++c) p.displacement[components * node + c] = elasticity_solution::exact(p, node, c);
  }
}

/// A case of each kind whose solution is known, with that in place.
class VerifySolution : public testing::TestWithParam<const char*> {
 protected:
  VerifySolution() {
    experiment_.set_up({{"nx", 5}, {"ny", 4}, {"nz", 6}, {"mesh", GetParam()}}, 7, 1);
    put_exact(p_);
  }
  [[nodiscard]] bool ok() { return experiment_.verify(algorithm).ok; }
  [[nodiscard]] double& at(Index i, Index j, Index k, int c) {
    return p_.displacement[components * p_.mesh.node(i, j, k) + c];
  }

  elasticity_solution::Solution experiment_;
  const Problem& p_ = problem_of(experiment_);
};

INSTANTIATE_TEST_SUITE_P(, VerifySolution, testing::Values("uniform", "graded", "distorted", "tetrahedra"));

TEST_P(VerifySolution, ExactDisplacementIsOk) {
  const auto verdict = experiment_.verify(algorithm);
  EXPECT_TRUE(verdict.ok) << verdict.message;
  EXPECT_LT(verdict.error, 1e-14);
}

TEST_P(VerifySolution, UntouchedResultIsCaught) {
  experiment_.poison();
  const auto verdict = experiment_.verify(algorithm);
  EXPECT_FALSE(verdict.ok);
  EXPECT_TRUE(std::isnan(verdict.error));
}

TEST_P(VerifySolution, OneUntouchedNodeIsCaught) {
  at(0, 1, 2, 0) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(ok());
}

TEST_P(VerifySolution, InfinityIsCaught) {
  at(1, 1, 2, 0) = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(ok());
}

TEST_P(VerifySolution, NoDisplacementIsCaught) {
  std::fill_n(p_.displacement, components * p_.mesh.nodes(), 0.0);
  EXPECT_FALSE(ok());
}

TEST_P(VerifySolution, OneComponentOfOneNodeIsCaught) {
  at(4, 3, 5, 1) *= 1 + 1e-6;
  EXPECT_FALSE(ok());
}

TEST_P(VerifySolution, TooSmallStepIsCaught) {
  for (Index i = 0; i < components * p_.mesh.nodes(); ++i) p_.displacement[i] *= 1 - 2e-8;
  EXPECT_FALSE(ok());
}

TEST_P(VerifySolution, SinglePrecisionIsCaught) {
  for (Index i = 0; i < components * p_.mesh.nodes(); ++i)
    p_.displacement[i] = static_cast<float>(1.1 * p_.displacement[i]) / 1.1;
  EXPECT_FALSE(ok());
}

TEST_P(VerifySolution, HeldDisplacementsAreZero) {
  at(0, 2, 3, 0) = 1e-9;
  EXPECT_TRUE(ok());
  at(0, 2, 3, 0) = 1e-6;
  EXPECT_FALSE(ok());
}

/// A displacement that is off by 1e-9 all over has a residual of as much, and an error within the bound.
TEST_P(VerifySolution, BoundHoldsAndIsNoExcuse) {
  for (Index i = 0; i < components * p_.mesh.nodes(); ++i) p_.displacement[i] *= 1 + 1e-9;
  const auto seen = elasticity_solution::measure(p_);
  EXPECT_NEAR(seen.residual, 1e-9, 1e-13);
  EXPECT_NEAR(seen.error, 1e-9, 1e-13);
  EXPECT_LE(seen.error, seen.bound);
  EXPECT_LT(seen.bound, 1e-6);
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// Conjugate gradients with the verifier's forces as the matrix.
void solve(const Problem& p) {
  const auto size = static_cast<std::size_t>(components * p.mesh.nodes());
  std::vector<double> u(size), rest(p.load, p.load + size), direction = rest;
  double squares = dot(rest, rest);
  const double enough = 1e-20 * squares;
  for (int step = 0; step < 2000 && squares > enough; ++step) {
    std::vector<double> product = elasticity_solution::forces(p, direction.data());
    for (std::size_t i = 0; i < size; ++i) product[i] *= 1 - p.held[i];
    const double alpha = squares / dot(direction, product);
    for (std::size_t i = 0; i < size; ++i) u[i] += alpha * direction[i], rest[i] -= alpha * product[i];
    const double before = squares;
    squares = dot(rest, rest);
    for (std::size_t i = 0; i < size; ++i) direction[i] = rest[i] + squares / before * direction[i];
  }
  std::ranges::copy(u, p.displacement);
}

class VerifySolved : public testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(, VerifySolved, testing::Values("jump", "plate"));

TEST_P(VerifySolved, SolutionIsOkAndThatOfTensionIsCaught) {
  elasticity_solution::Solution experiment;
  experiment.set_up({{"nx", 5}, {"ny", 6}, {"nz", 4}, {"mesh", GetParam()}}, 1, 1);
  const Problem& p = problem_of(experiment);
  solve(p);
  const auto verdict = experiment.verify(algorithm);
  EXPECT_TRUE(verdict.ok) << verdict.message;
  put_exact(p);
  EXPECT_FALSE(experiment.verify(algorithm).ok);
}

TEST(SetUp, RefusesWhatIsNoBox) {
  elasticity_solution::Solution experiment;
  const nlohmann::json right = {{"nx", 3}, {"ny", 3}, {"nz", 3}, {"mesh", "uniform"}, {"tolerance", 1e-8}};
  EXPECT_NO_THROW(experiment.set_up(right, 1, 1));
  for (const auto& [name, value] : nlohmann::json::parse(R"([["nx", 1], ["ny", -3], ["nz", 2.5], ["nz", "3"],
      ["nx", 5000], ["mesh", "round"], ["mesh", 1], ["tolerance", 0], ["tolerance", "small"], ["tolerance", 1e-16],
      ["tolerance", 1]])")
                                       .get<std::vector<std::pair<std::string, nlohmann::json>>>()) {
    nlohmann::json wrong = right;
    wrong[name] = value;
    EXPECT_THROW(experiment.set_up(wrong, 1, 1), std::invalid_argument) << wrong;
  }
  for (const char* name : {"nx", "ny", "nz"}) {
    nlohmann::json wrong = right;
    wrong.erase(name);
    EXPECT_THROW(experiment.set_up(wrong, 1, 1), std::invalid_argument) << wrong;
  }
}

TEST(Facts, HasWhatWasTold) {
  elasticity_solution::Solution experiment;
  experiment.set_up({{"nx", 2}, {"ny", 2}, {"nz", 2}}, 1, 1);
  experiment.poison();
  EXPECT_TRUE(experiment.facts().at("figures").empty());
  *problem_of(experiment).told = {.iterations = 5, .setup_ns = 70};
  EXPECT_EQ(experiment.facts(), nlohmann::json({{"figures", {{"iterations", 5}, {"setup_ns", 70}}}}));
}

TEST(LargestResidual, RefusesUnknownAlgorithms) {
  elasticity_solution::Solution experiment;
  experiment.set_up({{"nx", 2}, {"ny", 2}, {"nz", 2}}, 1, 1);
  EXPECT_THROW((void)elasticity_solution::largest_residual("guessing", problem_of(experiment)), std::invalid_argument);
}

}  // namespace
