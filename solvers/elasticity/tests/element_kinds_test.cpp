// Each kind of element alone: its matrix, and the whole solver on it.
#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <string>
#include <vector>

#include "element_matrix.hpp"
#include "rooftop/elasticity.hpp"

namespace {

using rooftop::elasticity::ElementKind;
using rooftop::elasticity::ElementMatrix;
using rooftop::elasticity::solve;
using Point = std::array<double, 3>;

constexpr std::array all_kinds{
    ElementKind::tetrahedron,   ElementKind::wedge,   ElementKind::hexahedron,   ElementKind::hexahedron_incompatible,
    ElementKind::tetrahedron10, ElementKind::wedge15, ElementKind::hexahedron20, ElementKind::hexahedron20_reduced};

std::vector<std::array<std::size_t, 2>> edges_of(ElementKind kind) {
  switch (kind) {
    case ElementKind::tetrahedron10:
      return {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
    case ElementKind::wedge15:
      return {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}, {0, 3}, {1, 4}, {2, 5}};
    case ElementKind::hexahedron20:
    case ElementKind::hexahedron20_reduced:
      return {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6}, {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
    default:
      return {};
  }
}

/// Nodes of an element with edges of 1, skewed so that its volume stays.
std::vector<Point> nodes_of_one(ElementKind kind) {
  std::vector<Point> result;
  switch (kind) {
    case ElementKind::tetrahedron:
    case ElementKind::tetrahedron10:
      result = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
      break;
    case ElementKind::wedge:
    case ElementKind::wedge15:
      result = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}};
      break;
    default:
      result = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
  }
  for (const auto& [a, b] : edges_of(kind)) {
    Point middle{};
    for (std::size_t c = 0; c < 3; ++c) middle[c] = (result[a][c] + result[b][c]) / 2;
    result.push_back(middle);
  }
  for (Point& at : result) at[0] += 0.3 * at[1] - 0.2 * at[2];
  return result;
}

double volume_of(ElementKind kind) {
  const std::size_t corners = nodes_of_one(kind).size() - edges_of(kind).size();
  return corners == 4 ? 1. / 6 : corners == 6 ? 1. / 2 : 1;
}

// A linear displacement's energy is that of its strain, and a rigid motion has none.
TEST(ElementKinds, EnergiesOfLinearDisplacementsAreExact) {
  constexpr double lame = 3, shear = 2;
  constexpr std::array<Point, 3> strain{{{0.1, 0.02, 0.03}, {0.02, -0.2, 0.05}, {0.03, 0.05, 0.3}}};
  constexpr std::array<Point, 3> rotation{{{0, 0.4, -0.7}, {-0.4, 0, 0.9}, {0.7, -0.9, 0}}};
  double trace = 0, square = 0;
  for (std::size_t r = 0; r < 3; ++r) {
    trace += strain[r][r];
    for (std::size_t c = 0; c < 3; ++c) square += strain[r][c] * strain[r][c];
  }
  for (const ElementKind kind : all_kinds) {
    const std::vector<Point> nodes = nodes_of_one(kind);
    ElementMatrix matrix(kind);
    std::copy(nodes.begin(), nodes.end(), matrix.at.begin());
    EXPECT_GT(matrix.compute({lame, shear}), 0);
    std::vector<double> moved, turned;
    for (const Point& at : nodes) {
      for (std::size_t r = 0; r < 3; ++r) {
        moved.push_back(std::inner_product(at.begin(), at.end(), strain[r].begin(), 1.));
        turned.push_back(std::inner_product(at.begin(), at.end(), rotation[r].begin(), 2.));
      }
    }
    double energy = 0;
    for (std::size_t a = 0; a < nodes.size(); ++a) {
      for (std::size_t r = 0; r < 3; ++r) {
        double force = 0;
        for (std::size_t b = 0; b < nodes.size(); ++b) {
          for (std::size_t c = 0; c < 3; ++c) {
            energy += moved[3 * a + r] * matrix.block(a, b)(r, c) * moved[3 * b + c];
            force += matrix.block(a, b)(r, c) * turned[3 * b + c];
            EXPECT_NEAR(matrix.block(a, b)(r, c), matrix.block(b, a)(c, r), 1e-13);
          }
        }
        EXPECT_NEAR(force, 0, 1e-12) << static_cast<int>(kind);
      }
    }
    EXPECT_NEAR(energy, volume_of(kind) * (lame * trace * trace + 2 * shear * square), 1e-12) << static_cast<int>(kind);
  }
}

