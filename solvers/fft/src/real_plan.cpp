#include <algorithm>
#include <complex>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arguments.hpp"
#include "axis_sweep.hpp"
#include "kernels.hpp"
#include "measured_ways.hpp"
#include "real_planes.hpp"
#include "rooftop/fft.hpp"
#include "team.hpp"

namespace rooftop::fft {

using internal::AxisSweep;
using internal::Index;
using internal::RealPlanes;
using internal::RealRows;
using internal::share;
using internal::TeamStop;

namespace {

template <class Real>
Index whole_cache_lines(Index reals) {
  constexpr Index line = 64 / sizeof(Real);
  return (reals + line - 1) / line * line;
}

/// Whether each thread takes planes of its own along x and y, one by one in its cache.
template <class Real>
bool takes_planes(const Shape& shape, int axes, int threads) {
  return axes > 1 && shape.ny > 1 && shape.nz >= threads &&
         !RealPlanes<Real>::are_long(shape.nx, shape.ny, shape.ny * shape.nz);
}

}  // namespace

template <class Real>
struct BasicRealPlan<Real>::Impl {
  Shape shape;
  int threads;
  const internal::Kernels<Real>* kernels;
  std::optional<RealPlanes<Real>> planes;  ///< one by one, or …
  std::optional<RealRows<Real>> rows;      ///< … all lines along x, and then y of all planes
  std::optional<AxisSweep<Real>> y, z;

  Impl(const Shape& grid, int team, const internal::Ways& ways)
      : shape(grid), threads(team), kernels(&internal::kernels<Real>()) {
    const internal::Ways unscaled = internal::unscaled(ways);
    const Index modes = mode_row(), lines = grid.ny * grid.nz;
    if (!ways.by_axes && takes_planes<Real>(grid, ways.axes, team)) {
      planes.emplace(grid.nx, grid.ny, lines, ways);
    } else {
      rows.emplace(grid.nx, lines, ways, team);
      if (ways.axes > 1 && grid.ny > 1) y.emplace(internal::Axis{modes, grid.ny, grid.nz}, false, unscaled, team);
    }
    if (ways.axes > 2 && grid.nz > 1) {
      z.emplace(internal::Axis{modes * grid.ny, grid.nz, 1}, false, unscaled, team);
    }
  }

  [[nodiscard]] Index mode_row() const { return shape.nx / 2 + 1; }
  [[nodiscard]] Index mode_plane() const { return 2 * mode_row() * shape.ny; }
  /// Of scratch, in real numbers: what a thread has, what a team has, and modes between two sweeps back.
  [[nodiscard]] Index thread_reals() const {
    if (planes) return planes->scratch_reals();
    return rows->together() ? 0 : whole_cache_lines<Real>(rows->scratch_reals());
  }
  [[nodiscard]] Index team_reals() const {
    Index reals = std::max(threads * thread_reals(), rows && rows->together() ? rows->scratch_reals() : 0);
    for (const auto& sweep : {&y, &z}) {
      if (*sweep) reals = std::max(reals, (*sweep)->scratch_reals());
    }
    return whole_cache_lines<Real>(reals);
  }
  [[nodiscard]] Index between_reals() const {
    if (y || z) return mode_plane() * shape.nz;
    return planes ? threads * whole_cache_lines<Real>(mode_plane()) : 0;
  }
  [[nodiscard]] std::size_t scratch_bytes() const {
    return sizeof(Real) * static_cast<std::size_t>(team_reals() + between_reals());
  }
  [[nodiscard]] internal::Operations operations() const;

