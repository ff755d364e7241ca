/// Bluestein's algorithm: since 2 jk = j^2 + k^2 - (k - j)^2, a transform of any length n is
/// X[k] = c[k] sum over j of conj(c[k - j]) (c[j] x[j]), with the chirp c[j] = exp(-i pi j^2 / n): a convolution, done
/// by transforms of a length that is a product of small factors. L. Bluestein, IEEE Trans. Audio Electroacoust. 18
/// (1970).
#pragma once

#include <vector>

#include "line.hpp"

namespace rooftop::fft::internal {

/// The transformable length of at least 2 n - 1 whose transform takes the fewest operations.
[[nodiscard]] Index convolution_length(Index n);

/// c[0] … c[n - 1], real and imaginary part of each.
template <class Real>
[[nodiscard]] std::vector<Real> make_chirp(Index n);

/// The transform of conj(c[-n + 1]) … conj(c[n - 1]), cyclic in `length`, divided by length: what makes the transforms
/// forth and back of this length a convolution with the chirp.
template <class Real>
[[nodiscard]] std::vector<Real> make_chirp_spectrum(Index n, Index length);

}  // namespace rooftop::fft::internal
