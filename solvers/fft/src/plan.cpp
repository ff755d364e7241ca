#include <omp.h>

#include <algorithm>
#include <complex>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arguments.hpp"
#include "axis_sweep.hpp"
#include "kernels.hpp"
#include "measured_ways.hpp"
#include "rooftop/fft.hpp"
#include "team.hpp"

namespace rooftop::fft {

using internal::Index;
using internal::share;

namespace {

/// The grid as it is swept. Of a single plane several threads take columns in tiles, as of a grid along z; one thread
/// alone is as fast in place. Lines that are transformed by themselves fill vectors whatever plane they are of.
Shape arranged(const Shape& shape, int axes, int threads) {
  if (axes == 1) return {shape.nx, 1, shape.ny * shape.nz};
  if (shape.nz == 1 && threads > 1) return {shape.nx, 1, shape.ny};
  return shape;
}

template <class Real>
internal::Operations swept_operations(const internal::Job<Real>& job) {
  internal::Operations sum;
  const auto size = static_cast<double>(job.plane() * job.nz);
  const auto add = [&](const auto& line) {
    const internal::Operations one = line.operations();
    const double lines = size / static_cast<double>(line.n);
    sum.lone += lines * one.lone;
    sum.fused += lines * one.fused;
  };
  if (job.wide_x.n != 0) {
    add(job.wide_x);
  } else {
    add(job.x);
  }
  add(job.y);
  add(job.z);
  return sum;
}

/// The scales are those of the first axis, where it is x; others leave results as they are.
template <class Real>
std::vector<internal::AxisSweep<Real>> sweeps_of(const std::vector<internal::Axis>& axes, internal::Ways ways,
                                                 int threads) {
  std::vector<internal::AxisSweep<Real>> sweeps;
  const bool apart = ways.first_axis > 0 || (ways.by_axes && axes.size() > 1);
  if (!apart && !internal::has_long_axis<Real>(axes)) return sweeps;
  if (ways.first_axis > 0) ways = internal::unscaled(ways);
  for (const internal::Axis& axis : axes) {
    sweeps.emplace_back(axis, axes.size() == 1, ways, threads);
    ways = internal::unscaled(ways);
  }
  return sweeps;
}

}  // namespace

template <class Real>
struct BasicPlan<Real>::Impl {
  Shape shape;
  Options options;
  int threads;
  internal::Job<Real> job;                         ///< of all axes …
  std::vector<internal::AxisSweep<Real>> by_axes;  ///< … or one after the other, where one is long

