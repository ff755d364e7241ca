// Displacements that are known, from every kind of mesh and every preconditioner.
#include <gtest/gtest.h>

#include "box_under_tension.hpp"

namespace {

using elasticity_test::Box;
using elasticity_test::box_under_tension;
using elasticity_test::Mesh;
using elasticity_test::Options;
using elasticity_test::Preconditioner;
using elasticity_test::Result;
using rooftop::elasticity::Outcome;
using rooftop::elasticity::solve;

constexpr std::array<std::array<std::int64_t, 3>, 6> sizes{
    {{2, 2, 2}, {3, 2, 5}, {2, 9, 2}, {17, 4, 9}, {13, 11, 7}, {5, 5, 31}}};

TEST(Solve, BoxUnderTensionIsStretchedEvenly) {
  for (const auto& nodes : sizes) {
    for (const Mesh mesh : {Mesh::cubes, Mesh::graded, Mesh::distorted}) {
      const Box box = box_under_tension(nodes, mesh);
      for (int which = 0; which < 4; ++which) {
        Options options;
        options.preconditioner = static_cast<Preconditioner>(which);
        options.threads = 1 + which % 3;
        options.tolerance = 1e-10;
        std::vector<double> displacement(3 * box.count());
        const Result result = solve(box.body(), options, displacement);
        EXPECT_EQ(result.outcome, Outcome::converged);
        EXPECT_LE(result.residual, 1e-10);
        EXPECT_LT(elasticity_test::error(box, displacement), 1e-7)
            << nodes[0] << "x" << nodes[1] << "x" << nodes[2] << " preconditioner " << which;
        EXPECT_EQ(result.residuals.size(), static_cast<std::size_t>(result.iterations + 1));
      }
    }
  }
}

TEST(Solve, WithoutPreconditionerTakesTheKnownNumberOfIterations) {
  Box box = box_under_tension({12, 12, 12}, Mesh::cubes);
  Options options;
  options.preconditioner = Preconditioner::none;
  for (const bool uniform : {true, false}) {
    if (uniform) box.coordinates.clear();
    options.iterations = 136;
    options.tolerance = 1e-12;
    std::vector<double> displacement(3 * box.count());
    const Result result = solve(box.body(), options, displacement);
    EXPECT_EQ(result.outcome, Outcome::iteration_limit);
    EXPECT_EQ(result.iterations, 136);
    EXPECT_NEAR(result.residual, 1.0e-8, 2e-10);
    box = box_under_tension({12, 12, 12}, Mesh::cubes);
  }
}

// The matrix is wrong by 6e-8, the displacement is not.
TEST(Solve, SingleValuesReachTheSameTolerance) {
  const Box box = box_under_tension({15, 14, 13}, Mesh::distorted);
  for (const Preconditioner which : {Preconditioner::none, Preconditioner::multigrid}) {
    std::array<std::int64_t, 2> iterations{};
    for (const bool single : {false, true}) {
      Options options;
      options.preconditioner = which;
      options.single_values = single;
      options.tolerance = 1e-12;
      std::vector<double> displacement(3 * box.count());
      const Result result = solve(box.body(), options, displacement);
      EXPECT_EQ(result.outcome, Outcome::converged);
      EXPECT_LE(result.residual, 1e-12);
      EXPECT_LT(elasticity_test::error(box, displacement), 1e-10);
      iterations[single ? 1 : 0] = result.iterations;
    }
    EXPECT_LE(iterations[1], iterations[0] + iterations[0] / 10 + 1);
  }
}

TEST(Solve, MultigridTakesAsManyIterationsWhateverTheSize) {
  for (const Mesh mesh : {Mesh::cubes, Mesh::graded, Mesh::distorted}) {
    for (const std::int64_t n : {8, 12, 20, 27}) {
      const Box box = box_under_tension({n, n, n}, mesh);
      std::vector<double> displacement(3 * box.count());
      const Result result = solve(box.body(), {}, displacement);
      EXPECT_EQ(result.outcome, Outcome::converged);
      EXPECT_LE(result.iterations, 9) << n;
    }
  }
}

// Half of the elements are a thousand times as stiff, which the load cannot see: they lie one behind the other.
TEST(Solve, StiffAndSoftLayersStretchAsTheyAre) {
  Box box = box_under_tension({9, 7, 13}, Mesh::cubes);
  box.poisson = {0.0};  // nothing is narrowed: layers are in no other's way
  box.young.assign(box.elements(), 1);
  for (std::size_t e = 0; e < box.elements(); ++e) {
    if (e / (8 * 6) >= 6) box.young[e] = 1000;
  }
  std::vector<double> displacement(3 * box.count());
  Options options;
  options.tolerance = 1e-11;
  const Result result = solve(box.body(), options, displacement);
  EXPECT_EQ(result.outcome, Outcome::converged);
  for (std::int64_t k = 0; k < 13; ++k) {
    const double expected = k <= 6 ? static_cast<double>(k) : 6 + static_cast<double>(k - 6) / 1000;
    EXPECT_NEAR(displacement[3 * box.node(4, 3, k) + 2], expected, 1e-7) << k;
  }
}

TEST(Solve, PrescribedDisplacementsStayAndPull) {
  for (const Mesh mesh : {Mesh::cubes, Mesh::distorted}) {
    Box box = box_under_tension({7, 6, 9}, mesh);
    box.load.assign(box.load.size(), 0);
    std::vector<double> displacement(3 * box.count());
    for (std::int64_t j = 0; j < 6; ++j) {
      for (std::int64_t i = 0; i < 7; ++i) {
        const std::size_t value = 3 * box.node(i, j, 8) + 2;
        box.held[value] = 1;
        displacement[value] = 8;
      }
    }
    const Result result = solve(box.body(), {}, displacement);
    EXPECT_EQ(result.outcome, Outcome::converged);
    EXPECT_LT(elasticity_test::error(box, displacement), 1e-7);
    EXPECT_EQ(displacement[3 * box.node(3, 3, 8) + 2], 8);
  }
}

TEST(Solve, NothingPulledStaysWhereItIs) {
  Box box = box_under_tension({5, 6, 7}, Mesh::cubes);
  box.load.assign(box.load.size(), 0);
  std::vector<double> displacement(3 * box.count());
  const Result result = solve(box.body(), {}, displacement);
  EXPECT_EQ(result.outcome, Outcome::converged);
  EXPECT_EQ(result.iterations, 0);
  for (const double value : displacement) EXPECT_EQ(value, 0);
}

TEST(Solve, FirstGuessThatIsRightNeedsNoIteration) {
  const Box box = box_under_tension({5, 6, 7}, Mesh::distorted);
  std::vector<double> displacement;
  for (std::size_t node = 0; node < box.count(); ++node) {
    for (std::size_t c = 0; c < 3; ++c) displacement.push_back(box.exact(node, c));
  }
  EXPECT_EQ(solve(box.body(), {}, displacement).iterations, 0);
}

// Forces of any size: single precision, where it is used, must not lose them.
TEST(Solve, ScaleOfLoadAndMaterialDoesNotMatter) {
  for (const double scale : {1e-30, 1e30}) {
    Box box = box_under_tension({9, 9, 9}, Mesh::distorted);
    for (double& force : box.load) force *= scale;
    std::vector<double> displacement(3 * box.count());
    const Result result = solve(box.body(), {}, displacement);
    EXPECT_EQ(result.outcome, Outcome::converged) << scale;
    for (double& value : displacement) value /= scale;
    EXPECT_LT(elasticity_test::error(box, displacement), 1e-7) << scale;
  }
}

TEST(Solve, ToleranceBeyondRoundingIsTold) {
  const Box box = box_under_tension({9, 9, 9}, Mesh::distorted);
  std::vector<double> displacement(3 * box.count());
  Options options;
  options.tolerance = 1e-30;
  const Result result = solve(box.body(), options, displacement);
  EXPECT_EQ(result.outcome, Outcome::stagnated);
  EXPECT_LT(result.residual, 1e-12);
  EXPECT_LT(elasticity_test::error(box, displacement), 1e-10);
}

}  // namespace
