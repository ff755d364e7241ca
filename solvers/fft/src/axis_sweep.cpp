#include "axis_sweep.hpp"

#include <algorithm>
#include <cstddef>

namespace rooftop::fft::internal {
namespace {

/// Lines side by side that are brought together: those that share a cache line.
template <class Real>
constexpr Index widest = 64 / (2 * sizeof(Real));

constexpr int lists = 2;  ///< of a column's values, for each thread

template <class Real>
Index list_reals(Index n) {
  constexpr Index line = 64 / sizeof(Real), pointer_reals = (sizeof(Real*) + sizeof(Real) - 1) / sizeof(Real);
  return (n * pointer_reals + line - 1) / line * line;
}

template <class Real>
std::variant<Job<Real>, LongLine<Real>> plan_axis(const Axis& axis, bool alone, const Ways& ways, int threads) {
  if (is_long<Real>(axis.n, alone ? axis.lines() : most_lanes<Real>, axis.inner == 1))
    return LongLine<Real>(axis.n, ways, threads);
  if (axis.inner > 1) return make_columns_job<Real>({axis.inner, 1, axis.n}, ways);
  Ways along_x = ways;
  along_x.axes = 1;
  return make_job<Real>({axis.n, 1, axis.outer}, along_x);
}

}  // namespace

std::vector<Axis> transformed_axes(const Shape& shape, const Options& options) {
  std::vector<Axis> all;
  Index inner = 1;
  int axis = 0;
  for (const Index n : {shape.nx, shape.ny, shape.nz}) {
    const bool transformed = axis >= options.first_axis && axis - options.first_axis < options.axes;
    if (transformed && n > 1) all.push_back({inner, n, shape.size() / (inner * n)});
    ++axis;
    inner *= n;
  }
  return all;
}

template <class Real>
bool has_long_axis(const std::vector<Axis>& axes) {
  return std::any_of(axes.begin(), axes.end(), [&](const Axis& axis) {
    return is_long<Real>(axis.n, axes.size() == 1 ? axis.lines() : most_lanes<Real>, axis.inner == 1);
  });
}

template <class Real>
Index cuts_of(const std::vector<Axis>& axes) {
  for (const Axis& axis : axes) {
    const Index lines = axes.size() == 1 ? axis.lines() : most_lanes<Real>;
    if (is_long<Real>(axis.n, lines, axis.inner == 1) && rows_of_long_line<Real>(axis.n, lines) != 0) {
      return static_cast<Index>(cuts_of_long_line<Real>(axis.n).size());
    }
  }
  return 0;
}

template <class Real>
AxisSweep<Real>::AxisSweep(const Axis& axis, bool alone, const Ways& ways, int threads)
    : axis_(axis),
      threads_(threads),
      straight_(2 * axis.n * axis.inner * static_cast<Index>(sizeof(Real)) <= ways.straight_bytes),
      kernels_(&internal::kernels<Real>()),
      with_(plan_axis<Real>(axis, alone, ways, threads)) {}

template <class Real>
Index AxisSweep<Real>::scratch_reals() const {
  if (const auto* const line = std::get_if<LongLine<Real>>(&with_)) {
    const Index gathered = axis_.inner == 1 ? 0 : std::min(widest<Real>, axis_.inner) * 2 * axis_.n;
    return line->scratch_reals() + gathered;
  }
  return std::get<Job<Real>>(with_).team_reals(threads_) + threads_ * lists * list_reals<Real>(axis_.n);
}

template <class Real>
Operations AxisSweep<Real>::operations() const {
  const auto* const line = std::get_if<LongLine<Real>>(&with_);
  Operations one;
  if (line != nullptr) {
    one = line->operations();
  } else {
    const Job<Real>& job = std::get<Job<Real>>(with_);
    one = axis_.inner > 1 ? job.z.operations() : job.wide_x.n != 0 ? job.wide_x.operations() : job.x.operations();
  }
  const auto lines = static_cast<double>(axis_.lines());
  return {lines * one.lone, lines * one.fused};
}

template <class Real>
void AxisSweep<Real>::run(bool back, Real* from, Real* to, Real* memory, int thread, int team, TeamStop& stop) const {
  if (const auto* const line = std::get_if<LongLine<Real>>(&with_)) {
    return run_long(*line, back, from, to, memory, thread, team, stop);
  }
  const Job<Real>& job = std::get<Job<Real>>(with_);
  if (axis_.inner > 1) return run_columns(job, back, from, to, memory, thread, team, stop);
  job.kernels->planes(job, back, {0, axis_.outer, from, to, {}, {}, stop.limit()}, memory, thread, team);
}

template <class Real>
void AxisSweep<Real>::run_columns(const Job<Real>& job, bool back, Real* from, Real* to, Real* memory, int thread,
                                  int team, TeamStop& stop) const {
  if (straight_) {
    const Index block_reals = 2 * axis_.n * axis_.inner;
    for (Index block = 0; block < axis_.outer && (stop.limit() == nullptr || !stop.limit()->stopped()); ++block) {
      kernels_->straight_columns(job, back, from + block * block_reals, to + block * block_reals, 2 * axis_.inner,
                                 memory, thread, team);
    }
    return;
  }
  Real* const own = memory + job.team_reals(threads_) + thread * lists * list_reals<Real>(axis_.n);
  auto** const in = reinterpret_cast<Real**>(own);
  auto** const out = reinterpret_cast<Real**>(own + list_reals<Real>(axis_.n));
  // Whole vectors of columns, shared evenly: there may be fewer tiles than threads.
  const Index groups = (axis_.inner + most_lanes<Real> - 1) / most_lanes<Real>;
  const Index first = share(groups, thread, team) * most_lanes<Real>;
  const Index last = std::min(share(groups, thread + 1, team) * most_lanes<Real>, axis_.inner);
  if (first >= last) return;
  for (Index block = 0; block < axis_.outer; ++block) {
    const Index place = 2 * (block * axis_.n * axis_.inner + first);
    for (Index i = 0; i < axis_.n; ++i) {
      in[i] = from + place + 2 * axis_.inner * i;
      out[i] = to + place + 2 * axis_.inner * i;
    }
    ColumnRange<Real> range{0, last - first, in, {out, nullptr}};
    range.limit = stop.limit();
    kernels_->columns(job, back, range, memory + thread * job.thread_reals(), 0, 1);
  }
}

template <class Real>
void AxisSweep<Real>::run_long(const LongLine<Real>& line, bool back, Real* from, Real* to, Real* memory, int thread,
                               int team, TeamStop& stop) const {
  if (axis_.inner == 1) {
    for (Index i = 0; i < axis_.outer && !stop.stopped(thread); ++i) {
      line.run(back, from + 2 * axis_.n * i, to + 2 * axis_.n * i, memory, thread, team);
    }
    return;
  }
  Real* const gathered = memory + line.scratch_reals();
  const Index begin = share(axis_.n, thread, team), end = share(axis_.n, thread + 1, team);
  for (Index block = 0; block < axis_.outer; ++block) {
    for (Index first = 0; first < axis_.inner; first += widest<Real>) {
      if (stop.stopped(thread)) return;
      const Index count = std::min(widest<Real>, axis_.inner - first);
      const Index place = 2 * (block * axis_.n * axis_.inner + first);
      for (Index i = begin; i < end; ++i) {
        const Real* const at = from + place + 2 * axis_.inner * i;
        for (Index c = 0; c < count; ++c) {
          gathered[2 * (c * axis_.n + i)] = at[2 * c];
          gathered[2 * (c * axis_.n + i) + 1] = at[2 * c + 1];
        }
      }
#pragma omp barrier
      for (Index c = 0; c < count; ++c) {
        Real* const one = gathered + 2 * c * axis_.n;
        line.run(back, one, one, memory, thread, team);
      }
#pragma omp barrier
      for (Index i = begin; i < end; ++i) {
        Real* const at = to + place + 2 * axis_.inner * i;
        for (Index c = 0; c < count; ++c) {
          at[2 * c] = gathered[2 * (c * axis_.n + i)];
          at[2 * c + 1] = gathered[2 * (c * axis_.n + i) + 1];
        }
      }
    }
  }
}

template bool has_long_axis<double>(const std::vector<Axis>&);
template bool has_long_axis<float>(const std::vector<Axis>&);
template Index cuts_of<double>(const std::vector<Axis>&);
template Index cuts_of<float>(const std::vector<Axis>&);
template class AxisSweep<double>;
template class AxisSweep<float>;

}  // namespace rooftop::fft::internal
