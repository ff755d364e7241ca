// The same displacement as one process finds, in as many iterations, however the box is divided.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "alone.hpp"
#include "body_in_parts.hpp"

namespace {

using elasticity_test::Alone;
using elasticity_test::Box;
using elasticity_test::box_under_tension;
using elasticity_test::divisions;
using elasticity_test::each_alone;
using elasticity_test::largest_difference;
using elasticity_test::Mesh;
using elasticity_test::OptionsByRanks;
using elasticity_test::PartHere;
using elasticity_test::Parts;
using elasticity_test::Preconditioner;
using elasticity_test::refusal;
using elasticity_test::Result;
using elasticity_test::World;
using rooftop::elasticity::InvalidInput;
using rooftop::elasticity::Outcome;
using rooftop::elasticity::solve;

/// The best division, and of few ranks those that cut one direction alone: each of the others is like one of these, and
/// ranks that are more than the cores take their time.
std::vector<Parts> some_divisions(const std::array<std::int64_t, 3>& nodes) {
  const std::vector<Parts> all = divisions(nodes, World().size);
  if (World().size <= 3) return all;
  return {rooftop::elasticity::parts_of(nodes, World().size)};
}

/// The same, but with sanitizers the best division alone: small boxes are divided in all ways.
std::vector<Parts> some_divisions_of_large(const std::array<std::int64_t, 3>& nodes) {
#ifdef ROOFTOP_SANITIZED
  return {rooftop::elasticity::parts_of(nodes, World().size)};
#else
  return some_divisions(nodes);
#endif
}

constexpr std::int64_t enough_iterations = 2000;  // some times as many as are needed: what is wrong ends, too

/// Solves by all ranks, with overlap and without, and holds it against one process.
void expect_as_one_process(const Box& box, OptionsByRanks options, const std::vector<double>& first,
                           const std::vector<Parts>& all_parts, const Alone& alone) {
  options.iterations = enough_iterations;
  for (const Parts& parts : all_parts) {
    for (const bool overlap : {false, true}) {
      PartHere here(box, parts, first);
      options.overlap = overlap;
      const Result found = solve(here.body(), options, here.displacement, MPI_COMM_WORLD);
      const auto how = [&] {
        return testing::Message() << box.nodes[0] << "x" << box.nodes[1] << "x" << box.nodes[2] << " in " << parts[0]
                                  << "x" << parts[1] << "x" << parts[2] << (overlap ? " with" : " without")
                                  << " overlap, preconditioner " << static_cast<int>(options.preconditioner);
      };
      EXPECT_EQ(found.outcome, alone.outcome) << how();
      EXPECT_EQ(found.residuals.size(), static_cast<std::size_t>(found.iterations + 1)) << how();
      // One process solves a small thin box directly, and ranks with aggregates: in single precision, where they cut
      // through its thickness, so that no rank has layers.
      const bool directly = alone.iterations == 1;
      const std::int64_t most = found.stretched || directly ? 20 : 1 + alone.iterations / 100;
      EXPECT_LE(std::abs(found.iterations - alone.iterations), most) << how();
      EXPECT_LE(found.residual, options.tolerance) << how();
      EXPECT_LT(largest_difference(here.whole(), alone.displacement), 1e-6) << how();
      // Rounding grows from step to step, the more the longer it takes.
      double off = 0;
      for (std::size_t i = 0; i < std::min<std::size_t>({found.residuals.size(), alone.residuals.size(), 10}); ++i) {
        const bool single = options.preconditioner >= Preconditioner::chebyshev && alone.residuals[i] < 1e-5;
        if (!single) off = std::max(off, std::abs(found.residuals[i] / alone.residuals[i] - 1));
      }
      // Aggregates end at the ranks' borders, and a thin box has some.
      EXPECT_LT(found.stretched ? 0 : off, 1e-3) << how();
    }
  }
}

void expect_as_one_process(const Box& box, OptionsByRanks options, const std::vector<double>& first,
                           const std::vector<Parts>& all_parts) {
  options.iterations = enough_iterations;
  expect_as_one_process(box, options, first, all_parts, each_alone(box.body(), {&options, 1}, first).front());
}

constexpr std::array<std::array<std::int64_t, 3>, 3> small{{{8, 8, 8}, {9, 2, 13}, {7, 11, 9}}};

TEST(ByRanks, FindWhatOneProcessFinds) {
  for (const auto& nodes : small) {
    for (const Mesh mesh : {Mesh::cubes, Mesh::graded, Mesh::distorted}) {
#ifdef ROOFTOP_SANITIZED
      // The thin box with every mesh, and each mesh with one other: what is read and written depends on the one or the
      // other, and on how the box is divided.
      if (nodes[1] > 2 && (nodes[0] == 8) != (mesh == Mesh::graded)) continue;
#endif
      const Box box = box_under_tension(nodes, mesh);
      const std::vector<double> first(3 * box.count());
      std::vector<OptionsByRanks> all(4);
      for (std::size_t which = 0; which < all.size(); ++which) {
        all[which].preconditioner = static_cast<Preconditioner>(which);
        all[which].threads = 1;
        all[which].iterations = enough_iterations;
      }
      const std::vector<Alone> alone = each_alone(box.body(), all, first);
      for (std::size_t which = 0; which < all.size(); ++which) {
        const OptionsByRanks& options = all[which];
        // Many iterations that are all alike need no many divisions.
        const bool few = options.preconditioner == Preconditioner::none && mesh != Mesh::graded;
        std::vector<Parts> parts = some_divisions(nodes);
        if (few) parts.resize(1);
        expect_as_one_process(box, options, first, parts, alone[which]);
      }
    }
  }
}

// Large enough for several boxes that ranks share.
TEST(ByRanks, ShareMultigridsBoxes) {
  for (const auto& nodes : {std::array<std::int64_t, 3>{27, 25, 23}, {16, 31, 17}}) {
    for (const Mesh mesh : {Mesh::cubes, Mesh::graded, Mesh::distorted}) {
      const Box box = box_under_tension(nodes, mesh);
      OptionsByRanks options;
      options.threads = 1;
      expect_as_one_process(box, options, std::vector<double>(3 * box.count()), some_divisions(nodes));
    }
  }
}

// Planes that are kept are found together: one rank may see no jump.
TEST(ByRanks, KeepThePlanesOfAnInclusion) {
  const std::array<std::int64_t, 3> nodes{22, 21, 23};
  Box box = box_under_tension(nodes, Mesh::cubes);
  box.young.clear();
  for (std::int64_t k = 0; k + 1 < nodes[2]; ++k) {
    for (std::int64_t j = 0; j + 1 < nodes[1]; ++j) {
      for (std::int64_t i = 0; i + 1 < nodes[0]; ++i) {
        box.young.push_back(i >= 5 && i < 12 && j >= 3 && j < 10 && k >= 5 && k < 14 ? 20 : 1);
      }
    }
  }
  OptionsByRanks options;
  options.threads = 1;
  expect_as_one_process(box, options, std::vector<double>(3 * box.count()), some_divisions_of_large(nodes));
}

TEST(ByRanks, HaveMaterialForEachElementAndPrescribedDisplacements) {
  for (const auto& nodes : {std::array<std::int64_t, 3>{9, 10, 11}, {17, 16, 15}}) {
    Box box = box_under_tension(nodes, Mesh::distorted);
    elasticity_test::Random random;
    box.young.clear();
    box.poisson.clear();
    for (std::size_t e = 0; e < box.elements(); ++e) {
      box.young.push_back(e % 5 == 0 ? 20 : 1 + 0.5 * random());
      box.poisson.push_back(0.25 + 0.1 * random());
    }
    std::vector<double> displacement(3 * box.count());
    for (std::int64_t j = 0; j < nodes[1]; ++j) {
      const std::size_t value = 3 * box.node(nodes[0] - 1, j, nodes[2] / 2) + 1;
      box.held[value] = 1;
      displacement[value] = 0.1 * static_cast<double>(j);
    }
    OptionsByRanks options;
    options.threads = 1;
    const bool small_box = nodes[0] == 9;
    expect_as_one_process(box, options, displacement,
                          small_box ? some_divisions(nodes) : some_divisions_of_large(nodes));
    options.single_values = true;
    expect_as_one_process(box, options, displacement, {rooftop::elasticity::parts_of(nodes, World().size)});
  }
}

TEST(ByRanks, TakeTheKnownNumberOfIterations) {
  Box box = box_under_tension({12, 12, 12}, Mesh::cubes);
  box.coordinates.clear();
  for (const Parts& parts : some_divisions_of_large(box.nodes)) {
    PartHere here(box, parts, std::vector<double>(3 * box.count()));
    OptionsByRanks options;
    options.threads = 1;
    options.preconditioner = Preconditioner::none;
    options.iterations = 136;
    options.tolerance = 1e-12;
    const Result result = solve(here.body(), options, here.displacement, MPI_COMM_WORLD);
    EXPECT_EQ(result.outcome, Outcome::iteration_limit);
    EXPECT_EQ(result.iterations, 136);
    EXPECT_NEAR(result.residual, 1.0e-8, 2e-10);
  }
}

TEST(ByRanks, StopWhereOneStops) {
  const World world;
  const Box box = box_under_tension({17, 17, 17}, Mesh::distorted);
  PartHere here(box, divisions(box.nodes, world.size).front(), std::vector<double>(3 * box.count()));
  const std::int32_t stop = world.rank == world.size - 1 ? 1 : 0;
  OptionsByRanks options;
  options.threads = 1;
  options.stop = &stop;
  EXPECT_EQ(solve(here.body(), options, here.displacement, MPI_COMM_WORLD).outcome, Outcome::stopped);
  options.stop = nullptr;
  options.seconds = world.rank == 0 ? 1e-9 : 1e9;
  const Result late = solve(here.body(), options, here.displacement, MPI_COMM_WORLD);
  EXPECT_EQ(late.outcome, Outcome::time_limit);
  EXPECT_EQ(late.iterations, 0);
}

TEST(Division, HasTheSmallestSurface) {
  using rooftop::elasticity::parts_of;
  EXPECT_EQ(parts_of({40, 40, 40}, 8), (Parts{2, 2, 2}));
  EXPECT_EQ(parts_of({40, 40, 40}, 2), (Parts{1, 1, 2}));
  EXPECT_EQ(parts_of({100, 10, 10}, 5), (Parts{5, 1, 1}));
  EXPECT_EQ(parts_of({4, 300, 2}, 7), (Parts{1, 7, 1}));
  EXPECT_THROW(static_cast<void>(parts_of({5, 5, 5}, 7)), InvalidInput);
}

TEST(BadInput, IsRefusedByAllRanksAtOnce) {
  const World world;
  const int last = world.size - 1;
  const std::string rank = "rank " + std::to_string(last) + ": ";
  OptionsByRanks options;
  options.threads = 1;
  const Box box = box_under_tension({4, 3, 9}, Mesh::distorted);
  const PartHere sound(box, {1, 1, world.size}, std::vector<double>(3 * box.count()));
  const auto refused = [&](auto spoil, bool here = true) {
    PartHere part = sound;
    if (here) spoil(part);
    return refusal(part.body(), options, part.displacement);
  };
  EXPECT_EQ(refused([](PartHere& part) { part.nodes[1] = 1; }), "nodes has 1; expected 2 or more in each direction");
  EXPECT_EQ(refused([](PartHere& part) {
              part.parts = {5, 1, 1};
            }),
            "5 parts along x cannot share 4 nodes; expected 1 to 4");
  EXPECT_EQ(refused([](PartHere& part) {
              part.parts = {0, 1, 1};
            }),
            "0 parts along x cannot share 4 nodes; expected 1 to 4");
  EXPECT_EQ(refused([](PartHere& part) {
              part.parts = {3, 3, 1};
            }),
            "parts has 3 x 3 x 1 for " + std::to_string(world.size) + " ranks; expected one part for each rank");
  const bool here = world.rank == last;
  EXPECT_EQ(refused([](PartHere& part) { part.load.back() = std::numeric_limits<double>::quiet_NaN(); }, here)
                .substr(0, rank.size() + 5),
            rank + "load[");
  EXPECT_EQ(refused([](PartHere& part) { part.young = {-1}; }, here),
            rank + "young[0] is -1; expected a number above 0 and below inf");
  EXPECT_EQ(refused([](PartHere& part) { part.held.assign(part.held.size(), 0); }),
            "the body is free to move in 6 ways; expected displacements held against all six rigid motions");
  if (world.size > 1) {
    EXPECT_EQ(refused([](PartHere& part) { part.coordinates.clear(); }, here),
              rank + "coordinates is empty, and not on all ranks; expected it on all or none");
  }
  // The last element's last corner lies beyond the one before it.
  EXPECT_EQ(refused([](PartHere& part) { *(part.coordinates.end() - 3) = 0.2; }, here),
            "element 47 is inverted or flat: expected a positive Jacobian determinant at its points of integration");
  options.tolerance = 0;
  EXPECT_EQ(refusal(sound.body(), options, sound.displacement), "tolerance is 0; expected a number above 0");
}

}  // namespace
