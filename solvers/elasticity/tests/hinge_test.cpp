// Bodies that touch in an edge or a node only.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "rooftop/elasticity.hpp"

namespace {

using rooftop::elasticity::ElementKind;
using rooftop::elasticity::InvalidInput;
using rooftop::elasticity::Mesh;
using rooftop::elasticity::solve;

/// Cubes at these places of a grid, clamped below; what the solver says of them, or nothing.
std::string said_of(const std::vector<std::vector<std::int64_t>>& cubes) {
  std::vector<double> coordinates;
  std::vector<std::int64_t> number(4 * 4 * 4, -1), hexahedra;
  for (const auto& cube : cubes) {
    for (const auto& corner : std::vector<std::vector<std::int64_t>>{
             {0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}}) {
      const std::int64_t x = cube[0] + corner[0], y = cube[1] + corner[1], z = cube[2] + corner[2];
      std::int64_t& node = number[static_cast<std::size_t>(16 * z + 4 * y + x)];
      if (node < 0) {
        node = static_cast<std::int64_t>(coordinates.size() / 3);
        coordinates.insert(coordinates.end(), {static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)});
      }
      hexahedra.push_back(node);
    }
  }
  std::vector<double> load(coordinates.size()), displacement(coordinates.size()), young{1}, poisson{0.3};
  std::vector<std::uint8_t> held(coordinates.size());
  for (std::size_t i = 0; i < held.size(); i += 3) {
    if (coordinates[i + 2] == 0) held[i] = held[i + 1] = held[i + 2] = 1;
    load[i] = 1;
  }
  try {
    (void)solve(Mesh{coordinates, {{ElementKind::hexahedron, hexahedra}}, young, poisson, load, held}, {},
                displacement);
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "";
}

TEST(Hinge, BodiesThatTouchInAnEdgeAreNamed) {
  EXPECT_EQ(
      said_of({{0, 0, 0}, {1, 0, 1}}),
      "the part of the mesh with node 5 touches the rest in an edge or a node only, and is free to move in 1 way; "
      "expected bodies that have faces in common, or displacements held against all rigid motions");
}

TEST(Hinge, BodiesThatTouchInANodeAreNamed) {
  EXPECT_NE(said_of({{0, 0, 0}, {1, 1, 1}}).find("is free to move in 3 ways"), std::string::npos);
}

TEST(Hinge, EdgesThatHoldTogetherAreLeftAlone) {
  EXPECT_EQ(said_of({{0, 0, 0}, {1, 1, 0}}), "");                        // both are clamped
  EXPECT_EQ(said_of({{0, 0, 0}, {2, 0, 0}, {1, 0, 1}}), "");             // on two edges, apart
  EXPECT_EQ(said_of({{0, 0, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}}), "");  // by faces
}

}  // namespace
