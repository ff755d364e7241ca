/// Butterflies of two complex values a vector, the root kept in registers as two vectors.
/// Changed from 10-stockham: real and imaginary parts stay side by side; a product with a root that the whole inner
/// loop shares is two multiplications and a shuffle. Limit attacked: instructions of a butterfly. The passes over the
/// line, log2 n of them, stay. Evidence: transforms along x gain up to twofold, those along y and z less: their copies
/// did not change. Source: the SW26010 case's vectorised complex product (two products, one shuffle).
// threads: none, but those of steps.hpp, which 50-threads has too
#include <immintrin.h>

#include <cmath>
#include <rooftop/rung.hpp>
#include <utility>
#include <vector>

#include "step_by_step.hpp"

namespace {

using ft::Complex;
using ft::Index;

__m256d load(const Complex* from) { return _mm256_loadu_pd(&from->re); }
void store(Complex* to, __m256d value) { _mm256_storeu_pd(&to->re, value); }

/// A root, or two, as a product takes them: (re, re, …) and (-im, im, …).
struct Roots {
  __m256d re, im;
};
Roots both(Complex w) { return {_mm256_set1_pd(w.re), _mm256_setr_pd(-w.im, w.im, -w.im, w.im)}; }
Roots pair(const Complex* w) {
  const __m256d both = load(w), sign = _mm256_setr_pd(-0.0, 0.0, -0.0, 0.0);
  return {_mm256_movedup_pd(both), _mm256_xor_pd(_mm256_permute_pd(both, 0xF), sign)};
}
__m256d product(__m256d value, const Roots& w) {
  return _mm256_fmadd_pd(value, w.re, _mm256_mul_pd(_mm256_permute_pd(value, 0x5), w.im));
}

class VectorProduct : public ft::StepByStep {
 public:
  explicit VectorProduct(const ft::Problem& problem) : StepByStep(problem, 1, 4) {}

 private:
  void along(int sign, const ft::Lines& lines, const Complex* from, Complex* to) override {
    const Index n = lines.n;
    const std::vector<Complex> roots = ft::roots_of_unity(n, sign);
    std::vector<Complex> line(roots.size()), scratch(roots.size());
    ft::for_each_line(lines, [&](Index first) {
      for (Index i = 0; i < n; ++i) line[static_cast<std::size_t>(i)] = from[first + i * lines.stride];
      const Complex* const done = stockham(n, roots.data(), line.data(), scratch.data());
      for (Index i = 0; i < n; ++i) to[first + i * lines.stride] = done[i];
    });
  }

  // A butterfly of two values: two multiplications and two multiply-adds for the product, four additions.
  [[nodiscard]] ft::Operations transform_operations() const override {
    const auto n = static_cast<double>(problem().size());
    return {3 * n * std::log2(n), 2 * n * std::log2(n)};
  }

  /// y[2p] = x[p] + x[p + n/2], y[2p + 1] = w^p (x[p] - x[p + n/2]), on every one of s interleaved lines; s doubles.
  static const Complex* stockham(Index n, const Complex* roots, Complex* x, Complex* y) {
    // One line: neighbouring butterflies have roots of their own, and their results are interleaved.
    for (Index p = 0; p < n / 2; p += 2) {
      const __m256d a = load(x + p), b = load(x + p + n / 2);
      const __m256d sum = _mm256_add_pd(a, b), turned = product(_mm256_sub_pd(a, b), pair(roots + p));
      store(y + 2 * p, _mm256_permute2f128_pd(sum, turned, 0x20));
      store(y + 2 * p + 2, _mm256_permute2f128_pd(sum, turned, 0x31));
    }
    std::swap(x, y);
    for (Index half = n / 4, s = 2; half >= 1; half /= 2, s *= 2) {
      for (Index p = 0; p < half; ++p) {
        const Roots w = both(roots[p * s]);
        const Complex *const first = x + s * p, *const second = x + s * (p + half);
        Complex *const sums = y + s * 2 * p, *const turned = y + s * (2 * p + 1);
        for (Index q = 0; q < s; q += 2) {
          const __m256d a = load(first + q), b = load(second + q);
          store(sums + q, _mm256_add_pd(a, b));
          store(turned + q, product(_mm256_sub_pd(a, b), w));
        }
      }
      std::swap(x, y);
    }
    return x;
  }
};

}  // namespace

ROOFTOP_RUNG(ft::Problem, VectorProduct);
