// A mesh in parts of its nodes: the same displacement as one process finds.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "alone.hpp"
#include "mesh_in_parts.hpp"

namespace {

using elasticity_test::Alone;
using elasticity_test::each_alone;
using elasticity_test::Kind;
using elasticity_test::largest_difference;
using elasticity_test::MeshHere;
using elasticity_test::Mixed;
using elasticity_test::mixed;
using elasticity_test::OptionsByRanks;
using elasticity_test::Preconditioner;
using elasticity_test::ranks_of;
using elasticity_test::refusal;
using elasticity_test::Result;
using elasticity_test::Sharing;
using elasticity_test::World;
using rooftop::elasticity::Outcome;
using rooftop::elasticity::solve;

OptionsByRanks options_with(Preconditioner preconditioner) {
  OptionsByRanks options;
  options.threads = 1;
  options.iterations = 3000;  // some times as many as are needed: what is wrong ends, too
  options.preconditioner = preconditioner;
  return options;
}

/// A mesh with a material for each element and a load on each node, which is held at the bottom.
Mixed clamped(std::array<std::int64_t, 3> nodes, Kind kind) {
  Mixed all = mixed(nodes, kind);
  elasticity_test::Random random;
  all.young.clear();
  for (std::size_t e = 0; e < all.hexahedra.size() / 8 + all.tetrahedra.size() / 4; ++e) {
    all.young.push_back(1 + 0.5 * random());
  }
  for (std::size_t n = 0; n < all.box.count(); ++n) {
    const bool bottom = n < static_cast<std::size_t>(nodes[0] * nodes[1]);
    for (std::size_t c = 0; c < 3; ++c) {
      all.held[3 * all.number[n] + c] = bottom ? 1 : 0;
      all.load[3 * all.number[n] + c] = random();
    }
  }
  return all;
}

/// Solves by all ranks, with overlap and without, and holds it against one process. Nodes far from the bottom are on
/// ranks that hold nothing.
void expect_as_one_process(const Mixed& all, OptionsByRanks options, Sharing sharing, double more_iterations,
                           const Alone& alone) {
  const std::vector<double> first(3 * all.box.count());
  for (const bool overlap : {false, true}) {
    MeshHere here(all, ranks_of(all, sharing), first);
    options.overlap = overlap;
    const Result found = solve(here.cut.part(), options, here.displacement, MPI_COMM_WORLD);
    const auto how = [&] {
      return testing::Message() << "preconditioner " << static_cast<int>(options.preconditioner)
                                << (sharing == Sharing::layers ? ", layers" : ", scattered")
                                << (overlap ? ", overlap" : "");
    };
    EXPECT_EQ(found.outcome, Outcome::converged) << how();
    EXPECT_EQ(found.residuals.size(), static_cast<std::size_t>(found.iterations + 1)) << how();
    EXPECT_LE(static_cast<double>(found.iterations), 1 + more_iterations * static_cast<double>(alone.iterations))
        << how();
    EXPECT_LE(found.residual, options.tolerance) << how();
    EXPECT_LT(largest_difference(here.whole(), alone.displacement), 1e-6) << how();
    if (options.preconditioner == Preconditioner::multigrid) continue;  // its aggregates are those of each rank
    EXPECT_LE(std::abs(found.iterations - alone.iterations), 1 + alone.iterations / 50) << how();
    double off = 0;
    for (std::size_t i = 0; i < std::min<std::size_t>({found.residuals.size(), alone.residuals.size(), 10}); ++i) {
      off = std::max(off, std::abs(found.residuals[i] / alone.residuals[i] - 1));
    }
    EXPECT_LT(off, 1e-3) << how();
  }
}

void expect_as_one_process(const Mixed& all, const OptionsByRanks& options, Sharing sharing, double more_iterations) {
  const std::vector<double> first(3 * all.box.count());
  const Alone alone = each_alone(all.mesh(), {&options, 1}, first).front();
  expect_as_one_process(all, options, sharing, more_iterations, alone);
}

TEST(MeshByRanks, FindWhatOneProcessFinds) {
#ifdef ROOFTOP_SANITIZED
  const bool few = true;
#else
  const bool few = World().size > 3;  // ranks that are more than the cores take their time
#endif
  for (const Kind kind : {Kind::both, Kind::hexahedra, Kind::tetrahedra}) {
    if (few && kind != Kind::both) break;
    const Mixed all = clamped({6, 5, 9}, kind);
    std::vector<OptionsByRanks> each;
    for (int which = 0; which < 4; ++which) each.push_back(options_with(static_cast<Preconditioner>(which)));
    const std::vector<Alone> alone = each_alone(all.mesh(), each, std::vector<double>(3 * all.box.count()));
    for (std::size_t which = 0; which < each.size(); ++which) {
      for (const Sharing sharing : {Sharing::layers, Sharing::scattered}) {
        // Ranks whose nodes have no neighbours of their own smooth, and little more.
        const double more = sharing == Sharing::layers ? 3 : 10;
        expect_as_one_process(all, each[which], sharing, more, alone[which]);
      }
    }
  }
}

TEST(MeshByRanks, ReadMatricesInSinglePrecision) {
  OptionsByRanks options = options_with(Preconditioner::block_jacobi);
  options.single_values = true;
  expect_as_one_process(clamped({6, 5, 9}, Kind::both), options, Sharing::layers, 1.1);
}

// Large enough for several levels of aggregates.
TEST(MeshByRanks, AggregateAboutAsWellAsOneProcess) {
  expect_as_one_process(clamped({14, 13, 18}, Kind::both), options_with(Preconditioner::multigrid), Sharing::layers,
                        1.5);
}

// The bottom moves as prescribed, and the top is pulled: the displacement is linear, however distorted the elements
// are.
TEST(MeshByRanks, PullABoxToItsLinearDisplacement) {
  for (const int which : {0, 1, 2, 3}) {
    Mixed all = mixed({5, 4, 8}, Kind::hexahedra);
    std::vector<double> displacement(3 * all.box.count());
    for (std::size_t n = 0; n < all.box.count(); ++n) {
      const bool bottom = all.box.coordinates[3 * n + 2] == 0;
      for (std::size_t c = 0; c < 3; ++c) {
        const std::size_t at = 3 * all.number[n] + c;
        all.held[at] = bottom ? 1 : 0;
        all.load[at] = all.box.load[3 * n + c];
        if (bottom) displacement[at] = all.box.exact(n, c);
      }
    }
    for (const Sharing sharing : {Sharing::layers, Sharing::scattered}) {
      OptionsByRanks options = options_with(static_cast<Preconditioner>(which));
      options.tolerance = 1e-11;
      options.overlap = which % 2 == 1;
      MeshHere here(all, ranks_of(all, sharing), displacement);
      EXPECT_EQ(solve(here.cut.part(), options, here.displacement, MPI_COMM_WORLD).outcome, Outcome::converged);
      const std::vector<double> found = here.whole();
      for (std::size_t n = 0; n < all.box.count(); ++n) {
        for (std::size_t c = 0; c < 3; ++c) {
          EXPECT_NEAR(found[3 * all.number[n] + c], all.box.exact(n, c), 1e-8) << "preconditioner " << which;
        }
      }
    }
  }
}

// Outer nodes move linearly, and all others with them, in tetrahedra and across ranks that hold nothing.
TEST(MeshByRanks, MoveInnerNodesLinearlyWithTheOuterOnes) {
  Mixed all = mixed({6, 5, 9}, Kind::tetrahedra);
  std::vector<double> displacement(3 * all.box.count());
  for (std::int64_t k = 0; k < 9; ++k) {
    for (std::int64_t j = 0; j < 5; ++j) {
      for (std::int64_t i = 0; i < 6; ++i) {
        if (i % 5 != 0 && j % 4 != 0 && k % 8 != 0) continue;
        const std::size_t from = all.box.node(i, j, k);
        for (std::size_t c = 0; c < 3; ++c) {
          all.held[3 * all.number[from] + c] = 1;
          displacement[3 * all.number[from] + c] = all.box.exact(from, c);
        }
      }
    }
  }
  for (const Sharing sharing : {Sharing::layers, Sharing::scattered}) {
    OptionsByRanks options = options_with(Preconditioner::multigrid);
    options.tolerance = 1e-11;
    MeshHere here(all, ranks_of(all, sharing), displacement);
    EXPECT_EQ(solve(here.cut.part(), options, here.displacement, MPI_COMM_WORLD).outcome, Outcome::converged);
    const std::vector<double> found = here.whole();
    for (std::size_t n = 0; n < all.box.count(); ++n) {
      for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(found[3 * all.number[n] + c], all.box.exact(n, c), 1e-8);
    }
  }
}

TEST(MeshByRanks, StopWhereOneStops) {
  const World world;
  const Mixed all = clamped({9, 9, 9}, Kind::both);
  MeshHere here(all, ranks_of(all, Sharing::layers), std::vector<double>(3 * all.box.count()));
  const std::int32_t stop = world.rank == world.size - 1 ? 1 : 0;
  OptionsByRanks options = options_with(Preconditioner::multigrid);
  options.stop = &stop;
  EXPECT_EQ(solve(here.cut.part(), options, here.displacement, MPI_COMM_WORLD).outcome, Outcome::stopped);
  options.stop = nullptr;
  options.seconds = world.rank == 0 ? 1e-9 : 1e9;
  const Result late = solve(here.cut.part(), options, here.displacement, MPI_COMM_WORLD);
  EXPECT_EQ(late.outcome, Outcome::time_limit);
  EXPECT_EQ(late.iterations, 0);
}

TEST(Cut, HasInnerNodesFirstAndEachCopyWithItsOwner) {
  const World world;
  const Mixed all = mixed({5, 4, 9}, Kind::both);
  const std::vector<std::int32_t> ranks = ranks_of(all, Sharing::layers);
  const auto part = rooftop::elasticity::cut(all.mesh(), ranks, world.rank);
  const std::size_t own = static_cast<std::size_t>(part.own);
  for (std::size_t n = 0; n < part.numbers.size(); ++n) {
    const std::int32_t owner = ranks[static_cast<std::size_t>(part.numbers[n])];
    EXPECT_EQ(owner, n < own ? world.rank : part.owners[n - own]);
  }
  // Behind the first own node with a copy beside it, all have one.
  std::vector<bool> border(part.numbers.size());
  std::vector<std::vector<std::int64_t>> elements;
  for (const auto& [kind, nodes] : part.blocks) {
    const std::ptrdiff_t each = kind == rooftop::elasticity::ElementKind::hexahedron ? 8 : 4;
    for (auto at = nodes.begin(); at != nodes.end(); at += each) elements.emplace_back(at, at + each);
  }
  EXPECT_EQ(elements.size(), part.elements.size());
  for (const auto& element : elements) {
    const bool copies = std::ranges::any_of(element, [&](std::int64_t n) { return n >= part.own; });
    for (const std::int64_t n : element)
      border[static_cast<std::size_t>(n)] = border[static_cast<std::size_t>(n)] || copies;
    EXPECT_TRUE(std::ranges::any_of(element, [&](std::int64_t n) { return n < part.own; }));
  }
  EXPECT_TRUE(std::ranges::is_sorted(border.begin(), border.begin() + part.own));
}

TEST(BadMesh, StiffnessIsNotCut) {
  const Mixed all = clamped({3, 3, 3}, Kind::both);
  const std::vector<double> stiffness = [] {
    std::vector<double> result(21);
    for (const std::size_t diagonal : {0, 2, 5, 9, 14, 20}) result[diagonal] = 1;
    return result;
  }();
  rooftop::elasticity::Mesh mesh = all.mesh();
  mesh.stiffness = stiffness;
  const std::vector<std::int32_t> ranks(all.box.count(), 0);
  try {
    (void)rooftop::elasticity::cut(mesh, ranks, 0);
    FAIL() << "accepted";
  } catch (const rooftop::elasticity::InvalidInput& error) {
    EXPECT_EQ(std::string(error.what()), "stiffness is given; expected young and poisson in bodies of ranks");
  }
}

TEST(BadMesh, IsRefusedByAllRanksAtOnce) {
  const World world;
  const int last = world.size - 1;
  const std::string rank = "rank " + std::to_string(last) + ": ";
  const Mixed all = clamped({4, 4, 9}, Kind::both);
  const std::vector<double> first(3 * all.box.count());
  const auto refused = [&](auto spoil, bool here = true) {
    MeshHere part(all, ranks_of(all, Sharing::layers), first);
    if (here) spoil(part.cut);
    return refusal(part.cut.part(), options_with(Preconditioner::multigrid), part.displacement);
  };
  const bool here = world.rank == last;
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refused([](auto& cut) { cut.load.back() = nan; }, here).substr(0, rank.size() + 5), rank + "load[");
  EXPECT_EQ(refused([](auto& cut) { cut.young.back() = -1; }, here).substr(0, rank.size() + 6), rank + "young[");
  EXPECT_EQ(refused([](auto& cut) { cut.elements.pop_back(); }, here).substr(0, rank.size() + 13),
            rank + "elements has ");
  EXPECT_EQ(refused([](auto& cut) { cut.coordinates.pop_back(); }, here).substr(0, rank.size() + 16),
            rank + "coordinates has ");
  EXPECT_EQ(refused([](auto& cut) { cut.held.assign(cut.held.size(), 0); }),
            "the mesh is free to move in 6 ways; expected displacements held against all six rigid motions");
  if (world.size == 1) return;
  EXPECT_EQ(
      refused([&](auto& cut) { cut.owners.front() = world.size; }, here),
      rank + "owners[0] is " + std::to_string(world.size) + "; expected another rank of " + std::to_string(world.size));
  const std::string unknown = refused([](auto& cut) { cut.numbers.back() = 1000; }, here);
  EXPECT_EQ(unknown.find("rank " + std::to_string(last) + " has a copy of node 1000 of rank "), 0U) << unknown;
  EXPECT_EQ(refused([](auto& cut) { cut = {}; }, here),
            rank + "it has no nodes of its own; expected one or more on every rank");
}

