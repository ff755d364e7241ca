// threads: none, but the verifier's, which every check of a rung starts
#include "verify.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <vector>

#include "assembly.hpp"
#include "data.hpp"

namespace {

using elasticity::components;
using elasticity::Index;
using elasticity::Place;
using elasticity::Problem;

/// A case with the right result in place.
class VerifyElasticity : public testing::Test {
 protected:
  VerifyElasticity() {
    experiment_.set_up({{"nx", 4}, {"ny", 3}, {"nz", 5}, {"iterations", 6}}, 1, 1);
    problem_ = static_cast<const Problem*>(experiment_.problem());
    const elasticity::Steps steps = elasticity::reference(*problem_);
    std::ranges::copy(steps.displacement, problem_->displacement);
    std::ranges::copy(steps.residuals, problem_->residuals);
  }
  [[nodiscard]] bool ok() { return experiment_.verify("conjugate gradients").ok; }

  elasticity::Elasticity experiment_;
  const Problem* problem_ = nullptr;
};

TEST_F(VerifyElasticity, RightResultIsOk) { EXPECT_TRUE(ok()); }

TEST_F(VerifyElasticity, UntouchedResultIsCaught) {
  experiment_.poison();
  const auto verdict = experiment_.verify("conjugate gradients");
  EXPECT_FALSE(verdict.ok);
  EXPECT_TRUE(std::isnan(verdict.error));
}

TEST_F(VerifyElasticity, OneStepTooFewIsCaught) {
  for (int step = problem_->iterations; step > 0; --step) problem_->residuals[step] = problem_->residuals[step - 1];
  EXPECT_FALSE(ok());
}

TEST_F(VerifyElasticity, OneComponentOfOneNodeIsCaught) {
  problem_->displacement[components * problem_->mesh.node(3, 2, 4) + 1] *= 1 + 1e-9;
  EXPECT_FALSE(ok());
}

TEST_F(VerifyElasticity, OneUntouchedNodeIsCaught) {
  problem_->displacement[components * problem_->mesh.node(1, 1, 1)] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(ok());
}

TEST_F(VerifyElasticity, SinglePrecisionIsCaught) {
  for (Index i = 0; i < components * problem_->mesh.nodes(); ++i) {
    problem_->displacement[i] = static_cast<float>(problem_->displacement[i]);
  }
  EXPECT_FALSE(ok());
}

TEST(ElementStiffness, HasNoForcesAgainstRigidMotionsAndIsSymmetric) {
  const auto stiffness = elasticity::element_stiffness(elasticity::poisson);
  for (std::size_t row = 0; row < elasticity::values; ++row) {
    for (std::size_t column = 0; column < row; ++column) {
      EXPECT_NEAR(stiffness[row * elasticity::values + column], stiffness[column * elasticity::values + row], 1e-16);
    }
  }
  for (int motion = 0; motion < 6; ++motion) {
    std::array<double, elasticity::values> u{};
    for (int a = 0; a < elasticity::corners; ++a) {
      const std::array<double, 3> x{static_cast<double>(a & 1), static_cast<double>(a >> 1 & 1),
                                    static_cast<double>(a >> 2)};
      const auto first = static_cast<std::size_t>(motion % 3), second = (first + 1) % 3;
      const auto at = static_cast<std::size_t>(components * a);
      if (motion < 3) u[at + first] = 1;
      if (motion >= 3) u[at + first] = -x[second], u[at + second] = x[first];
    }
    for (std::size_t row = 0; row < elasticity::values; ++row) {
      double force = 0;
      for (std::size_t column = 0; column < elasticity::values; ++column) {
        force += stiffness[row * elasticity::values + column] * u[column];
      }
      EXPECT_NEAR(force, 0, 1e-15) << motion;
    }
  }
}

/// The problem's exact solution is linear: u_z = z F / E, u_x = -nu x F / E, u_y likewise.
TEST(Reference, OfTheExactDisplacementIsTheLoad) {
  elasticity::Elasticity experiment;
  experiment.set_up({{"nx", 5}, {"ny", 3}, {"nz", 4}, {"iterations", 1}}, 1, 1);
  const auto& p = *static_cast<const Problem*>(experiment.problem());
  std::vector<double> exact, force(static_cast<std::size_t>(components * p.mesh.nodes()));
  for (Index node = 0; node < p.mesh.nodes(); ++node) {
    const Place at = elasticity::place_of(p.mesh, node);
    exact.push_back(-elasticity::poisson * static_cast<double>(at.i));
    exact.push_back(-elasticity::poisson * static_cast<double>(at.j));
    exact.push_back(static_cast<double>(at.k));
  }
  elasticity::apply(p, exact.data(), force.data());
  for (std::size_t i = 0; i < force.size(); ++i) EXPECT_NEAR(force[i], p.load[i], 1e-14) << i;
}

/// 136 iterations are known for 12 x 12 x 12 nodes, by PETSc too.
TEST(Reference, TakesAsManyIterationsAsIsKnown) {
  elasticity::Elasticity experiment;
  experiment.set_up({{"nx", 12}, {"ny", 12}, {"nz", 12}, {"iterations", 137}}, 1, 1);
  const auto steps = elasticity::reference(*static_cast<const Problem*>(experiment.problem()));
  EXPECT_GT(steps.residuals[135], 1.1e-8);
  EXPECT_NEAR(steps.residuals[136], 1e-8, 1e-11);
}

TEST(Assembly, IsTheReferencesMatrix) {
  elasticity::Elasticity experiment;
  experiment.set_up({{"nx", 4}, {"ny", 3}, {"nz", 2}, {"iterations", 1}}, 1, 1);
  const auto& p = *static_cast<const Problem*>(experiment.problem());
  const Index size = components * p.mesh.nodes();
  for (Index column = 0; column < size; ++column) {
    std::vector<double> one(static_cast<std::size_t>(size)), expected(one), seen(one);
    one[static_cast<std::size_t>(column)] = 1;
    elasticity::apply(p, one.data(), expected.data());
    const Place at = elasticity::place_of(p.mesh, column / components);
    const auto c = static_cast<std::size_t>(column % components);
    if (elasticity::held(at, static_cast<int>(c))) continue;  // the reference has no row nor column for it
    elasticity::for_neighbours(p.mesh, at, [&](const Place& row, Index node) {
      std::array<double, elasticity::block_values> block{};
      elasticity::fill_block(p, row, at, block.data());
      for (std::size_t r = 0; r < components; ++r)
        seen[static_cast<std::size_t>(components * node) + r] = block[components * r + c];
    });
    for (std::size_t i = 0; i < seen.size(); ++i) EXPECT_NEAR(seen[i], expected[i], 1e-15) << i << ", " << column;
  }
}

TEST(SetUp, RefusesWhatIsNoBox) {
  elasticity::Elasticity experiment;
  const nlohmann::json right = {{"nx", 3}, {"ny", 3}, {"nz", 3}, {"iterations", 1}};
  const nlohmann::json values = {{"nx", 1}, {"ny", -3}, {"nz", 2.5}, {"iterations", 0}};
  for (const auto& [name, value] : values.items()) {
    nlohmann::json wrong = right;
    wrong[name] = value;
    EXPECT_THROW(experiment.set_up(wrong, 1, 1), std::invalid_argument) << wrong;
    wrong.erase(name);
    EXPECT_THROW(experiment.set_up(wrong, 1, 1), std::invalid_argument) << wrong;
  }
}

TEST(SetUp, TakesSchedulesOfOpenMp) {
  elasticity::Elasticity experiment;
  nlohmann::json asked = {{"nx", 3}, {"ny", 3}, {"nz", 3}, {"iterations", 1}};
  for (const char* schedule : {"auto", "dynamic", "guided", "runtime", "static"}) {
    asked["schedule"] = schedule;
    EXPECT_NO_THROW(experiment.set_up(asked, 1, 1)) << asked;
  }
  for (const nlohmann::json& wrong :
       {nlohmann::json("fair"), nlohmann::json(""), nlohmann::json(1), nlohmann::json()}) {
    asked["schedule"] = wrong;
    EXPECT_THROW(experiment.set_up(asked, 1, 1), std::invalid_argument) << asked;
  }
  asked["schedule"] = "dynamic";
  asked["chunk"] = 0;
  EXPECT_THROW(experiment.set_up(asked, 1, 1), std::invalid_argument);
}

TEST(Tolerance, RefusesUnknownAlgorithms) {
  EXPECT_THROW((void)elasticity::tolerance("guessing", {2, 2, 2}, 10), std::invalid_argument);
}

}  // namespace
