#include <cmath>
#include <cstddef>

#include "approximate_inverse.hpp"

namespace rooftop::elasticity {
namespace {

using Symmetric = std::array<double, diagonal_values>;  // 00, 01, 02, 11, 12, 22

/// Of a positive definite block, by its cofactors.
Symmetric inverse(const Symmetric& a) {
  const double c00 = a[3] * a[5] - a[4] * a[4], c01 = a[2] * a[4] - a[1] * a[5], c02 = a[1] * a[4] - a[2] * a[3];
  const double determinant = a[0] * c00 + a[1] * c01 + a[2] * c02;
  return {c00 / determinant,
          c01 / determinant,
          c02 / determinant,
          (a[0] * a[5] - a[2] * a[2]) / determinant,
          (a[1] * a[2] - a[0] * a[4]) / determinant,
          (a[0] * a[3] - a[1] * a[1]) / determinant};
}

class BlockJacobi : public ApproximateInverse {
 public:
  BlockJacobi(const Operator<double>& matrix, const Free& free, int threads)
      : nodes_(matrix.grid().nodes()), threads_(threads), inverses_(diagonal_values * nodes_) {
#pragma omp parallel for num_threads(threads) schedule(static)
    for (std::int64_t node = 0; node < nodes_; ++node) {
      Symmetric block = matrix.diagonal(node);
      // A component that is held has no part in the others, and its own result is zero.
      const std::array<std::array<std::size_t, components>, components> at{{{0, 1, 2}, {1, 3, 4}, {2, 4, 5}}};
      std::array<bool, components> held;
      for (std::size_t c = 0; c < held.size(); ++c) {
        held[c] = !(free[static_cast<int>(c)][node] > 0);
        for (std::size_t d = 0; held[c] && d < held.size(); ++d) block[at[c][d]] = c == d ? 1 : 0;
      }
      block = inverse(block);
      for (std::size_t c = 0; c < held.size(); ++c) {
        if (held[c]) block[at[c][c]] = 0;
      }
      for (std::size_t v = 0; v < block.size(); ++v) {
        inverses_.data()[static_cast<std::int64_t>(v) * nodes_ + node] = block[v];
      }
    }
  }

  void apply(const Field<double>& r, double /*norm*/, Field<double>& z) override {
    const double *m00 = inverses_.data(), *m01 = m00 + nodes_, *m02 = m01 + nodes_, *m11 = m02 + nodes_,
                 *m12 = m11 + nodes_, *m22 = m12 + nodes_;
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (std::int64_t n = 0; n < nodes_; ++n) {
      const double r0 = r[0][n], r1 = r[1][n], r2 = r[2][n];
      z[0][n] = m00[n] * r0 + m01[n] * r1 + m02[n] * r2;
      z[1][n] = m01[n] * r0 + m11[n] * r1 + m12[n] * r2;
      z[2][n] = m02[n] * r0 + m12[n] * r1 + m22[n] * r2;
    }
  }
  [[nodiscard]] double bytes() const override { return inverses_.bytes(); }

 private:
  std::int64_t nodes_;
  int threads_;
  Array<double> inverses_;
};

}  // namespace

std::unique_ptr<ApproximateInverse> block_jacobi(const Operator<double>& matrix, const Free& free, int threads) {
  return std::make_unique<BlockJacobi>(matrix, free, threads);
}

}  // namespace rooftop::elasticity
