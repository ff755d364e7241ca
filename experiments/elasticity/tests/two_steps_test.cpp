// threads: none
#include "two_steps.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace {

using elasticity::Index;
using elasticity::TwoSteps;
using Values = std::vector<double>;

/// A diagonal matrix: its values are its eigenvalues.
Values eigenvalues() { return {0.5, 0.7, 1.1, 1.6, 2, 3, 4.5, 5, 7, 9}; }
Values times(const Values& a, const Values& x) {
  Values y(x);
  for (std::size_t i = 0; i < y.size(); ++i) y[i] *= a[i];
  return y;
}
double dot(const Values& a, const Values& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}
void add(double factor, const Values& x, Values& y) {
  for (std::size_t i = 0; i < y.size(); ++i) y[i] += factor * x[i];
}

/// Squares of the residual's norm, before the first step and after each.
Values squares_of_single_steps(const Values& load, int steps, Values& displacement) {
  Values r = load, d = load, squares{dot(r, r)};
  displacement.assign(load.size(), 0);
  for (int step = 0; step < steps; ++step) {
    const Values q = times(eigenvalues(), d);
    const double alpha = squares.back() / dot(d, q);
    add(alpha, d, displacement);
    add(-alpha, q, r);
    squares.push_back(dot(r, r));
    const double beta = squares.back() / squares[squares.size() - 2];
    for (std::size_t i = 0; i < d.size(); ++i) d[i] = r[i] + beta * d[i];
  }
  return squares;
}

TEST(TwoSteps, AreTwoOfConjugateGradients) {
  const Values a = eigenvalues(), load{1, -2, 3, 1, 2, -1, 1, 4, 1, 2}, none(load.size(), 0);
  Values r = load, x = none, p1 = none, p2 = none, q1 = none, q2 = none;
  TwoSteps steps;
  for (int step = 0; step < 6; step += 2) {
    const Values w = times(a, r), v = times(a, w);
    TwoSteps::Sums sums{};
    TwoSteps::add({r.data(), w.data(), v.data(), p1.data(), p2.data(), q1.data(), q2.data()}, 0,
                  static_cast<Index>(r.size()), sums);
    steps.advance(sums);
    Values expected;
    const Values single = squares_of_single_steps(load, step + 1, expected);
    EXPECT_NEAR(sums[TwoSteps::rr], single[single.size() - 2], 1e-11) << step;
    EXPECT_NEAR(steps.between, single.back(), 1e-11) << step;
    Values first = r, second = w, of_first = w, of_second = v;
    add(steps.of_first[0], p1, first), add(steps.of_first[1], p2, first);
    add(steps.of_first[0], q1, of_first), add(steps.of_first[1], q2, of_first);
    add(steps.of_second[0], p1, second), add(steps.of_second[1], p2, second);
    add(steps.of_second[0], q1, of_second), add(steps.of_second[1], q2, of_second);
    Values one = x;
    add(steps.along_first, first, one);
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(one[i], expected[i], 1e-11) << step << ", " << i;
    add(steps.along[0], first, x), add(steps.along[1], second, x);
    add(-steps.along[0], of_first, r), add(-steps.along[1], of_second, r);
    squares_of_single_steps(load, step + 2, expected);
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], expected[i], 1e-11) << step << ", " << i;
    p1 = first, p2 = second, q1 = of_first, q2 = of_second;
  }
}

TEST(TwoSteps, SumsAreOfAllRuns) {
  const Values ones(static_cast<std::size_t>(2 * TwoSteps::run + 5), 1);
  const double* const one = ones.data();
  TwoSteps::Sums sums{};
  TwoSteps::add({one, one, one, one, one, one, one}, 3, static_cast<Index>(ones.size()), sums);
  for (const double sum : sums) EXPECT_EQ(sum, 2 * TwoSteps::run + 2);
}

}  // namespace