TEST(BadMesh, IsNamedByItsNumbersInTheWhole) {
  Mixed all = clamped({4, 4, 9}, Kind::both);
  const std::vector<double> first(3 * all.box.count());
  const OptionsByRanks options = options_with(Preconditioner::multigrid);
  const auto refused = [&] {
    const MeshHere part(all, ranks_of(all, Sharing::layers), first);
    return refusal(part.cut.part(), options, part.displacement);
  };
  const auto elements = static_cast<std::int64_t>(all.hexahedra.size() / 8 + all.tetrahedra.size() / 4);
  std::swap(all.tetrahedra[all.tetrahedra.size() - 1], all.tetrahedra[all.tetrahedra.size() - 2]);
  EXPECT_EQ(refused(),
            "element " + std::to_string(elements - 1) +
                " is inverted or flat: expected a positive Jacobian determinant at its points of integration");
  std::swap(all.tetrahedra[all.tetrahedra.size() - 1], all.tetrahedra[all.tetrahedra.size() - 2]);
  for (int v = 0; v < 3; ++v) {
    all.coordinates.push_back(9);
    all.load.push_back(0);
    all.held.push_back(0);
  }
  const auto lonely = static_cast<std::int64_t>(all.number.size());
  std::vector<std::int32_t> ranks = ranks_of(all, Sharing::layers);
  ranks.push_back(0);
  auto part = rooftop::elasticity::cut(all.mesh(), ranks, World().rank);
  EXPECT_EQ(refusal(part.part(), options, std::vector<double>(static_cast<std::size_t>(3 * part.own))),
            "node " + std::to_string(lonely) + " is in no element; expected every node in one");
}

// Two rows of elements beside each other, of which one is not held; each goes through all ranks.
TEST(BadMesh, PartThatIsFreeIsNamedWhereverItsNodesAre) {
  Mixed all = clamped({2, 2, 12}, Kind::hexahedra);
  const std::size_t nodes = all.number.size();
  Mixed both = all;
  for (std::size_t n = 0; n < nodes; ++n) {
    both.number.push_back(nodes + all.number[n]);
    for (std::size_t c = 0; c < 3; ++c) {
      both.coordinates.push_back(all.coordinates[3 * n + c] + 10);
      both.load.push_back(1);
      both.held.push_back(0);
    }
  }
  both.young = {1.0};
  for (const std::int64_t node : all.hexahedra) both.hexahedra.push_back(node + static_cast<std::int64_t>(nodes));
  for (const Sharing sharing : {Sharing::layers, Sharing::scattered}) {
    const MeshHere part(both, ranks_of(both, sharing), std::vector<double>(6 * nodes));
    EXPECT_EQ(refusal(part.cut.part(), options_with(Preconditioner::none), part.displacement),
              "the part of the mesh with node " + std::to_string(nodes) +
                  " is free to move in 6 ways; expected displacements held against all six rigid motions");
  }
}

}  // namespace