  void forward(const Real* in, Real* out, Real* memory, running::Limit* limit) const;
  void backward(const Real* in, Real* out, Real* memory, running::Limit* limit) const;
};

template <class Real>
internal::Operations BasicRealPlan<Real>::Impl::operations() const {
  internal::Operations all;
  const auto add = [&all](const internal::Operations& one, Index times) {
    all.lone += static_cast<double>(times) * one.lone;
    all.fused += static_cast<double>(times) * one.fused;
  };
  if (planes) {
    add(planes->operations(), shape.nz);
  } else {
    add(rows->operations(), shape.ny * shape.nz);
  }
  if (y) add(y->operations(), 1);
  if (z) add(z->operations(), 1);
  return all;
}

template <class Real>
void BasicRealPlan<Real>::Impl::forward(const Real* in, Real* out, Real* memory, running::Limit* limit) const {
  TeamStop stop(limit);
  internal::in_team(threads, [&](int thread, int team) {
    Real* const own = memory + thread * thread_reals();
    const Index lines = shape.ny * shape.nz;
    if (planes) {
      for (Index i = share(shape.nz, thread, team); i < share(shape.nz, thread + 1, team); ++i) {
        planes->forward(in + planes->value_reals() * i, out + mode_plane() * i, own, stop);
      }
    } else if (rows->together()) {
      rows->forward_together(in, out, lines, memory, thread, team, stop);
    } else {
      const Index first = share(lines, thread, team);
      rows->forward(in + shape.nx * first, out + 2 * mode_row() * first, share(lines, thread + 1, team) - first, own,
                    limit);
    }
    if (y) {
#pragma omp barrier
      y->run(false, out, out, memory, thread, team, stop);
    }
    if (z) {
#pragma omp barrier
      z->run(false, out, out, memory, thread, team, stop);
    }
  });
}

template <class Real>
void BasicRealPlan<Real>::Impl::backward(const Real* in, Real* out, Real* memory, running::Limit* limit) const {
  TeamStop stop(limit);
  internal::in_team(threads, [&](int thread, int team) {
    Real *const own = memory + thread * thread_reals(), *const between = memory + team_reals();
    const Index lines = shape.ny * shape.nz;
    // What is read through it is not written.
    Real* from = const_cast<Real*>(in);
    if (z) {
      z->run(true, from, between, memory, thread, team, stop);
      from = between;
#pragma omp barrier
    }
    if (y) {
      y->run(true, from, between, memory, thread, team, stop);
      from = between;
#pragma omp barrier
    }
    if (planes) {
      for (Index i = share(shape.nz, thread, team); i < share(shape.nz, thread + 1, team); ++i) {
        Real* const plane = from + mode_plane() * i;
        Real* const swept = z ? plane : between + thread * whole_cache_lines<Real>(mode_plane());
        planes->backward(plane, swept, out + planes->value_reals() * i, own, stop);
      }
    } else if (rows->together()) {
      rows->backward_together(from, out, lines, memory, thread, team, stop);
    } else {
      const Index first = share(lines, thread, team);
      rows->backward(from + 2 * mode_row() * first, out + shape.nx * first, share(lines, thread + 1, team) - first, own,
                     limit);
    }
  });
}

template <class Real>
BasicRealPlan<Real>::BasicRealPlan(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

template <class Real>
BasicRealPlan<Real>::BasicRealPlan(const Shape& shape, const Options& options) {
  const Options checked = internal::checked_options<Real>(options);
  if (options.first_axis != 0) {
    throw InvalidArgument("first_axis is " + std::to_string(options.first_axis) + " for real values, expected 0");
  }
  internal::checked_shape(shape, options);
  const internal::Measured by_size{internal::team_size(options.threads, shape), checked};
  if (!options.measure || shape.size() == 1) {
    impl_ = std::make_unique<Impl>(shape, by_size.threads, by_size.ways);
    return;
  }
  using Mode = std::complex<Real>;
  const std::size_t bytes = static_cast<std::size_t>((shape.nx / 2 + 1) * shape.ny * shape.nz) * sizeof(Mode);
  const std::shared_ptr<void> values = internal::trial_memory(static_cast<std::size_t>(shape.size()) * sizeof(Real)),
                              modes = internal::trial_memory(bytes);
  // Along x, complex numbers of neighbouring values are transformed, or each value as one.
  const Index length = shape.nx % 2 == 0 ? shape.nx / 2 : shape.nx;
  const auto dimensions = static_cast<int>(internal::transformed_axes(shape, options).size());
  const auto measured = [&](Direction direction) {
    const auto plan = [&](int threads, const internal::Ways& ways) {
      const std::shared_ptr<const BasicRealPlan> planned(
          new BasicRealPlan(std::make_unique<Impl>(shape, threads, ways)));
      return internal::trial_of(planned, [&values, &modes, direction](const BasicRealPlan& one, void* scratch) {
        auto* const some = static_cast<Real*>(values.get());
        auto* const half = static_cast<Mode*>(modes.get());
        if (direction == Direction::forward) return one.forward(some, half, scratch);
        one.backward(half, some, scratch);
      });
    };
    const internal::Measured found =
        internal::measured_ways({static_cast<Index>(bytes), dimensions, internal::most_threads(options.threads),
                                 internal::cuts_of<Real>({{1, length, shape.ny * shape.nz}}), plan},
                                by_size);
    return std::make_unique<Impl>(shape, found.threads, found.ways);
  };
  impl_ = measured(Direction::forward);
  backward_ = measured(Direction::backward);
}

template <class Real>
const typename BasicRealPlan<Real>::Impl& BasicRealPlan<Real>::of(Direction direction) const {
  return direction == Direction::backward && backward_ ? *backward_ : *impl_;
}

template <class Real>
BasicRealPlan<Real>::BasicRealPlan(BasicRealPlan&&) noexcept = default;
template <class Real>
BasicRealPlan<Real>& BasicRealPlan<Real>::operator=(BasicRealPlan&&) noexcept = default;
template <class Real>
BasicRealPlan<Real>::~BasicRealPlan() = default;

template <class Real>
const Shape& BasicRealPlan<Real>::shape() const {
  return impl_->shape;
}

template <class Real>
Shape BasicRealPlan<Real>::modes() const {
  return {impl_->mode_row(), impl_->shape.ny, impl_->shape.nz};
}

template <class Real>
const char* BasicRealPlan<Real>::instruction_set() const {
  return impl_->kernels->target;
}

template <class Real>
std::size_t BasicRealPlan<Real>::scratch_bytes() const {
  return std::max(impl_->scratch_bytes(), of(Direction::backward).scratch_bytes());
}

template <class Real>
double BasicRealPlan<Real>::multiply_add_flops() const {
  return impl_->operations().fused;
}

template <class Real>
double BasicRealPlan<Real>::lone_flops() const {
  return impl_->operations().lone;
}

template <class Real>
void BasicRealPlan<Real>::forward(const Real* in, std::complex<Real>* out, void* scratch,
                                  const std::int32_t* stop) const {
  internal::check_pointers(in, out, scratch);
  std::optional<running::Limit> limit;
  if (stop != nullptr) limit.emplace(running::Limit::no_limit, stop);
  impl_->forward(in, reinterpret_cast<Real*>(out), static_cast<Real*>(scratch), limit ? &*limit : nullptr);
  if (limit && limit->stopped()) throw Stopped("the transform was stopped before its result was whole");
}

template <class Real>
void BasicRealPlan<Real>::backward(const std::complex<Real>* in, Real* out, void* scratch,
                                   const std::int32_t* stop) const {
  internal::check_pointers(in, out, scratch);
  std::optional<running::Limit> limit;
  if (stop != nullptr) limit.emplace(running::Limit::no_limit, stop);
  of(Direction::backward)
      .backward(reinterpret_cast<const Real*>(in), out, static_cast<Real*>(scratch), limit ? &*limit : nullptr);
  if (limit && limit->stopped()) throw Stopped("the transform was stopped before its result was whole");
}

template class BasicRealPlan<double>;
template class BasicRealPlan<float>;

}  // namespace rooftop::fft
