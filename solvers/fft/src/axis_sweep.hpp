/// One axis of an array after the other: for arrays of which one is too long for the sweeps of sweeps-inl.hpp, whose
/// buffers hold a vector's worth of lines.
#pragma once

#include <variant>
#include <vector>

#include "job.hpp"
#include "kernels.hpp"
#include "long_line.hpp"
#include "team_stop.hpp"

namespace rooftop::fft::internal {

/// An axis of n values that lie `inner` values apart, in each of `outer` blocks of n inner values.
struct Axis {
  Index inner, n, outer;

  [[nodiscard]] Index lines() const { return inner * outer; }
  [[nodiscard]] Index size() const { return inner * n * outer; }
};

/// The axes that are transformed and longer than 1, along x first.
[[nodiscard]] std::vector<Axis> transformed_axes(const Shape& shape, const Options& options);

/// Whether an axis is too long for sweeps over all axes, or is the only one and its lines are taken one by one.
template <class Real>
[[nodiscard]] bool has_long_axis(const std::vector<Axis>& axes);

/// Into how many different numbers of rows the first of these that is cut could be cut; 0 where none is.
template <class Real>
[[nodiscard]] Index cuts_of(const std::vector<Axis>& axes);

/// A transform along one axis by a team of threads.
template <class Real>
class AxisSweep {
 public:
  AxisSweep(const Axis& axis, bool alone, const Ways& ways, int threads);

  [[nodiscard]] Index scratch_reals() const;
  [[nodiscard]] Operations operations() const;
  /// Called by each thread of a team, with the same arrays, the same or apart. Whoever reads the result waits for all.
  /// Once `stop` is stopped, the rest is left out.
  void run(bool back, Real* from, Real* to, Real* memory, int thread, int team, TeamStop& stop) const;

 private:
  void run_columns(const Job<Real>& job, bool back, Real* from, Real* to, Real* memory, int thread, int team,
                   TeamStop& stop) const;
  void run_long(const LongLine<Real>& line, bool back, Real* from, Real* to, Real* memory, int thread, int team,
                TeamStop& stop) const;

  Axis axis_;
  int threads_;
  bool straight_;  ///< columns are read and written where they lie
  const Kernels<Real>* kernels_;
  std::variant<Job<Real>, LongLine<Real>> with_;
};

}  // namespace rooftop::fft::internal
