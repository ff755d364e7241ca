#include "line.hpp"

#include <complex>
#include <cstddef>

#include "chirp.hpp"
#include "kernels.hpp"
#include "roots.hpp"

namespace rooftop::fft::internal {
namespace {

constexpr bool is_prime(int n) {
  for (int divisor = 2; divisor * divisor <= n; ++divisor) {
    if (n % divisor == 0) return false;
  }
  return n > 1;
}
static_assert(is_prime(largest_prime) && is_prime(largest_written_prime));

/// What a butterfly does, as butterflies-inl.hpp has it.
Operations butterfly_operations(int radix) {
  switch (radix) {
    case 2:
      return {4, 0};
    case 4:
      return {16, 0};
    case 8:
      return {56, 0};
    case 16:
      return {153, 16};
    default: {
      const double half = (radix - 1) / 2;
      return {10 * half, 8 * half * half};
    }
  }
}

}  // namespace

/// 2s are taken in few passes alike in size, the smaller first. With 32 vector registers a pass takes up to 16 values;
/// with half as many, 8, but for the last where it has no roots to multiply by.
std::vector<int> radices_of(Index n, Roots roots) {
  std::vector<int> radices;
  for (int factor = largest_prime; factor > 2; factor -= 2) {
    for (; is_prime(factor) && n % factor == 0; n /= factor) radices.push_back(factor);
  }
  int twos = 0;
  for (; n % 2 == 0; n /= 2) ++twos;
  const bool few = kernels<double>().registers < 32;
  const bool plain = few && roots == Roots::in_all_but_the_last_pass;
  const int most = few ? 3 : 4, last = plain && (twos == 4 || twos > 6) ? 4 : 0;
  twos -= last;
  for (int passes = (twos + most - 1) / most; passes > 0; --passes) {
    const int here = twos / passes;
    radices.push_back(1 << here);
    twos -= here;
  }
  if (last > 0) radices.push_back(1 << last);
  return radices;
}

Operations transform_operations(Index n) { return operations_of(n, radices_of(n)); }

Operations operations_of(Index n, const std::vector<int>& radices) {
  Operations sum;
  Index rest = n;
  for (const int radix : radices) {
    rest /= radix;
    const double count = static_cast<double>(n) / radix;
    const double products = rest > 1 ? radix - 1 : 0;
    const Operations one = butterfly_operations(radix);
    sum.lone += count * (one.lone + 2 * products);
    sum.fused += count * (one.fused + 4 * products);
  }
  return sum;
}

template <class Real>
Operations Line<Real>::operations() const {
  const Operations one = transform_operations(length);
  if (!convolved()) return one;
  const auto products = static_cast<double>(length + 2 * n);
  return {2 * one.lone + 2 * products, 2 * one.fused + 4 * products};
}

bool transformable(Index n) {
  if (n < 1) return false;
  for (int factor = 2; factor <= largest_prime; ++factor) {
    for (; n % factor == 0; n /= factor) {
    }
  }
  return n == 1;
}

template <class Real>
std::vector<Real> circle_of(int radix) {
  std::vector<Real> circle;
  if (radix <= largest_written_prime || !is_prime(radix)) return circle;
  for (int k = 0; k < radix; ++k) append_rounded(std::conj(root_of_unity(k, radix)), circle);
  return circle;
}

template <class Real>
Line<Real> make_line(Index n) {
  Line<Real> line;
  line.n = line.length = n;
  if (!transformable(n)) {
    line.length = convolution_length(n);
    line.chirp = make_chirp<Real>(n);
    line.spectrum = make_chirp_spectrum<Real>(n, line.length);
  }
  Index length = line.length, groups = 1;
  const RootTable roots(line.length);
  for (const int radix : radices_of(line.length)) {
    Pass<Real> pass{radix, length / radix, groups, {}, circle_of<Real>(radix)};
    for (Index row = 0; row < pass.rest && pass.rest > 1; ++row) {
      for (int k = 1; k < radix; ++k) {
        append_rounded(roots(row * k * groups), pass.roots);
      }
    }
    line.passes.push_back(std::move(pass));
    length /= radix;
    groups *= radix;
  }
  if (line.passes.empty()) return line;
  const Index last_groups = line.passes.back().groups;
  line.places.resize(static_cast<std::size_t>(last_groups));
  for (Index group = 0; group < last_groups; ++group) {
    // A group's number has one digit for each pass before, the first the most significant; a place the other way round.
    Index place = 0, unit = 1, below = last_groups, left = group;
    for (std::size_t i = 0; i + 1 < line.passes.size(); ++i) {
      const Index radix = line.passes[i].radix;
      below /= radix;
      place += left / below * unit;
      left %= below;
      unit *= radix;
    }
    line.places[static_cast<std::size_t>(group)] = place;
  }
  return line;
}

template struct Line<double>;
template struct Line<float>;
template std::vector<double> circle_of(int);
template std::vector<float> circle_of(int);
template Line<double> make_line(Index);
template Line<float> make_line(Index);

}  // namespace rooftop::fft::internal
