// Displacements that others determine.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "mixed_mesh.hpp"

namespace {

using elasticity_test::Kind;
using elasticity_test::Mixed;
using elasticity_test::mixed;
using elasticity_test::Options;
using elasticity_test::Preconditioner;
using elasticity_test::Result;
using rooftop::elasticity::InvalidInput;

struct Linked {
  std::vector<std::int64_t> dependent, start{0}, independent;
  std::vector<double> factor, constant;

  void add(std::int64_t number, const std::vector<std::int64_t>& on, const std::vector<double>& by, double value = 0) {
    dependent.push_back(number);
    independent.insert(independent.end(), on.begin(), on.end());
    factor.insert(factor.end(), by.begin(), by.end());
    start.push_back(static_cast<std::int64_t>(independent.size()));
    constant.push_back(value);
  }
  [[nodiscard]] rooftop::elasticity::Dependences all() const {
    return {dependent, start, independent, factor, constant};
  }
};

/// A box under tension with a node more, that no element has: its z moves the upper side, and has the whole load.
struct Pulled {
  Mixed mesh;
  Linked linked;
  std::vector<double> load;
  std::int64_t node;

  explicit Pulled(std::array<std::int64_t, 3> nodes) : mesh(mixed(nodes, Kind::tetrahedra)), load(mesh.load) {
    const elasticity_test::Box& box = mesh.box;
    node = static_cast<std::int64_t>(box.count());
    mesh.coordinates.insert(mesh.coordinates.end(), {50, -20, 3});
    mesh.held.insert(mesh.held.end(), {1, 1, 0});
    load.insert(load.end(), {0, 0, 0});
    double sum = 0;
    for (std::int64_t j = 0; j < nodes[1]; ++j) {
      for (std::int64_t i = 0; i < nodes[0]; ++i) {
        const std::size_t at = box.node(i, j, nodes[2] - 1);
        sum += box.load[3 * at + 2];
        linked.add(static_cast<std::int64_t>(3 * mesh.number[at] + 2), {3 * node + 2}, {2.0});
      }
    }
    for (std::size_t n = 0; n < box.count(); ++n) {
      for (std::size_t c = 0; c < 3; ++c) load[3 * mesh.number[n] + c] = 0;
    }
    load[3 * box.count() + 2] = 2 * sum;
  }
  [[nodiscard]] rooftop::elasticity::Mesh whole() const {
    rooftop::elasticity::Mesh result = mesh.mesh();
    result.load = load;
    result.dependences = linked.all();
    return result;
  }
};

TEST(Dependences, AnotherNodePullsASide) {
  const Pulled pulled({9, 8, 12});
  for (const Preconditioner preconditioner :
       {Preconditioner::none, Preconditioner::block_jacobi, Preconditioner::chebyshev, Preconditioner::multigrid}) {
    for (const bool single : {false, true}) {
      std::vector<double> displacement(pulled.load.size());
      Options options;
      options.preconditioner = preconditioner;
      options.single_values = single;
      options.tolerance = 1e-10;
      options.threads = 2;
      const Result result = rooftop::elasticity::solve(pulled.whole(), options, displacement);
      EXPECT_EQ(result.outcome, rooftop::elasticity::Outcome::converged);
      EXPECT_NEAR(displacement.back(), 11.0 / 2, 1e-6);
      for (std::size_t n = 0; n < pulled.mesh.box.count(); ++n) {
        for (std::size_t c = 0; c < 3; ++c) {
          ASSERT_NEAR(displacement[3 * pulled.mesh.number[n] + c], pulled.mesh.box.exact(n, c), 1e-6);
        }
      }
      if (preconditioner == Preconditioner::multigrid) {
        EXPECT_LT(result.iterations, 40);
      }
    }
  }
}

/// The same displacement by constants alone, in units whose squares are no numbers, too.
TEST(Dependences, AreConstant) {
  for (const double unit : {1.0, 1e200}) {
    const elasticity_test::Mixed mesh = mixed({4, 3, 5}, Kind::hexahedra);
    Linked linked;
    for (std::int64_t j = 0; j < 3; ++j) {
      for (std::int64_t i = 0; i < 4; ++i) {
        linked.add(static_cast<std::int64_t>(3 * mesh.number[mesh.box.node(i, j, 4)] + 2), {}, {}, 4 * unit);
      }
    }
    const std::vector<double> load(mesh.load.size());
    rooftop::elasticity::Mesh given = mesh.mesh();
    given.load = load;
    given.dependences = linked.all();
    std::vector<double> displacement(load.size());
    Options options;
    options.tolerance = 1e-10;
    const Result result = rooftop::elasticity::solve(given, options, displacement);
    EXPECT_EQ(result.outcome, rooftop::elasticity::Outcome::converged);
    for (std::size_t n = 0; n < mesh.box.count(); ++n) {
      for (std::size_t c = 0; c < 3; ++c) {
        ASSERT_NEAR(displacement[3 * mesh.number[n] + c] / unit, mesh.box.exact(n, c), 1e-6);
      }
    }
  }
}

std::string refusal(const std::function<void(Pulled&)>& spoil) {
  Pulled pulled({4, 3, 5});
  spoil(pulled);
  std::vector<double> displacement(pulled.load.size());
  try {
    (void)rooftop::elasticity::solve(pulled.whole(), {}, displacement);
  } catch (const InvalidInput& error) {
    for (const double value : displacement) EXPECT_EQ(value, 0);
    return error.what();
  }
  return "accepted";
}

TEST(Dependences, AreRefusedWithWhatIsWrong) {
  EXPECT_EQ(refusal([](Pulled&) {}), "accepted");
  EXPECT_EQ(refusal([](Pulled& p) { p.linked.dependent[1] = 183; }),
            "a dependent displacement is 183; expected 0 to 182");
  EXPECT_EQ(refusal([](Pulled& p) { p.linked.independent[1] = -1; }),
            "an independent displacement is -1; expected 0 to 182");
  EXPECT_EQ(refusal([](Pulled& p) { p.linked.dependent = std::vector<std::int64_t>(12, 180); }),
            "the displacement along x of node 60 is held, and depends on others; expected either alone");
  EXPECT_EQ(refusal([](Pulled& p) { p.linked.constant.pop_back(); }), "constant has 11 values; expected 12");
  EXPECT_EQ(refusal([](Pulled& p) { p.linked.start[1] = 5; }),
            "start[1] is 5, and the next is 2; expected numbers from 0 on that do not fall");
  EXPECT_EQ(refusal([](Pulled& p) { p.linked.factor[3] = HUGE_VAL; }), "factor[3] is inf; expected a finite number");
  EXPECT_NE(refusal([](Pulled& p) { p.linked.dependent[1] = p.linked.dependent[0]; }).find("twice; expected once"),
            std::string::npos);
  EXPECT_NE(refusal([](Pulled& p) {
              p.linked.independent[1] = p.linked.dependent[0];
            }).find("which depends on others; expected what does not"),
            std::string::npos);
  EXPECT_EQ(
      refusal([](Pulled& p) { p.mesh.held[181] = 0; }),
      "node 60, which is in no element, is free to move in 1 way, with what depends on it; expected displacements "
      "held against all rigid motions, or that depend on what is");
}

/// Two bodies of which one hangs on the other by what its nodes depend on.
TEST(Dependences, HoldABody) {
  const std::vector<double> coordinates{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 1, 0, 1, 0, 1, 1, 0, 0, 2};
  const std::vector<std::int64_t> tetrahedra{0, 1, 2, 3, 4, 5, 6, 7};
  std::vector<std::uint8_t> held(24);
  for (std::size_t value = 0; value < 9; ++value) held[value] = 1;
  const std::vector<double> young{1}, poisson{0};
  std::vector<double> load(24), displacement(24);
  load[23] = 1;
  Linked linked;
  for (std::int64_t node = 4; node < 7; ++node) linked.add(3 * node + 2, {11}, {1});
  linked.add(12, {9}, {1});
  linked.add(13, {10}, {1});
  rooftop::elasticity::Mesh mesh{
      coordinates, {{rooftop::elasticity::ElementKind::tetrahedron, tetrahedra}}, young, poisson, load, held, {}};
  mesh.dependences = linked.all();
  EXPECT_THROW((void)rooftop::elasticity::solve(mesh, {}, displacement), InvalidInput);  // it turns about z
  linked.add(16, {10}, {1});
  mesh.dependences = linked.all();
  const Result result = rooftop::elasticity::solve(mesh, {}, displacement);
  EXPECT_EQ(result.outcome, rooftop::elasticity::Outcome::converged);
  EXPECT_NEAR(displacement[11], 6, 1e-6);   // a force of 1 on a third of an area of 1/2, over a height of 1
  EXPECT_NEAR(displacement[23], 12, 1e-6);  // and once more
}

}  // namespace
