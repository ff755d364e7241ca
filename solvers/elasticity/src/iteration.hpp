/// Conjugate gradients in double precision.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <span>

#include "approximate_inverse.hpp"
#include "grid.hpp"
#include "limit.hpp"
#include "operators.hpp"
#include "rooftop/elasticity.hpp"

namespace rooftop::elasticity {

/// What is iterated with. Without an inverse there is no preconditioner.
struct Matrices {
  std::unique_ptr<Operator<double>> exact, rough;  ///< `rough` is null, or stands for `exact` in products
  std::unique_ptr<ApproximateInverse> inverse;
};

class Iteration {
 public:
  /// `grid`: as many nodes as the matrix has; a mesh's are a line along z, whose margins are short.
  Iteration(const Grid& grid, std::span<const double> load, std::span<const std::uint8_t> held, const Options& options,
            std::span<double> displacement, int threads, running::Limit& limit);

  [[nodiscard]] const Free& free() const { return free_; }
  /// Where the time was over before, `matrices` need not be complete.
  Result run(Matrices matrices);

 private:
  template <class Each>
  void for_nodes(Each each) const;
  template <class Each>
  [[nodiscard]] double sum_nodes(Each each) const;
  void take();
  void give() const;
  double residual(const Field<double>& x);
  double reference();
  double rounding();
  double precondition(double norm);
  bool replace_inverse();
  bool wanted(double norm);
  bool left();
  void iterate();
  bool descend(double norm, double enough);

  Grid grid_;
  std::span<const double> load_;
  std::span<const std::uint8_t> held_;
  const Options& options_;
  std::span<double> displacement_;
  int threads_;
  running::Limit& limit_;
  Free free_;
  Field<double> u_, r_, z_, p_, q_;
  Matrices matrices_;
  Result result_{Outcome::iteration_limit, 0, HUGE_VAL, 0, 0, {}, 0, 0, false, false};
  double reference_ = 0, told_ = 0;
  int ended_ = 0;  // of all processes: 0 if none, 1 if the time of one is over, 2 if one was stopped
};

}  // namespace rooftop::elasticity
