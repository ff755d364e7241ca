// How boxes become coarser: short elements first, and no element over a jump of the material where that can be helped.
#include "geometry.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "box_under_tension.hpp"

namespace {

using elasticity_test::Box;
using elasticity_test::box_under_tension;
using elasticity_test::Mesh;
using rooftop::elasticity::coarsen;
using rooftop::elasticity::Coarsening;
using rooftop::elasticity::Coarsenings;
using rooftop::elasticity::FreeBox;
using rooftop::elasticity::Material;
using rooftop::elasticity::solve;

/// Nodes with so much between them.
std::vector<double> line(const std::vector<double>& lengths) {
  std::vector<double> at{0};
  for (const double length : lengths) at.push_back(at.back() + length);
  return at;
}

/// A box of cubes whose element (i, j, k) is so stiff.
template <class Stiffness>
FreeBox box_of(const std::array<std::int64_t, 3>& nodes, Stiffness stiffness) {
  FreeBox box{{nodes[0], nodes[1], nodes[2]}, box_under_tension(nodes, Mesh::cubes).coordinates, {}, {}};
  for (std::int64_t k = 0; k + 1 < nodes[2]; ++k) {
    for (std::int64_t j = 0; j + 1 < nodes[1]; ++j) {
      for (std::int64_t i = 0; i + 1 < nodes[0]; ++i) {
        const Material material = rooftop::elasticity::material(stiffness(i, j, k), 0.3);
        box.lame.push_back(material.lame);
        box.shear.push_back(material.shear);
      }
    }
  }
  return box;
}

TEST(Coarsening, OneShortElementThatWasLeftOverIsNoReasonForABox) {
  std::vector<double> lengths(40, 2.0);
  lengths.push_back(1);
  const auto at = line(lengths);
  for (const Coarsening& one : coarsen({at, at, at})) EXPECT_EQ(one.nodes(), 22);
}

TEST(Coarsening, ShortElementsAreJoinedFirst) {
  const auto even = line(std::vector<double>(8, 4.0)), fine = line(std::vector<double>(32, 1.0));
  const Coarsenings by = coarsen({even, even, fine});
  EXPECT_EQ(by[0].nodes(), 9);
  EXPECT_EQ(by[1].nodes(), 9);
  EXPECT_EQ(by[2].nodes(), 17);
}

TEST(Coarsening, PlanesWhereTheMaterialJumpsAreKept) {
  const auto inside = [](std::int64_t e) { return e >= 5 && e < 16; };
  FreeBox box = box_of({22, 22, 22}, [&](std::int64_t i, std::int64_t j, std::int64_t k) {
    return inside(i) && inside(j) && inside(k) ? 1000.0 : 1.0;
  });
  for (box = box.coarser(box.coarsenings(), 1); box.grid.nodes() > 125; box = box.coarser(box.coarsenings(), 1)) {
    for (const double shear : box.shear) {  // no mean of both
      const double times = shear / box.shear.front();
      EXPECT_LT(std::min(std::abs(times - 1), std::abs(times - 1000)), 1e-9) << box.grid.nx;
    }
  }
}

TEST(Coarsening, WhereMaterialJumpsEverywhereNoPlaneIsBetter) {
  const FreeBox box = box_of(
      {17, 17, 17}, [](std::int64_t i, std::int64_t j, std::int64_t k) { return (i + j + k) % 2 == 0 ? 1000.0 : 1.0; });
  for (const Coarsening& one : box.coarsenings()) EXPECT_EQ(one.nodes(), 9);
  // Layers of one and three elements in turn: half of the planes would have to be kept.
  const FreeBox layers =
      box_of({17, 17, 17}, [](std::int64_t i, std::int64_t, std::int64_t) { return i % 4 == 0 ? 1000.0 : 1.0; });
  EXPECT_EQ(layers.coarsenings()[1].nodes(), 9);
  EXPECT_LE(layers.coarsenings()[0].nodes(), 13);
}

TEST(Coarsening, EndsWithTwoNodes) {
  const auto at = line({1}), three = line({1, 1});
  for (const Coarsening& one : coarsen({at, at, at})) EXPECT_EQ(one.nodes(), 2);
  // The plane in the middle is all that there is to leave out.
  const Coarsenings by = coarsen({three, at, at}, {{{0, 1, 0}, {0, 0}, {0, 0}}});
  EXPECT_EQ(by[0].nodes(), 2);
}

TEST(Multigrid, AStiffInclusionTakesAtMostHalfAsManyIterationsAgain) {
  for (const std::int64_t n : {16, 22}) {
    Box box = box_under_tension({n, n, n}, Mesh::cubes);
    const auto inside = [&](std::int64_t e) { return e >= (n - 1) / 4 && e < (n - 1) * 3 / 4; };
    box.young.clear();
    for (std::int64_t e = 0; e < (n - 1) * (n - 1) * (n - 1); ++e) {
      const bool stiff = inside(e % (n - 1)) && inside(e / (n - 1) % (n - 1)) && inside(e / (n - 1) / (n - 1));
      box.young.push_back(stiff ? 1000 : 1);
    }
    std::vector<double> displacement(3 * box.count());
    EXPECT_LE(solve(box.body(), {}, displacement).iterations, 9) << n;
  }
}

}  // namespace
