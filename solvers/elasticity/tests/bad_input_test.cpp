// What cannot be solved is refused in one line, and nothing is changed.
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>

#include "box_under_tension.hpp"

namespace {

using elasticity_test::Box;
using elasticity_test::box_under_tension;
using elasticity_test::Mesh;
using elasticity_test::Options;

std::string refusal(const std::function<void(Box&, Options&)>& spoil) {
  Box box = box_under_tension({4, 3, 5}, Mesh::distorted);
  Options options;
  spoil(box, options);
  std::vector<double> displacement(std::size_t{3} * 60);
  try {
    (void)rooftop::elasticity::solve(box.body(), options, displacement);
  } catch (const rooftop::elasticity::InvalidInput& error) {
    for (const double value : displacement) EXPECT_EQ(value, 0);
    return error.what();
  }
  return "accepted";
}

TEST(BadInput, IsRefusedWithWhatIsWrong) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refusal([](Box& box, Options&) { box.nodes[1] = 1; }), "nodes has 1; expected 2 or more in each direction");
  EXPECT_EQ(refusal([](Box& box, Options&) { box.nodes[1] = std::int64_t{1} << 60; }),
            "nodes asks for more than 2^33 nodes; expected fewer");
  EXPECT_EQ(refusal([](Box& box, Options&) { box.load.pop_back(); }), "load has 179 values; expected 180");
  EXPECT_EQ(refusal([](Box& box, Options&) { box.held.pop_back(); }), "held has 179 values; expected 180");
  EXPECT_EQ(refusal([](Box& box, Options&) { box.coordinates.pop_back(); }),
            "coordinates has 179 values; expected 180");
  EXPECT_EQ(refusal([&](Box& box, Options&) { box.load[7] = nan; }), "load[7] is nan; expected a finite number");
  EXPECT_EQ(refusal([&](Box& box, Options&) { box.coordinates[8] = nan; }),
            "coordinates[8] is nan; expected a finite number");
  EXPECT_EQ(refusal([](Box& box, Options&) { box.young = {1, 2}; }), "young has 2 values; expected 24");
  EXPECT_EQ(refusal([](Box& box, Options&) { box.young = {0}; }),
            "young[0] is 0; expected a number above 0 and below inf");
  EXPECT_EQ(refusal([](Box& box, Options&) { box.poisson = {0.5}; }),
            "poisson[0] is 0.5; expected a number above -1 and below 0.5");
  EXPECT_EQ(refusal([](Box&, Options& options) { options.tolerance = 0; }),
            "tolerance is 0; expected a number above 0");
  EXPECT_EQ(refusal([](Box&, Options& options) { options.iterations = -1; }), "iterations is -1; expected 0 or more");
  EXPECT_EQ(refusal([&](Box&, Options& options) { options.seconds = nan; }),
            "seconds is nan; expected a number above 0");
  EXPECT_EQ(refusal([](Box&, Options& options) { options.threads = -2; }), "threads is -2; expected 0 to 4096");
  EXPECT_EQ(refusal([](Box&, Options& options) { options.threads = 100000; }), "threads is 100000; expected 0 to 4096");
}

TEST(BadInput, BodyThatMovesFreelyIsRefused) {
  EXPECT_EQ(refusal([](Box& box, Options&) { box.held.assign(box.held.size(), 0); }),
            "the body is free to move in 6 ways; expected displacements held against all six rigid motions");
  EXPECT_EQ(refusal([](Box& box, Options&) {
              for (std::size_t i = 0; i < box.held.size(); i += 3) box.held[i] = 0;  // along x
            }),
            "the body is free to move in 1 way; expected displacements held against all six rigid motions");
  EXPECT_EQ(refusal([](Box& box, Options&) {
              box.held.assign(box.held.size(), 0);
              box.held[0] = box.held[1] = box.held[2] = 1;  // one node: rotations are left
            }),
            "the body is free to move in 3 ways; expected displacements held against all six rigid motions");
}

// The last element's last corner lies beyond the one before it.
TEST(BadInput, InvertedElementIsNamed) {
  EXPECT_EQ(refusal([](Box& box, Options&) { box.coordinates[3 * box.node(3, 2, 4)] = 0.2; }),
            "element 23 is inverted or flat: expected a positive Jacobian determinant at its points of integration");
}

}  // namespace
