#include "real_rows.hpp"

#include <algorithm>
#include <complex>
#include <cstddef>

#include "roots.hpp"

namespace rooftop::fft::internal {
namespace {

constexpr Index block_bytes = Index{64} << 10;  ///< of complex lines: they and their modes stay in an L2 cache

constexpr Index round_up(Index value, Index to) { return (value + to - 1) / to * to; }

template <class Real>
std::vector<Real> make_factors(Index n) {
  std::vector<Real> factors;
  if (n % 2 != 0) return factors;
  const RootTable roots(n);
  for (Index k = 0; k <= n / 4; ++k) {
    const std::complex<long double> root = roots(k) * 0.5L;
    append_rounded<Real>({root.imag(), -root.real()}, factors);
  }
  // Vectors of them are read whole.
  factors.resize(factors.size() + static_cast<std::size_t>(most_lanes<Real>));
  return factors;
}

template <class Real>
Index lines_of_block(Index length) {
  const Index fitting = block_bytes / static_cast<Index>(2 * sizeof(Real) * static_cast<std::size_t>(length));
  return std::max<Index>(fitting / most_lanes<Real>, 1) * most_lanes<Real>;
}

}  // namespace

template <class Real>
RealRows<Real>::RealRows(Index n, Index lines, const Ways& ways, int threads)
    : n_(n),
      length_(length_of(n)),
      kernels_(&kernels<Real>()),
      factors_(make_factors<Real>(n)),
      block_lines_(std::min(lines_of_block<Real>(length_), lines)) {
  if (are_long(n, lines)) {
    long_.emplace(length_, ways, threads);
  } else {
    Ways along_x = ways;
    along_x.axes = 1;
    job_ = make_job<Real>({length_, 1, block_lines_}, along_x);
  }
}

template <class Real>
Index RealRows<Real>::scratch_reals() const {
  constexpr Index cache_line = 64 / sizeof(Real);
  if (together()) return round_up(long_->scratch_reals(), cache_line) + line_reals();
  return round_up(job_.thread_reals() + 2 * length_ * block_lines_, cache_line);
}

template <class Real>
Operations RealRows<Real>::operations() const {
  Operations one;
  if (together()) {
    one = long_->operations();
  } else {
    one = job_.wide_x.n != 0 ? job_.wide_x.operations() : job_.x.operations();
  }
  if (!even()) return one;
  // Of each pair of modes two sums, two differences, and a product of complex numbers that both are made of.
  const auto pairs = static_cast<double>(length_) / 2;
  return {one.lone + 8 * pairs, one.fused + 12 * pairs};
}

template <class Real>
void RealRows<Real>::widen(const Real* values, Real* line, int thread, int team) const {
  const Index end = share(n_, thread + 1, team);
  for (Index i = share(n_, thread, team); i < end; ++i) {
    line[2 * i] = values[i];
    line[2 * i + 1] = 0;
  }
}

template <class Real>
void RealRows<Real>::narrow(const Real* line, Real* values, int thread, int team) const {
  const Index end = share(n_, thread + 1, team);
  for (Index i = share(n_, thread, team); i < end; ++i) values[i] = line[2 * i];
}

template <class Real>
void RealRows<Real>::to_modes(const Real* line, Real* modes, int thread, int team) const {
  const Index first = share(n_ / 2 + 1, thread, team), last = share(n_ / 2 + 1, thread + 1, team);
  if (even()) {
    const Index pairs = length_ / 2 + 1;
    kernels_->combine_modes(false, length_, factors_.data(), line, modes, share(pairs, thread, team),
                            share(pairs, thread + 1, team));
    return;
  }
  std::copy(line + 2 * first, line + 2 * last, modes + 2 * first);
  if (first == 0 && last > 0) modes[1] = 0;
}

/// The imaginary parts of mode 0, and of mode n / 2 of an even n, count as 0.
template <class Real>
void RealRows<Real>::from_modes(const Real* modes, Real* line, int thread, int team) const {
  if (even()) {
    const Index pairs = length_ / 2 + 1;
    kernels_->combine_modes(true, length_, factors_.data(), modes, line, share(pairs, thread, team),
                            share(pairs, thread + 1, team));
    return;
  }
  const Index last = share(n_ / 2 + 1, thread + 1, team);
  for (Index k = share(n_ / 2 + 1, thread, team); k < last; ++k) {
    const Real re = modes[2 * k], im = k == 0 ? Real{0} : modes[2 * k + 1];
    const Index mirrored = k == 0 ? 0 : n_ - k;
    line[2 * mirrored] = re;
    line[2 * mirrored + 1] = -im;
    line[2 * k] = re;
    line[2 * k + 1] = im;
  }
}

template <class Real>
void RealRows<Real>::run_complex(bool back, Real* from, Real* to, Index lines, Real* memory) const {
  if (job_.is_lone_line()) return job_.kernels->lone_line(job_, back, from, to, memory);
  job_.kernels->planes(job_, back, {0, lines, from, to, {}, {}, nullptr}, memory, 0, 1);
}

template <class Real>
void RealRows<Real>::forward(const Real* in, Real* out, Index lines, Real* memory, running::Limit* limit) const {
  Real* const block = memory + job_.thread_reals();
  for (Index first = 0; first < lines; first += block_lines_) {
    if (limit != nullptr && limit->stopped()) return;
    const Index count = std::min(block_lines_, lines - first);
    Real* from = const_cast<Real*>(in) + n_ * first;
    if (several()) {
      job_.kernels->real_lines(job_, false, factors_.data(), from, out + out_row() * first, count, memory);
      continue;
    }
    if (!even()) {
      for (Index i = 0; i < count; ++i) widen(from + n_ * i, block + 2 * length_ * i, 0, 1);
      from = block;
    }
    run_complex(false, from, block, count, memory);
    for (Index i = 0; i < count; ++i) to_modes(block + 2 * length_ * i, out + out_row() * (first + i), 0, 1);
  }
}

template <class Real>
void RealRows<Real>::backward(const Real* in, Real* out, Index lines, Real* memory, running::Limit* limit) const {
  Real* const block = memory + job_.thread_reals();
  for (Index first = 0; first < lines; first += block_lines_) {
    if (limit != nullptr && limit->stopped()) return;
    const Index count = std::min(block_lines_, lines - first);
    if (several()) {
      Real* const modes = const_cast<Real*>(in) + out_row() * first;
      job_.kernels->real_lines(job_, true, factors_.data(), modes, out + n_ * first, count, memory);
      continue;
    }
    for (Index i = 0; i < count; ++i) from_modes(in + out_row() * (first + i), block + 2 * length_ * i, 0, 1);
    Real* const values = out + n_ * first;
    run_complex(true, block, even() ? values : block, count, memory);
    for (Index i = 0; !even() && i < count; ++i) narrow(block + 2 * length_ * i, values + n_ * i, 0, 1);
  }
}

template <class Real>
void RealRows<Real>::forward_together(const Real* in, Real* out, Index lines, Real* memory, int thread, int team,
                                      TeamStop& stop) const {
  Real* const line = memory + scratch_reals() - line_reals();
  for (Index i = 0; i < lines && !stop.stopped(thread); ++i) {
    Real *from = const_cast<Real*>(in) + n_ * i, *const modes = out + out_row() * i;
    Real* const transformed = even() ? modes : line;
    if (!even()) {
      widen(from, line, thread, team);
      from = line;
#pragma omp barrier
    }
    long_->run(false, from, transformed, memory, thread, team);
#pragma omp barrier
    to_modes(transformed, modes, thread, team);
#pragma omp barrier
  }
}

template <class Real>
void RealRows<Real>::backward_together(const Real* in, Real* out, Index lines, Real* memory, int thread, int team,
                                       TeamStop& stop) const {
  Real* const line = memory + scratch_reals() - line_reals();
  for (Index i = 0; i < lines && !stop.stopped(thread); ++i) {
    Real *const values = out + n_ * i, *const complexes = even() ? values : line;
    from_modes(in + out_row() * i, complexes, thread, team);
#pragma omp barrier
    long_->run(true, complexes, complexes, memory, thread, team);
#pragma omp barrier
    if (!even()) narrow(line, values, thread, team);
#pragma omp barrier
  }
}

template class RealRows<double>;
template class RealRows<float>;

}  // namespace rooftop::fft::internal
