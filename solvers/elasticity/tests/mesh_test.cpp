// Meshes whose elements lie anywhere.
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "mixed_mesh.hpp"

namespace {

using elasticity_test::Kind;
using elasticity_test::Mixed;
using elasticity_test::mixed;
using elasticity_test::Options;
using elasticity_test::Preconditioner;
using elasticity_test::Result;
using rooftop::elasticity::Outcome;
using rooftop::elasticity::solve;

// The displacement is prescribed on all outer nodes, so that it is linear whatever the elements.
TEST(Mesh, OuterNodesThatMoveLinearlyMoveAllOthersSo) {
  for (const Kind kind : {Kind::hexahedra, Kind::tetrahedra}) {
    for (const int which : {0, 1, 2, 3}) {
      Mixed all = mixed({6, 4, 5}, kind);
      std::vector<double> displacement(3 * all.box.count());
      for (std::int64_t k = 0; k < 5; ++k) {
        for (std::int64_t j = 0; j < 4; ++j) {
          for (std::int64_t i = 0; i < 6; ++i) {
            if (i % 5 != 0 && j % 3 != 0 && k % 4 != 0) continue;
            const std::size_t from = all.box.node(i, j, k);
            for (std::size_t c = 0; c < 3; ++c) {
              all.held[3 * all.number[from] + c] = 1;
              displacement[3 * all.number[from] + c] = all.box.exact(from, c);
            }
          }
        }
      }
      Options options;
      options.preconditioner = static_cast<Preconditioner>(which);
      options.threads = 1 + which % 3;
      options.tolerance = 1e-11;
      options.single_values = which % 2 == 1;
      const Result result = solve(all.mesh(), options, displacement);
      EXPECT_EQ(result.outcome, Outcome::converged);
      for (std::size_t n = 0; n < all.box.count(); ++n) {
        for (std::size_t c = 0; c < 3; ++c) {
          EXPECT_NEAR(displacement[3 * all.number[n] + c], all.box.exact(n, c), 1e-8) << "preconditioner " << which;
        }
      }
    }
  }
}

// A box's elements one by one are the box, whatever their order, and with a material for each.
TEST(Mesh, OfABoxHasTheBoxesDisplacement) {
  const Mixed all = mixed({9, 7, 11}, Kind::hexahedra);
  std::vector<double> here(3 * all.box.count()), there(3 * all.box.count());
  Options options;
  options.tolerance = 1e-11;
  Mixed loaded = all;
  for (std::size_t n = 0; n < all.box.count(); ++n) {
    for (std::size_t c = 0; c < 3; ++c) loaded.load[3 * all.number[n] + c] = all.box.load[3 * n + c];
  }
  EXPECT_EQ(solve(loaded.mesh(), options, here).outcome, Outcome::converged);
  EXPECT_EQ(solve(all.box.body(), options, there).outcome, Outcome::converged);
  for (std::size_t n = 0; n < all.box.count(); ++n) {
    for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(here[3 * all.number[n] + c], there[3 * n + c], 1e-8);
  }
}

TEST(Mesh, AggregationTakesAboutAsManyIterationsWhateverTheSize) {
  for (const std::int64_t n : {8, 14, 20}) {
    Mixed all = mixed({n, n, n}, Kind::both);
    for (std::size_t node = 0; node < all.box.count(); ++node) all.load[3 * node + 2] = 1;
    std::vector<double> displacement(3 * all.box.count());
    const Result result = solve(all.mesh(), {}, displacement);
    EXPECT_EQ(result.outcome, Outcome::converged);
    EXPECT_LE(result.iterations, 20) << n;
  }
}

// Many nodes that do not move at all, and are in no aggregate.
TEST(Mesh, ClampedFaceIsInNoOnesWay) {
  Mixed all = mixed({5, 17, 17}, Kind::tetrahedra);
  for (std::size_t node = 0; node < all.box.count(); ++node) {
    const bool clamped = all.coordinates[3 * node] == 0;
    for (std::size_t c = 0; c < 3; ++c) all.held[3 * node + c] = clamped ? 1 : 0;
    all.load[3 * node + 2] = 1;
  }
  std::vector<double> displacement(3 * all.box.count());
  const Result result = solve(all.mesh(), {}, displacement);
  EXPECT_EQ(result.outcome, Outcome::converged);
  EXPECT_LE(result.iterations, 30);
  EXPECT_LT(result.bytes, 3500.0 * static_cast<double>(all.box.count()));
}

std::string refusal(const std::function<void(Mixed&, Options&)>& spoil) {
  Mixed all = mixed({3, 3, 3}, Kind::both);
  Options options;
  spoil(all, options);
  std::vector<double> displacement(3 * all.box.count());
  try {
    (void)solve(all.mesh(), options, displacement);
  } catch (const rooftop::elasticity::InvalidInput& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Mesh, IsRefusedWithWhatIsWrong) {
  EXPECT_EQ(refusal([](Mixed& all, Options&) { all.coordinates.pop_back(); }),
            "coordinates has 80 values; expected three for each node");
  EXPECT_EQ(refusal([](Mixed& all, Options&) { all.hexahedra.pop_back(); }),
            "blocks[0] has 31 nodes; expected 8 for each element");
  EXPECT_EQ(refusal([](Mixed& all, Options&) { all.tetrahedra.pop_back(); }),
            "blocks[1] has 95 nodes; expected 4 for each element");
  EXPECT_EQ(refusal([](Mixed& all, Options&) { all.hexahedra.clear(), all.tetrahedra.clear(); }),
            "the mesh has no elements; expected one or more");
  EXPECT_EQ(refusal([](Mixed& all, Options&) { all.tetrahedra[5] = 27; }), "element 5 has node 27; expected 0 to 26");
  EXPECT_EQ(refusal([](Mixed& all, Options&) { all.young.assign(27, 1); }), "young has 27 values; expected 28");
  EXPECT_EQ(refusal([](Mixed& all, Options&) { all.held.assign(81, 0); }),
            "the mesh is free to move in 6 ways; expected displacements held against all six rigid motions");
  EXPECT_EQ(refusal([](Mixed& all, Options&) { std::swap(all.tetrahedra[4], all.tetrahedra[5]); }),
            "element 5 is inverted or flat: expected a positive Jacobian determinant at its points of integration");
  EXPECT_EQ(refusal([](Mixed& all, Options&) { std::swap(all.hexahedra[8], all.hexahedra[9]); }).substr(0, 21),
            "element 1 is inverted");
  EXPECT_EQ(refusal([](Mixed& all, Options&) {
              for (int v = 0; v < 3; ++v) {
                all.coordinates.push_back(9);
                all.load.push_back(0);
                all.held.push_back(1);
              }
            }).substr(0, 22),
            "displacement has 81 va");
}

TEST(Mesh, PartThatIsFreeIsNamed) {
  // Two tetrahedra that have no node in common, and only the first one is held.
  const std::vector<double> coordinates{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 5, 0, 0, 6, 0, 0, 5, 1, 0, 5, 0, 1};
  const std::vector<std::int64_t> tetrahedra{0, 1, 2, 3, 4, 5, 6, 7};
  const std::vector<double> one{1.0}, poisson{0.3}, load(24, 0.0);
  std::vector<std::uint8_t> held(24, 0);
  std::fill_n(held.begin(), 12, std::uint8_t{1});
  std::vector<double> displacement(24);
  const rooftop::elasticity::Mesh mesh{
      coordinates, {{rooftop::elasticity::ElementKind::tetrahedron, tetrahedra}}, one, poisson, load, held};
  try {
    (void)solve(mesh, {}, displacement);
    FAIL() << "accepted";
  } catch (const rooftop::elasticity::InvalidInput& error) {
    EXPECT_EQ(std::string(error.what()).find("the part of the mesh with node "), 0U) << error.what();
  }
}

TEST(Mesh, NodeInNoElementIsNamed) {
  const std::vector<double> coordinates{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 2, 2, 2};
  const std::vector<std::int64_t> tetrahedra{0, 1, 2, 3};
  const std::vector<double> one{1.0}, poisson{0.3}, load(15, 0.0);
  const std::vector<std::uint8_t> held(15, 1);
  std::vector<double> displacement(15);
  const rooftop::elasticity::Mesh mesh{
      coordinates, {{rooftop::elasticity::ElementKind::tetrahedron, tetrahedra}}, one, poisson, load, held};
  try {
    (void)solve(mesh, {}, displacement);
    FAIL() << "accepted";
  } catch (const rooftop::elasticity::InvalidInput& error) {
    EXPECT_EQ(std::string(error.what()), "node 4 is in no element; expected every node in one");
  }
}

}  // namespace