  static std::unique_ptr<Impl> make(const Shape& shape, int threads, const internal::Ways& ways);
  [[nodiscard]] std::size_t scratch_bytes() const;
  [[nodiscard]] internal::Operations operations() const;
  /// Where the planes of an array begin. Three such lists are kept behind the rest of the scratch.
  Real** list_planes(Real* array, Real* memory, int list) const;
  /// All columns along z.
  [[nodiscard]] internal::ColumnRange<Real> columns(Real* from, Real* to, Real* memory, const Factors* factors) const;
  /// Planes of a range, and columns from where they went to `to`. Like the others, it stops where the limit does.
  void forward(const internal::PlaneRange<Real>& range, Real* to, Real* memory) const;
  void backward(Real* from, Real* to, Real* memory, const Factors* factors, running::Limit* limit) const;
  void run_by_axes(bool back, Real* from, Real* to, Real* memory, const Factors* factors, running::Limit* limit) const;
};

template <class Real>
std::unique_ptr<typename BasicPlan<Real>::Impl> BasicPlan<Real>::Impl::make(const Shape& shape, int threads,
                                                                            const internal::Ways& ways) {
  const Options& options = ways;
  internal::Ways swept = ways;
  auto by_axes = sweeps_of<Real>(internal::transformed_axes(shape, options), ways, threads);
  Shape grid{};
  if (by_axes.empty() && options.first_axis > 0) {  // no lines but of one value each
    grid.nz = shape.size();
    swept.axes = 1;
  } else if (by_axes.empty()) {
    grid = arranged(shape, options.axes, threads);
    if (shape.nz == 1 && options.axes == 2) swept.axes = 3;  // y may be swept as z
  }
  return std::make_unique<Impl>(
      Impl{shape, options, threads, internal::make_job<Real>(grid, swept), std::move(by_axes)});
}

template <class Real>
BasicPlan<Real>::BasicPlan(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

template <class Real>
BasicPlan<Real>::BasicPlan(const Shape& shape, const Options& options) {
  const Options checked = internal::checked_options<Real>(options);
  internal::checked_shape(shape, options);
  const internal::Measured by_size{internal::team_size(options.threads, shape), checked};
  if (!options.measure || shape.size() == 1) {
    impl_ = Impl::make(shape, by_size.threads, by_size.ways);
    return;
  }
  using Value = std::complex<Real>;
  const std::size_t bytes = static_cast<std::size_t>(shape.size()) * sizeof(Value);
  const std::shared_ptr<void> in = internal::trial_memory(bytes), out = internal::trial_memory(bytes);
  const std::vector<internal::Axis> axes = internal::transformed_axes(shape, options);
  const auto measured = [&](Direction direction) {
    const auto plan = [&](int threads, const internal::Ways& ways) {
      const std::shared_ptr<const BasicPlan> planned(new BasicPlan(Impl::make(shape, threads, ways)));
      return internal::trial_of(planned, [&in, &out, direction](const BasicPlan& one, void* scratch) {
        one.run(direction, static_cast<const Value*>(in.get()), static_cast<Value*>(out.get()), scratch);
      });
    };
    const internal::Measured found =
        internal::measured_ways({static_cast<Index>(bytes), static_cast<int>(axes.size()),
                                 internal::most_threads(options.threads), internal::cuts_of<Real>(axes), plan},
                                by_size);
    return Impl::make(shape, found.threads, found.ways);
  };
  impl_ = measured(Direction::forward);
  backward_ = measured(Direction::backward);
}

template <class Real>
const typename BasicPlan<Real>::Impl& BasicPlan<Real>::of(Direction direction) const {
  return direction == Direction::backward && backward_ ? *backward_ : *impl_;
}

template <class Real>
BasicPlan<Real>::BasicPlan(BasicPlan&&) noexcept = default;
template <class Real>
BasicPlan<Real>& BasicPlan<Real>::operator=(BasicPlan&&) noexcept = default;
template <class Real>
BasicPlan<Real>::~BasicPlan() = default;

template <class Real>
const Shape& BasicPlan<Real>::shape() const {
  return impl_->shape;
}

template <class Real>
const char* BasicPlan<Real>::instruction_set() const {
  return impl_->job.kernels->target;
}

template <class Real>
std::size_t BasicPlan<Real>::scratch_bytes() const {
  return std::max(impl_->scratch_bytes(), of(Direction::backward).scratch_bytes());
}

template <class Real>
double BasicPlan<Real>::multiply_add_flops() const {
  return impl_->operations().fused;
}

template <class Real>
double BasicPlan<Real>::lone_flops() const {
  return impl_->operations().lone;
}

template <class Real>
std::size_t BasicPlan<Real>::Impl::scratch_bytes() const {
  Index reals = job.team_reals(threads);
  for (const auto& sweep : by_axes) reals = std::max(reals, sweep.scratch_reals());
  return sizeof(Real) * static_cast<std::size_t>(reals) + 3 * sizeof(Real*) * static_cast<std::size_t>(job.z.n);
}

template <class Real>
internal::Operations BasicPlan<Real>::Impl::operations() const {
  if (by_axes.empty()) return swept_operations(job);
  internal::Operations all;
  for (const auto& sweep : by_axes) {
    const internal::Operations one = sweep.operations();
    all.lone += one.lone;
    all.fused += one.fused;
  }
  return all;
}

template <class Real>
Real** BasicPlan<Real>::Impl::list_planes(Real* array, Real* memory, int list) const {
  auto** const planes = reinterpret_cast<Real**>(memory + job.team_reals(threads)) + list * job.z.n;
  for (Index z = 0; z < job.z.n; ++z) planes[z] = array + 2 * job.plane() * z;
  return planes;
}

template <class Real>
internal::ColumnRange<Real> BasicPlan<Real>::Impl::columns(Real* from, Real* to, Real* memory,
                                                           const Factors* factors) const {
  return {0, job.plane(), list_planes(from, memory, 0), {list_planes(to, memory, 1), factors}};
}

template <class Real>
void BasicPlan<Real>::Impl::forward(const internal::PlaneRange<Real>& range, Real* to, Real* memory) const {
  internal::ColumnRange<Real> range_along_z = columns(range.to, to, memory, nullptr);
  range_along_z.limit = range.limit;
  internal::in_team(threads, [&](int thread, int team) {
    job.kernels->planes(job, false, range, memory, thread, team);
    if (job.z.n > 1) {
#pragma omp barrier
      job.kernels->columns(job, false, range_along_z, memory, thread, team);
    }
  });
}

template <class Real>
void BasicPlan<Real>::Impl::backward(Real* from, Real* to, Real* memory, const Factors* factors,
                                     running::Limit* limit) const {
  const bool with_columns = job.z.n > 1 || factors != nullptr;
  internal::ColumnRange<Real> range = columns(from, to, memory, factors);
  range.limit = limit;
  internal::in_team(threads, [&](int thread, int team) {
    if (with_columns) {
      job.kernels->columns(job, true, range, memory, thread, team);
#pragma omp barrier
    }
    job.kernels->planes(job, true, {0, job.nz, with_columns ? to : from, to, {}, {}, limit}, memory, thread, team);
  });
}

template <class Real>
void BasicPlan<Real>::Impl::run_by_axes(bool back, Real* from, Real* to, Real* memory, const Factors* factors,
                                        running::Limit* limit) const {
  internal::TeamStop stop(limit);
  internal::in_team(threads, [&](int thread, int team) {
    Real* in = from;
    if (factors != nullptr) {
      const Index size = shape.size();
      for (Index i = share(size, thread, team); i < share(size, thread + 1, team); ++i) {
        const Index x = i % shape.nx, y = i / shape.nx % shape.ny, z = i / shape.nx / shape.ny;
        const auto factor = static_cast<Real>(factors->x[x] * factors->y[y] * factors->z[z]);
        to[2 * i] = in[2 * i] * factor;
        to[2 * i + 1] = in[2 * i + 1] * factor;
      }
      in = to;
#pragma omp barrier
    }
    for (const auto& sweep : by_axes) {
      sweep.run(back, in, to, memory, thread, team, stop);
      in = to;
#pragma omp barrier
    }
    if (options.first_axis == 0) return;
    const auto scale = static_cast<Real>(back ? options.backward_scale : options.forward_scale);
    if (scale == 1) return;
    const Index reals = 2 * shape.size();
    for (Index i = share(reals, thread, team); i < share(reals, thread + 1, team); ++i) to[i] *= scale;
  });
}

template <class Real>
void BasicPlan<Real>::run_from(const Source& source, std::complex<Real>* space, std::complex<Real>* out,
                               void* scratch) const {
  if (!source) throw InvalidArgument("source is an empty function");
  internal::check_pointers(space, out, scratch);
  const internal::Job<Real>& job = impl_->job;
  if (impl_->shape.nz == 1 || !impl_->by_axes.empty() || job.ny == 1 || job.z.n == 1) {
    const Index plane = impl_->shape.nx * impl_->shape.ny;
#pragma omp parallel for num_threads(impl_->threads) schedule(static)
    for (Index z = 0; z < impl_->shape.nz; ++z) source(z, space + plane * z);
    return run(Direction::forward, space, out, scratch);
  }
  auto* const planes = reinterpret_cast<Real*>(space);
  const auto call = [](const void* with, Index z, Real* plane) {
    (*static_cast<const Source*>(with))(z, reinterpret_cast<std::complex<Real>*>(plane));
  };
  impl_->forward({0, job.nz, planes, planes, {}, {call, &source}}, reinterpret_cast<Real*>(out),
                 static_cast<Real*>(scratch));
}

template <class Real>
void BasicPlan<Real>::run_two(const std::complex<Real>* in, const Filtered<Real>& first, const Filtered<Real>& second,
                              void* scratch) const {
  internal::check_pointers(in, first.out, scratch);
  internal::check_pointers(in, second.out, scratch);
  if (in == first.out || in == second.out || first.out == second.out) {
    throw InvalidArgument("in and both results share an array, expected three apart");
  }
  const Impl& impl = of(Direction::backward);
  const internal::Job<Real>& job = impl.job;
  if (impl.options.axes != 3 || impl.shape.nz == 1 || !impl.by_axes.empty() || !job.stream) {
    run(Direction::backward, in, first.out, scratch, &first.factors);
    return run(Direction::backward, in, second.out, scratch, &second.factors);
  }
  auto* const from = const_cast<Real*>(reinterpret_cast<const Real*>(in));
  auto* const memory = static_cast<Real*>(scratch);
  Real* const to[] = {reinterpret_cast<Real*>(first.out), reinterpret_cast<Real*>(second.out)};
  internal::ColumnRange<Real> columns = impl.columns(from, to[0], memory, &first.factors);
  columns.second = {impl.list_planes(to[1], memory, 2), &second.factors};
#pragma omp parallel num_threads(impl.threads)
  {
    const int thread = omp_get_thread_num(), threads = omp_get_num_threads();
    job.kernels->columns(job, true, columns, memory, thread, threads);
#pragma omp barrier
    for (Real* const planes : to) job.kernels->planes(job, true, {0, job.nz, planes, planes}, memory, thread, threads);
  }
}

template <class Real>
void BasicPlan<Real>::run(Direction direction, const std::complex<Real>* in, std::complex<Real>* out, void* scratch,
                          const Factors* factors, const std::int32_t* stop) const {
  internal::check_pointers(in, out, scratch);
  const Impl& impl = of(direction);
  const bool back = direction == Direction::backward;
  if (factors != nullptr && !back) throw InvalidArgument("a forward transform has factors, expected none");
  if (const Options& options = impl.options; factors != nullptr && (options.axes != 3 || options.first_axis != 0)) {
    const int axes = std::min(options.axes, 3 - options.first_axis);
    throw InvalidArgument("a transform of " + std::to_string(axes) + " axes has factors, expected none");
  }
  // What is read through it is not written, unless it is also `out`.
  auto* const from = const_cast<Real*>(reinterpret_cast<const Real*>(in));
  auto* const to = reinterpret_cast<Real*>(out);
  auto* const memory = static_cast<Real*>(scratch);
  const internal::Job<Real>& job = impl.job;
  if (job.is_lone_line() && factors == nullptr && stop == nullptr) {
    return job.kernels->lone_line(job, back, from, to, memory);
  }
  std::optional<running::Limit> own;  // which looks at the clock
  if (stop != nullptr) own.emplace(running::Limit::no_limit, stop);
  running::Limit* const limit = own ? &*own : nullptr;
  Factors swapped{};
  if (factors != nullptr && impl.by_axes.empty() && impl.shape.nz == 1 && impl.job.ny == 1) {
    swapped = {factors->x, factors->z, factors->y};
    factors = &swapped;
  }
  if (!impl.by_axes.empty()) {
    impl.run_by_axes(back, from, to, memory, factors, limit);
  } else if (back) {
    impl.backward(from, to, memory, factors, limit);
  } else {
    impl.forward({0, impl.job.nz, from, to, {}, {}, limit}, to, memory);
  }
  if (own && own->stopped()) throw Stopped("the transform was stopped before its result was whole");
}

template class BasicPlan<double>;
template class BasicPlan<float>;

}  // namespace rooftop::fft
