#include "wide_line.hpp"

#include <algorithm>
#include <complex>
#include <cstddef>
#include <utility>

#include "kernels.hpp"
#include "roots.hpp"

namespace rooftop::fft::internal {

namespace {

bool can_be_wide(Index n, int lanes) { return lanes >= 4 && n % lanes == 0 && n > lanes && transformable(n); }

}  // namespace

bool fills_vectors(Index n, Index lines, int lanes) {
  return can_be_wide(n, lanes) && (n % (Index{lanes} * lanes) == 0 || lines < lanes);
}

template <class Real>
const Kernels<Real>& kernels_for(Index n, Index lines) {
  const Kernels<Real>& best = kernels<Real>();
  const bool best_fills = fills_vectors(n, lines, best.lanes);
  if (best_fills && n >= Index{best.lanes} * best.lanes) return best;  // a whole square of vectors
  const Kernels<Real>* found = nullptr;
  for (int lanes = best.lanes / 2; lanes >= 4 && lines <= lanes / 2; lanes /= 2) {
    if (!fills_vectors(n, lines, lanes)) continue;
    const bool square = n % (Index{lanes} * lanes) == 0;
    if (!square && (found != nullptr || (best_fills && n >= 4 * best.lanes))) continue;
    if (const Kernels<Real>* const one = kernels_of<Real>(lanes); one != nullptr) found = one;
    if (square) break;
  }
  return found == nullptr ? best : *found;
}

template <class Real>
WideLine<Real> make_wide_line(Index n, int lanes) {
  WideLine<Real> line;
  if (!can_be_wide(n, lanes)) return line;
  line.n = n;
  const Index count = n / lanes;
  Index length = n, groups = 1;
  std::vector<Index> places{0};
  const RootTable roots(n);
  for (const int radix : radices_of(count, Roots::in_every_pass)) {
    typename WideLine<Real>::Pass pass{radix, length / radix / lanes, groups, {}, circle_of<Real>(radix)};
    const auto reals = static_cast<std::size_t>(pass.rest * (radix - 1) * 2 * lanes);
    pass.roots.resize((reals * sizeof(Real) + 63) / 64);
    auto* root = reinterpret_cast<Real*>(pass.roots.data());
    for (Index row = 0; row < pass.rest; ++row) {
      for (int k = 1; k < radix; ++k, root += 2 * lanes) {
        for (Index lane = 0; lane < lanes; ++lane) {
          const std::complex<long double> one = roots((row * lanes + value_in_lane(lane, lanes)) * k * groups);
          root[lane] = static_cast<Real>(one.real());
          root[lanes + lane] = static_cast<Real>(one.imag());
        }
      }
    }
    line.passes.push_back(std::move(pass));
    std::vector<Index> finer;
    for (const Index place : places) {
      for (Index k = 0; k < radix; ++k) finer.push_back(place + k * groups);
    }
    places = std::move(finer);
    length /= radix;
    groups *= radix;
  }
  std::vector<Index> row_of(static_cast<std::size_t>(count));
  for (Index row = 0; row < count; ++row) row_of[static_cast<std::size_t>(places[static_cast<std::size_t>(row)])] = row;
  for (Index next = 0; next < count; next += lanes) {
    const Index first = first_of_group(next, count, lanes);
    for (Index lane = 0; lane < lanes; ++lane) {
      const Index place = std::min(first + value_in_lane(lane, lanes), count - 1);
      line.rows.push_back(row_of[static_cast<std::size_t>(place)]);
    }
  }
  return line;
}

template <class Real>
Operations WideLine<Real>::operations() const {
  std::vector<int> radices;
  Index lanes = n;
  for (const Pass& pass : passes) {
    radices.push_back(pass.radix);
    lanes /= pass.radix;
  }
  radices.push_back(static_cast<int>(lanes));
  return operations_of(n, radices);
}

template const Kernels<double>& kernels_for(Index, Index);
template const Kernels<float>& kernels_for(Index, Index);
template struct WideLine<double>;
template struct WideLine<float>;
template WideLine<double> make_wide_line(Index, int);
template WideLine<float> make_wide_line(Index, int);

}  // namespace rooftop::fft::internal
