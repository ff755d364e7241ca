#include "chirp.hpp"

#include <complex>
#include <cstddef>

#include "roots.hpp"
#include "smooth_lengths.hpp"

namespace rooftop::fft::internal {
namespace {

using Long = std::complex<long double>;

/// Where c[j] is among the roots of 2 n. The square is reduced before it becomes an angle, which a rounded j^2 / n
/// would lose.
Index square_of(Index j, Index n) { return j * j % (2 * n); }

/// out[k] = sum over j < n of roots[j k (roots.size() / n)] in[j stride], by the smallest factor of n first. Done once
/// in a plan, hence in long doubles, whose rounding is not seen.
void transform(const Long* in, Index stride, Index n, const std::vector<Long>& roots, Long* out) {
  if (n == 1) {
    *out = *in;
    return;
  }
  const auto turns = static_cast<Index>(roots.size());
  Index radix = 2;
  while (n % radix != 0) ++radix;
  const Index part = n / radix;
  for (Index i = 0; i < radix; ++i) transform(in + i * stride, stride * radix, part, roots, out + i * part);
  std::vector<Long> results(static_cast<std::size_t>(radix));
  for (Index k = 0; k < part; ++k) {
    for (Index r = 0; r < radix; ++r) {
      Long sum = 0;
      for (Index i = 0; i < radix; ++i) {
        const Index turn = i * (k + r * part) % n * (turns / n);
        sum += out[i * part + k] * roots[static_cast<std::size_t>(turn)];
      }
      results[static_cast<std::size_t>(r)] = sum;
    }
    for (Index r = 0; r < radix; ++r) out[r * part + k] = results[static_cast<std::size_t>(r)];
  }
}

}  // namespace

Index convolution_length(Index n) {
  const Index least = 2 * n - 1;
  Index best = 0;
  double fewest = 0;
  // A power of two lies below the double of `least`.
  for (const Index length : smooth_lengths(least, 2 * least)) {
    const Operations all = transform_operations(length);
    const double instructions = all.lone + all.fused / 2;
    if (best == 0 || instructions < fewest) best = length, fewest = instructions;
  }
  return best;
}

template <class Real>
std::vector<Real> make_chirp(Index n) {
  const RootTable roots(2 * n);
  std::vector<Real> chirp;
  chirp.reserve(static_cast<std::size_t>(2 * n));
  for (Index j = 0; j < n; ++j) append_rounded(roots(square_of(j, n)), chirp);
  return chirp;
}

template <class Real>
std::vector<Real> make_chirp_spectrum(Index n, Index length) {
  const auto count = static_cast<std::size_t>(length);
  std::vector<Long> values(count), transformed(count), roots(count);
  const RootTable chirp(2 * n), turns(length);
  for (Index j = 0; j < n; ++j) {
    const Long value = std::conj(chirp(square_of(j, n))) / static_cast<long double>(length);
    values[static_cast<std::size_t>(j)] = value;
    values[static_cast<std::size_t>((length - j) % length)] = value;
  }
  for (Index i = 0; i < length; ++i) roots[static_cast<std::size_t>(i)] = turns(i);
  transform(values.data(), 1, length, roots, transformed.data());
  std::vector<Real> spectrum;
  spectrum.reserve(2 * count);
  for (const Long& value : transformed) append_rounded(value, spectrum);
  return spectrum;
}

template std::vector<double> make_chirp(Index);
template std::vector<float> make_chirp(Index);
template std::vector<double> make_chirp_spectrum(Index, Index);
template std::vector<float> make_chirp_spectrum(Index, Index);

}  // namespace rooftop::fft::internal
