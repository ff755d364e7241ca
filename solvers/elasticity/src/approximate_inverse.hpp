/// What makes conjugate gradients converge sooner: an approximate inverse of the matrix.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "geometry.hpp"
#include "grid.hpp"
#include "operators.hpp"

namespace rooftop::elasticity {

/// Three for each node: 1 where a displacement is free, 0 where it is held.
using Free = Field<float>;

/// The matrices of the finest level, and how often one application reads all of them.
struct Sweeps {
  double bytes = 0;
  int count = 0;
};

class ApproximateInverse {
 public:
  virtual ~ApproximateInverse() = default;
  /// z = M r, 0 where a displacement is held. `norm` is that of r.
  virtual void apply(const Field<double>& r, double norm, Field<double>& z) = 0;
  [[nodiscard]] virtual double bytes() const = 0;
  /// None where it is not known, or where nothing is stored.
  [[nodiscard]] virtual Sweeps sweeps() const { return {}; }
  /// Whether it is what a thin body or stretched elements need.
  [[nodiscard]] virtual bool stretched() const { return false; }
};

std::unique_ptr<ApproximateInverse> block_jacobi(const Operator<double>& matrix, const Free& free, int threads);

/// The box, of either kind, of which matrices are made.
struct AnyBox {
  const AlignedBox* aligned;  ///< or null
  const FreeBox* free;        ///< or null
};
/// Asked now and then, from any thread: whether to go on with making a preconditioner. Where not, it is of no use.
using GoOn = std::function<bool()>;

std::unique_ptr<ApproximateInverse> chebyshev(const AnyBox& box, const Operator<double>& matrix, const Free& free,
                                              int threads, const GoOn& go_on);
std::unique_ptr<ApproximateInverse> multigrid(const AnyBox& box, const Operator<double>& matrix, const Free& free,
                                              int threads, const GoOn& go_on);

}  // namespace rooftop::elasticity
