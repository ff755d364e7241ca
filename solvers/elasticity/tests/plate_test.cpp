// Plates and columns of stretched elements: few iterations, and never a residual that is not there.
// threads: none
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "rooftop/elasticity.hpp"

namespace {

using rooftop::elasticity::Body;
using rooftop::elasticity::ElementKind;
using rooftop::elasticity::Mesh;
using rooftop::elasticity::Options;
using rooftop::elasticity::Outcome;
using rooftop::elasticity::Preconditioner;
using rooftop::elasticity::Result;
using rooftop::elasticity::solve;

/// The places of nodes along a direction: edges of one length.
std::vector<double> even(std::int64_t count, double edge) {
  std::vector<double> result;
  for (std::int64_t i = 0; i < count; ++i) result.push_back(static_cast<double>(i) * edge);
  return result;
}

/// Edges grow by a constant factor to a length of 1, the last `ratio` times as long as the first.
std::vector<double> graded(std::int64_t count, double ratio) {
  std::vector<double> result{0};
  for (std::int64_t i = 1; i < count; ++i) {
    const double share = static_cast<double>(i - 1) / static_cast<double>(count - 2);
    result.push_back(result.back() + std::pow(ratio, share - 1));
  }
  return result;
}

/// Clamped at x = 0, pulled across at the other end.
struct Plate {
  std::array<std::int64_t, 3> nodes;
  std::vector<double> coordinates, load, displacement, young{1.0}, poisson{0.3};
  std::vector<std::uint8_t> held;
  std::vector<std::int64_t> hexahedra;