// One element whose nodes are held but for the last one, which a force moves as far as its block of the matrix says.
TEST(ElementKinds, AreSolved) {
  for (const ElementKind kind : all_kinds) {
    std::vector<double> coordinates;
    for (const Point& at : nodes_of_one(kind)) coordinates.insert(coordinates.end(), at.begin(), at.end());
    std::vector<std::int64_t> nodes(coordinates.size() / 3);
    std::iota(nodes.begin(), nodes.end(), std::int64_t{0});
    std::vector<std::uint8_t> held(coordinates.size(), 1);
    std::vector<double> load(coordinates.size()), displacement(coordinates.size());
    std::fill(held.end() - 3, held.end(), std::uint8_t{0});
    load.back() = 1;
    const std::vector<double> young{1}, poisson{0.25};
    rooftop::elasticity::Options options;
    options.threads = 1;
    options.tolerance = 1e-12;
    const auto result = solve({coordinates, {{kind, nodes}}, young, poisson, load, held}, options, displacement);
    EXPECT_EQ(result.outcome, rooftop::elasticity::Outcome::converged);
    ElementMatrix matrix(kind);
    const std::vector<Point> places = nodes_of_one(kind);
    std::copy(places.begin(), places.end(), matrix.at.begin());
    (void)matrix.compute({0.4, 0.4});
    const auto block = matrix.block(nodes.size() - 1, nodes.size() - 1);
    for (std::size_t r = 0; r < 3; ++r) {
      double force = 0;
      for (std::size_t c = 0; c < 3; ++c) force += block(r, c) * displacement[displacement.size() - 3 + c];
      EXPECT_NEAR(force, r == 2 ? 1 : 0, 1e-11) << static_cast<int>(kind);
    }
  }
}

// Clamped on a side, one with few points of integration alone still moves without energy: what it finds would be any of
// many.
TEST(ElementKinds, LoneOnesThatMoveWithoutEnergyAreNamed) {
  for (const ElementKind kind : all_kinds) {
    std::vector<double> coordinates;
    std::vector<std::uint8_t> held;
    for (const Point& at : nodes_of_one(kind)) {
      coordinates.insert(coordinates.end(), at.begin(), at.end());
      held.insert(held.end(), 3, at[2] == 0 ? 1 : 0);
    }
    std::vector<std::int64_t> nodes(coordinates.size() / 3);
    std::iota(nodes.begin(), nodes.end(), std::int64_t{0});
    const std::vector<double> load(coordinates.size(), 1), young{1}, poisson{0.25};
    std::vector<double> displacement(coordinates.size());
    std::string said;
    try {
      (void)solve({coordinates, {{kind, nodes}}, young, poisson, load, held}, {}, displacement);
    } catch (const rooftop::elasticity::InvalidInput& error) {
      said = error.what();
    }
    const bool moves = kind == ElementKind::wedge || kind == ElementKind::hexahedron20_reduced;
    EXPECT_EQ(said.empty(), !moves) << static_cast<int>(kind) << said;
    if (said.empty()) continue;
    EXPECT_EQ(said,
              "element 0, counted from 0, shares no node with others, and its points of integration leave it "
              "displacements that "
              "take no energy; expected full integration, more elements, or more displacements held");
  }
}

TEST(ElementKinds, InvertedOnesAreNamed) {
  for (const ElementKind kind : all_kinds) {
    std::vector<double> coordinates;
    for (const Point& at : nodes_of_one(kind)) coordinates.insert(coordinates.end(), {at[0], at[1], -at[2]});
    std::vector<std::int64_t> nodes(coordinates.size() / 3);
    std::iota(nodes.begin(), nodes.end(), std::int64_t{0});
    const std::vector<std::uint8_t> held(coordinates.size(), 1);
    const std::vector<double> load(coordinates.size()), young{1}, poisson{0.25};
    std::vector<double> displacement(coordinates.size());
    EXPECT_THROW((void)solve({coordinates, {{kind, nodes}}, young, poisson, load, held}, {}, displacement),
                 rooftop::elasticity::InvalidInput);
  }
}

TEST(ElementKinds, UnknownOnesAreRefused) {
  const std::vector<std::int64_t> nodes{0};
  const std::vector<double> coordinates(3), one{1}, poisson{0};
  const std::vector<std::uint8_t> held(3, 1);
  std::vector<double> displacement(3);
  try {
    (void)solve({coordinates, {{static_cast<ElementKind>(8), nodes}}, one, poisson, coordinates, held}, {},
                displacement);
    FAIL() << "accepted";
  } catch (const rooftop::elasticity::InvalidInput& error) {
    EXPECT_EQ(std::string(error.what()), "a block's kind is 8; expected 0 to 7");
  }
}

}  // namespace
