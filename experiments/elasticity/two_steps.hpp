/// Two steps of conjugate gradients from one set of sums: the numbers, whoever computes the sums.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "problem.hpp"

namespace elasticity {

/// Chronopoulos and Gear, s-step iterative methods for symmetric linear systems, J. Comput. Appl. Math. 25 (1989), with
/// s = 2: of the residual r there are w = A r and v = A w. New directions are r and w, made conjugate to the two
/// before; the displacement moves to the minimum in both at once. The residual between the two steps is not computed,
/// but its norm is: the first direction is the one that conjugate gradients take.
class TwoSteps {
 public:
  /// Sums over all values; q1 and q2 are A times the last two directions, p1 and p2.
  enum Sum : std::size_t { rr, rw, ww, wv, rp1, rp2, rq1, rq2, wq1, wq2, q1q1, q1q2, q2q2, sums };
  using Sums = std::array<double, sums>;

  struct Vectors {
    const double *r, *w, *v, *p1, *p2, *q1, *q2;
  };
  static constexpr Index run = 192;  ///< values

  /// Adds what values from `begin` to before `end` have to the sums. Sums of runs are summed up: of all values one by
  /// one, they err by so much that the steps of a small mesh fail the verifier.
  static void add(const Vectors& x, Index begin, Index end, Sums& all) {
    for (Index first = begin; first < end; first += run) {
      Sums sum{};
      for (Index i = first; i < std::min(first + run, end); ++i) {
        const double r = x.r[i], w = x.w[i], q1 = x.q1[i], q2 = x.q2[i];
        sum[rr] += r * r, sum[rw] += r * w, sum[ww] += w * w, sum[wv] += w * x.v[i];
        sum[rp1] += r * x.p1[i], sum[rp2] += r * x.p2[i];
        sum[rq1] += r * q1, sum[rq2] += r * q2, sum[wq1] += w * q1, sum[wq2] += w * q2;
        sum[q1q1] += q1 * q1, sum[q1q2] += q1 * q2, sum[q2q2] += q2 * q2;
      }
      for (std::size_t which = 0; which < sums; ++which) all[which] += sum[which];
    }
  }

  /// What the next two directions have of the last two: p1' = r + of_first[0] p1 + of_first[1] p2, p2' = w + ...
  std::array<double, 2> of_first{}, of_second{};
  std::array<double, 2> along{};  ///< how far the displacement goes along both
  double along_first = 0;         ///< how far along the first one, if that is the last step
  double between = 0;             ///< square of the residual's norm after the first step

  /// From the sums of this residual; the first time directions are 0.
  void advance(const Sums& s) {
    std::array<double, 2> right{s[rr], s[rw]};
    double a = s[rw], b = s[ww], c = s[wv];  // of both directions: p1.q1, p1.q2, p2.q2
    of_first = of_second = {};
    if (begun_) {
      of_first = solve({-s[rq1], -s[rq2]});
      of_second = solve({-s[wq1], -s[wq2]});
      a += s[rq1] * of_first[0] + s[rq2] * of_first[1];
      b += s[rq1] * of_second[0] + s[rq2] * of_second[1];
      c += s[wq1] * of_second[0] + s[wq2] * of_second[1];
      // r.p1 and r.p2 are zero but for rounding, which would grow from step to step.
      right[0] += of_first[0] * s[rp1] + of_first[1] * s[rp2];
      right[1] += of_second[0] * s[rp1] + of_second[1] * s[rp2];
    }
    begun_ = true;
    a_ = a, b_ = b, c_ = c;
    along = solve(right);
    along_first = right[0] / a;
    const double squares =  // of A times the first direction
        s[ww] + 2 * (of_first[0] * s[wq1] + of_first[1] * s[wq2]) + of_first[0] * of_first[0] * s[q1q1] +
        2 * of_first[0] * of_first[1] * s[q1q2] + of_first[1] * of_first[1] * s[q2q2];
    between = s[rr] - 2 * along_first * a + along_first * along_first * squares;
  }

 private:
  /// Of the symmetric system of the last two directions.
  [[nodiscard]] std::array<double, 2> solve(const std::array<double, 2>& right) const {
    const double factor = b_ / a_;
    const double second = (right[1] - factor * right[0]) / (c_ - factor * b_);
    return {(right[0] - b_ * second) / a_, second};
  }

  bool begun_ = false;
  double a_ = 0, b_ = 0, c_ = 0;
};

}  // namespace elasticity
