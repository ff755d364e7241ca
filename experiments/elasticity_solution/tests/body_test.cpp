// threads: none, but the verifier's, which every check of a rung starts
#include "body.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <rooftop/random.hpp>
#include <vector>

#include "data.hpp"
#include "element_stiffness.hpp"
#include "forces.hpp"

namespace {

using elasticity_solution::components;
using elasticity_solution::corners;
using elasticity_solution::Index;
using elasticity_solution::Kind;
using elasticity_solution::Mesh;
using elasticity_solution::Problem;
using elasticity_solution::values;

std::vector<double> placed(const Mesh& mesh, Kind kind, std::uint64_t seed = 1) {
  std::vector<double> coordinates(static_cast<std::size_t>(components * mesh.nodes()));
  elasticity_solution::place_nodes(mesh, kind, seed, coordinates.data());
  return coordinates;
}

TEST(Nodes, OfGradedEdgesGrowTenfold) {
  const Mesh mesh{6, 2, 9};
  const auto at = placed(mesh, Kind::graded);
  const auto z = [&](Index k) { return at[static_cast<std::size_t>(components * mesh.node(0, 0, k)) + 2]; };
  EXPECT_NEAR((z(8) - z(7)) / (z(1) - z(0)), 10, 1e-12);
  EXPECT_NEAR((z(3) - z(2)) / (z(2) - z(1)), std::pow(10, 1.0 / 7), 1e-12);
  EXPECT_NEAR(z(8), 8, 1e-12);
  EXPECT_EQ(at[static_cast<std::size_t>(components * mesh.node(0, 1, 0)) + 1], 1);
}

TEST(Nodes, OfADistortedMeshMoveInsideAlone) {
  const Mesh mesh{9, 10, 11};
  const auto cubes = placed(mesh, Kind::uniform), moved = placed(mesh, Kind::distorted);
  double farthest = 0;
  for (Index node = 0; node < mesh.nodes(); ++node) {
    const Index i = node % mesh.nx, j = node / mesh.nx % mesh.ny, k = node / (mesh.nx * mesh.ny);
    const bool outside = i == 0 || i == 8 || j == 0 || j == 9 || k == 0 || k == 10;
    double squares = 0;
    for (Index c = components * node; c < components * (node + 1); ++c) {
      const double by = moved[static_cast<std::size_t>(c)] - cubes[static_cast<std::size_t>(c)];
      squares += by * by;
    }
    EXPECT_EQ(squares == 0, outside) << node;
    farthest = std::max(farthest, std::sqrt(squares));
  }
  EXPECT_LE(farthest, 0.2 + 1e-12);
  EXPECT_GT(farthest, 0.19);
  EXPECT_EQ(moved, placed(mesh, Kind::distorted));
  EXPECT_NE(moved, placed(mesh, Kind::distorted, 2));
}

TEST(Young, IsAThousandTimesAsLargeInTheMiddle) {
  const Mesh mesh{9, 5, 21};
  std::vector<double> young(static_cast<std::size_t>(mesh.elements()));
  elasticity_solution::fill_young(mesh, Kind::jump, young.data());
  EXPECT_EQ(std::ranges::count(young, 1000.0), 4 * 2 * 10);
  EXPECT_EQ(young[static_cast<std::size_t>(mesh.element(2, 1, 5))], 1000);
  EXPECT_EQ(young[static_cast<std::size_t>(mesh.element(1, 1, 5))], 1);
  elasticity_solution::fill_young(mesh, Kind::uniform, young.data());
  EXPECT_EQ(std::ranges::count(young, 1.0), mesh.elements());
}

TEST(Plate, IsClampedAtOneSideAndLoadedElsewhere) {
  elasticity_solution::Solution experiment;
  experiment.set_up({{"nx", 4}, {"ny", 5}, {"nz", 3}, {"mesh", "plate"}}, 1, 1);
  const auto& p = *static_cast<const Problem*>(experiment.problem());
  double all = 0;
  for (Index i = 0; i < components * p.mesh.nodes(); ++i) {
    const bool clamped = i / components % p.mesh.nx == 0;
    EXPECT_EQ(p.held[i] != 0, clamped);
    if (clamped) {
      EXPECT_EQ(p.load[i], 0);
    }
    all += p.load[i];
  }
  EXPECT_NEAR(all, (3 - 0.5) * 4 * 4 * 4, 1e-12);  // half of what the first row of faces bears is at the clamped side
  EXPECT_EQ(p.coordinates[components * p.mesh.nodes() - 1], 2);
}

TEST(Kinds, HaveNames) {
  EXPECT_EQ(elasticity_solution::kind_named("graded"), Kind::graded);
  EXPECT_FALSE(elasticity_solution::kind_named("grade"));
}

/// A body of each kind, and random displacements.
class Body : public testing::TestWithParam<const char*> {
 protected:
  Body() { experiment_.set_up({{"nx", 4}, {"ny", 5}, {"nz", 6}, {"mesh", GetParam()}}, 3, 1); }
  [[nodiscard]] std::vector<double> drawn(std::uint64_t seed) const {
    std::vector<double> u(static_cast<std::size_t>(components * p_.mesh.nodes()));
    rooftop::fill_uniform(std::span<double>(u), seed);
    return u;
  }

