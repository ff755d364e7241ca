// Numbers near the ends of what double precision holds.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "box_under_tension.hpp"
#include "rooftop/elasticity.hpp"

namespace {

using elasticity_test::Box;
using elasticity_test::box_under_tension;
using rooftop::elasticity::InvalidInput;
using rooftop::elasticity::Options;
using rooftop::elasticity::Outcome;
using rooftop::elasticity::Preconditioner;
using rooftop::elasticity::Result;
using rooftop::elasticity::solve;

TEST(Extremes, LoadsAreScaled) {
  for (const double times : {1e300, 1e200, 1e-200, 1e-280}) {
    for (const auto preconditioner : {Preconditioner::none, Preconditioner::block_jacobi, Preconditioner::multigrid}) {
      Box box = box_under_tension({3, 4, 5}, elasticity_test::Mesh::graded), plain = box;
      for (double& value : box.load) value *= times;
      Options options;
      options.threads = 1;
      options.preconditioner = preconditioner;
      std::vector<double> displacement(box.load.size()), expected(box.load.size());
      const Result found = solve(box.body(), options, displacement);
      (void)solve(plain.body(), options, expected);
      EXPECT_EQ(found.outcome, Outcome::converged) << times;
      EXPECT_LE(found.residual, options.tolerance) << times;
      double largest = 0;
      for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_NEAR(displacement[i] / times, expected[i], 1e-6) << times;
        largest = std::max(largest, std::abs(displacement[i]));
      }
      EXPECT_GT(largest, 0);
    }
  }
}

TEST(Extremes, DisplacementsThatAreNoNumbersAreRefused) {
  for (const double young : {1e-300, 1e300}) {
    Box box = box_under_tension({3, 4, 5}, elasticity_test::Mesh::graded);
    box.young = {young};
    for (double& value : box.load) value *= young < 1 ? 1e100 : 1e-100;
    std::vector<double> displacement(box.load.size());
    EXPECT_THROW((void)solve(box.body(), {}, displacement), InvalidInput) << young;
  }
}

TEST(Extremes, StiffnessAndLengthAreScaled) {
  for (const double times : {1e-250, 1e250}) {
    Box box = box_under_tension({3, 4, 5}, elasticity_test::Mesh::graded);
    for (double& value : box.coordinates) value *= times;
    box.young = {1 / times};
    std::vector<double> displacement(box.load.size());
    const Result found = solve(box.body(), {}, displacement);
    EXPECT_EQ(found.outcome, Outcome::converged);
    EXPECT_LE(found.residual, 1e-8);
  }
}

}  // namespace