  /// Elements of 1 x 1 x 1/aspect.
  Plate(const std::array<std::int64_t, 3>& count, double aspect)
      : Plate({even(count[0], 1), even(count[1], 1), even(count[2], 1 / aspect)}) {}
  /// Nodes at these places along each direction.
  explicit Plate(const std::array<std::vector<double>, 3>& at) {
    for (std::size_t d = 0; d < 3; ++d) nodes[d] = static_cast<std::int64_t>(at[d].size());
    const auto [nx, ny, nz] = nodes;
    const std::int64_t z = nx * ny;
    for (std::int64_t n = 0; n < z * nz; ++n) {
      const std::int64_t i = n % nx, j = n / nx % ny, k = n / z;
      coordinates.insert(coordinates.end(), {at[0].data()[i], at[1].data()[j], at[2].data()[k]});
      held.insert(held.end(), 3, i == 0 ? 1 : 0);
      load.insert(load.end(), {0, 0, i == nx - 1 ? 1.0 : 0.0});
      if (i + 1 == nx || j + 1 == ny || k + 1 == nz) continue;
      hexahedra.insert(hexahedra.end(), {n, n + 1, n + nx + 1, n + nx, n + z, n + z + 1, n + z + nx + 1, n + z + nx});
    }
    displacement.resize(coordinates.size());
  }
  [[nodiscard]] Body body() const { return {nodes, coordinates, young, poisson, load, held}; }
  [[nodiscard]] Mesh mesh() const {
    return {coordinates, {{ElementKind::hexahedron, hexahedra}}, young, poisson, load, held};
  }
};

double largest(const std::vector<double>& values) {
  double result = 0;
  for (const double value : values) result = std::max(result, std::abs(value));
  return result;
}

Options one_thread() {
  Options options;
  options.threads = 1;  // plates here are small
  return options;
}

constexpr std::array aspects{1.0, 4.0, 10.0, 40.0, 100.0, 1000.0};

TEST(Plate, TakesFewIterationsWhateverTheAspect) {
  const std::array<std::array<std::int64_t, 3>, 3> shapes{{{11, 11, 3}, {23, 9, 4}, {31, 3, 3}}};
  for (const auto& nodes : shapes) {
    for (const double aspect : aspects) {
      for (const bool as_box : {true, false}) {
        Plate plate(nodes, aspect);
        const Result found = as_box ? solve(plate.body(), one_thread(), plate.displacement)
                                    : solve(plate.mesh(), one_thread(), plate.displacement);
        const auto which = testing::Message() << nodes[0] << "x" << nodes[1] << "x" << nodes[2] << ", aspect " << aspect
                                              << (as_box ? ", box" : ", mesh");
        EXPECT_LE(found.iterations, 25) << which;
        EXPECT_GT(largest(plate.displacement), 0) << which;
        if (found.outcome == Outcome::converged) {
          EXPECT_LE(found.residual, 1e-8) << which;
          EXPECT_EQ(found.rounding, 0) << which;
        } else {
          // As near as a displacement in double precision comes, and it is told.
          EXPECT_EQ(found.outcome, Outcome::stagnated) << which;
          EXPECT_GT(found.residual, 1e-8) << which;
          EXPECT_LT(found.residual, 10 * found.rounding) << which;
          EXPECT_TRUE(found.stretched) << which;
        }
      }
    }
  }
}

TEST(Plate, BoxAndMeshBendAlike) {
  for (const double aspect : {10.0, 100.0}) {
    Plate box({11, 7, 3}, aspect), mesh({11, 7, 3}, aspect);
    (void)solve(box.body(), one_thread(), box.displacement);
    (void)solve(mesh.mesh(), one_thread(), mesh.displacement);
    for (std::size_t i = 0; i < box.displacement.size(); ++i) {
      EXPECT_NEAR(box.displacement[i], mesh.displacement[i], 1e-6 * largest(box.displacement));
    }
  }
}

/// Of the displacement, computed by the solver apart from its iteration: without an iteration the first residual is it.
double residual_of(const Plate& plate) {
  Plate again = plate;
  Options options = one_thread();
  options.iterations = 0;
  options.preconditioner = Preconditioner::none;
  return solve(again.body(), options, again.displacement).residual;
}

TEST(Plate, WrongDisplacementIsNotClaimedToBeRight) {
  Plate plate({11, 11, 3}, 100);
  const Result found = solve(plate.mesh(), one_thread(), plate.displacement);
  EXPECT_NEAR(residual_of(plate), found.residual, found.residual / 2);
  plate.displacement[3 * 200 + 2] *= 1 + 1e-9;
  EXPECT_GT(residual_of(plate), 100 * found.residual);
}

TEST(Plate, SliverThatIsClampedIsHeld) {
  for (const double aspect : {1e3, 1e5, 1e6}) {
    for (const bool turned : {false, true}) {
      Plate sliver({2, 2, 2}, aspect);
      for (std::size_t i = 0; turned && i < sliver.coordinates.size(); i += 3) {
        double* at = sliver.coordinates.data() + i;
        const double x = 0.6 * at[0] + 0.8 * at[2], z = -0.8 * at[0] + 0.6 * at[2];
        at[0] = 0.8 * x - 0.6 * at[1], at[1] = 0.6 * x + 0.8 * at[1], at[2] = z;
      }
      EXPECT_NO_THROW((void)solve(sliver.mesh(), one_thread(), sliver.displacement)) << aspect;
      EXPECT_GT(largest(sliver.displacement), 0);
    }
  }
}

/// Three times what a cube with as many nodes takes.
void expect_few_iterations(Plate plate, bool as_box, const std::string& which) {
  const Result found = as_box ? solve(plate.body(), one_thread(), plate.displacement)
                              : solve(plate.mesh(), one_thread(), plate.displacement);
  EXPECT_LE(found.iterations, as_box ? 18 : 30) << which;
  EXPECT_LT(found.residual, found.outcome == Outcome::converged ? 1e-8 : 4 * found.rounding) << which;
}

TEST(Plate, ColumnsMayBeDeep) {
  for (const std::int64_t layers : {30, 40, 90}) {
    for (const double aspect : {20.0, 100.0}) {
      const std::string which = std::to_string(layers) + " layers, aspect " + std::to_string(aspect);
      expect_few_iterations(Plate({9, 7, layers}, aspect), false, which);
    }
  }
}

TEST(Plate, LayersMayBeGradedInAnyDirections) {
  for (const double ratio : {10.0, 100.0, 1e3, 1e4}) {
    const std::vector<double> layers = graded(13, ratio), bulk = even(13, 1);
    for (const bool as_box : {true, false}) {
      const std::string which = std::string(as_box ? "box" : "mesh") + ", ratio " + std::to_string(ratio);
      expect_few_iterations(Plate({bulk, bulk, layers}), as_box, "one direction, " + which);
      expect_few_iterations(Plate({bulk, layers, layers}), as_box, "two directions, " + which);
      expect_few_iterations(Plate({layers, layers, layers}), as_box, "three directions, " + which);
    }
  }
}

TEST(Plate, LongBeamOfCubesIsNotLeftAtRest) {
  Plate plate({200, 5, 5}, 1);
  const Result found = solve(plate.mesh(), one_thread(), plate.displacement);
  EXPECT_EQ(found.outcome, Outcome::converged);
  EXPECT_LE(found.iterations, 25);
}

}  // namespace