  elasticity_solution::Solution experiment_;
  const Problem& p_ = *static_cast<const Problem*>(experiment_.problem());
};

INSTANTIATE_TEST_SUITE_P(, Body, testing::Values("uniform", "graded", "distorted", "jump", "tetrahedra"));

TEST_P(Body, IsPulledByTheAreaOfItsEnd) {
  const double all = std::accumulate(p_.load, p_.load + components * p_.mesh.nodes(), 0.0);
  EXPECT_NEAR(all, 3 * 4, 1e-12);
}

TEST_P(Body, HasTheBoxsVolume) {
  const auto volume = elasticity_solution::volumes(p_);
  EXPECT_NEAR(std::accumulate(volume.begin(), volume.end(), 0.0), 3 * 4 * 5, 1e-12);
  EXPECT_GT(*std::ranges::min_element(volume), 0);
}

TEST_P(Body, ResistsSymmetricallyAndNoRigidMotion) {
  const auto u = drawn(1), v = drawn(2);
  const auto of_u = elasticity_solution::forces(p_, u.data()), of_v = elasticity_solution::forces(p_, v.data());
  const double one = std::inner_product(u.begin(), u.end(), of_v.begin(), 0.0);
  const double other = std::inner_product(v.begin(), v.end(), of_u.begin(), 0.0);
  EXPECT_NEAR(one, other, 1e-12 * std::inner_product(u.begin(), u.end(), of_u.begin(), 0.0));
  for (std::size_t motion = 0; motion < 6; ++motion) {
    std::vector<double> rigid(u.size());
    const std::size_t first = motion % 3, second = (first + 1) % 3;
    for (std::size_t at = 0; at < rigid.size(); at += components) {
      rigid[at + first] = motion < 3 ? 1 : -p_.coordinates[at + second];
      if (motion >= 3) rigid[at + second] = p_.coordinates[at + first];
    }
    for (const double force : elasticity_solution::forces(p_, rigid.data())) EXPECT_NEAR(force, 0, 1e-11) << motion;
  }
}

/// What peers assemble gives the verifier's forces.
TEST_P(Body, HasTheStiffnessThatIsAssembled) {
  const auto u = drawn(1);
  auto rest = elasticity_solution::forces(p_, u.data());
  const Mesh& mesh = p_.mesh;
  for (Index k = 0; k + 1 < mesh.nz; ++k) {
    for (Index j = 0; j + 1 < mesh.ny; ++j) {
      for (Index i = 0; i + 1 < mesh.nx; ++i) {
        const auto nodes = mesh.corners_of(i, j, k);
        elasticity_solution::Corners x{};
        for (std::size_t a = 0; a < corners; ++a)
          std::copy_n(p_.coordinates + components * nodes[a], components, x[a].begin());
        const auto subtract = [&](const auto& some, const auto& stiffness) {
          const std::size_t size = components * some.size();
          for (std::size_t row = 0; row < size; ++row) {
            for (std::size_t column = 0; column < size; ++column) {
              const Index to = nodes[some[row / components]], of = nodes[some[column / components]];
              const auto into = static_cast<std::size_t>(components * to) + row % components;
              const auto from = static_cast<std::size_t>(components * of) + column % components;
              rest[into] -= stiffness[row * size + column] * u[from];
            }
          }
        };
        const double young = p_.young[mesh.element(i, j, k)];
        if (p_.kind == Kind::tetrahedra) {
          for (const auto& some : elasticity_solution::tetrahedra)
            subtract(some, elasticity_solution::tetrahedron_stiffness(x, some, young, p_.poisson));
        } else {
          constexpr std::array<std::size_t, corners> all{0, 1, 2, 3, 4, 5, 6, 7};
          subtract(all, elasticity_solution::element_stiffness(x, young, p_.poisson));
        }
      }
    }
  }
  for (const double force : rest) EXPECT_NEAR(force, 0, 1e-11);
}

}  // namespace
