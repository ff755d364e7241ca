// Time, flags and watchers end the iteration, with the displacement as far as it is known.
#include <gtest/gtest.h>

#include <cmath>

#include "box_under_tension.hpp"

namespace {

using elasticity_test::Box;
using elasticity_test::box_under_tension;
using elasticity_test::Mesh;
using elasticity_test::Options;
using elasticity_test::Preconditioner;
using elasticity_test::Result;
using rooftop::elasticity::Outcome;

Result run(const Box& box, const Options& options) {
  std::vector<double> displacement(3 * box.count());
  Result result = rooftop::elasticity::solve(box.body(), options, displacement);
  for (const double value : displacement) EXPECT_TRUE(std::isfinite(value));
  return result;
}

TEST(Limit, OfNoTimeReturnsTheFirstGuess) {
  for (const Mesh mesh : {Mesh::cubes, Mesh::distorted}) {
    Options options;
    options.seconds = 1e-9;
    const Result result = run(box_under_tension({20, 20, 20}, mesh), options);
    EXPECT_EQ(result.outcome, Outcome::time_limit);
    EXPECT_EQ(result.iterations, 0);
  }
}

TEST(Limit, OfIterationsIsTold) {
  Options options;
  options.iterations = 2;
  const Result result = run(box_under_tension({9, 9, 9}, Mesh::cubes), options);
  EXPECT_EQ(result.outcome, Outcome::iteration_limit);
  EXPECT_EQ(result.iterations, 2);
  EXPECT_EQ(result.residuals.size(), 3U);
}

TEST(Limit, OfAFlagEndsTheIteration) {
  Options options;
  const std::int32_t stop = 1;
  options.stop = &stop;
  const Result result = run(box_under_tension({9, 9, 9}, Mesh::distorted), options);
  EXPECT_EQ(result.outcome, Outcome::stopped);
}

TEST(Limit, OfAWatcherEndsTheIteration) {
  Options options;
  options.preconditioner = Preconditioner::none;
  options.tolerance = 1e-300;
  options.iterations = 1'000'000'000;
  int calls = 0;
  options.watch = [&calls](const rooftop::elasticity::Progress& now) {
    EXPECT_GE(now.seconds, 0);
    return ++calls < 2;
  };
  const Result result = run(box_under_tension({30, 30, 30}, Mesh::cubes), options);
  // A small case may come to a standstill before it is watched twice.
  EXPECT_TRUE(result.outcome == Outcome::stopped || result.outcome == Outcome::stagnated);
}

}  // namespace
