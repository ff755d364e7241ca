/// Radix-2 Stockham transforms of one line after the other: along x, along y, along z.
/// The bottom of the ladder: NPB's structure, each line copied to scratch, transformed, and copied back.
/// Limit: log2 n passes over a line for one butterfly each, and lines along y and z take 16 bytes of every cache line
/// that they fetch.
/// Evidence: the rate is far below both the processor's and the memory's roof; z takes longer than x for the same work.
/// Source: Bailey et al., The NAS Parallel Benchmarks, RNR-94-007, 1994, 2.2.5 (3-D FFT PDE); Swarztrauber 1984.
// threads: none, but those of steps.hpp, which 50-threads has too
#include <cmath>
#include <rooftop/rung.hpp>
#include <utility>
#include <vector>

#include "step_by_step.hpp"

namespace {

using ft::Complex;
using ft::Index;

class Stockham : public ft::StepByStep {
 public:
  explicit Stockham(const ft::Problem& problem) : StepByStep(problem, 1) {}

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

  // A butterfly of two values is a complex product of 6 flops and two complex additions.
  [[nodiscard]] ft::Operations transform_operations() const override {
    const auto n = static_cast<double>(problem().size());
    return {5 * n * std::log2(n), 0};
  }

  /// y[2p] = x[p] + x[p + n/2], y[2p + 1] = w^p (x[p] - x[p + n/2]), on every one of s interleaved lines; s doubles.
  static const Complex* stockham(Index n, const Complex* roots, Complex* x, Complex* y) {
    for (Index half = n / 2, s = 1; half >= 1; half /= 2, s *= 2) {
      for (Index p = 0; p < half; ++p) {
        const Complex w = roots[p * s];
        for (Index q = 0; q < s; ++q) {
          const Complex a = x[q + s * p], b = x[q + s * (p + half)];
          const Complex difference{a.re - b.re, a.im - b.im};
          y[q + s * 2 * p] = {a.re + b.re, a.im + b.im};
          y[q + s * (2 * p + 1)] = {difference.re * w.re - difference.im * w.im,
                                    difference.re * w.im + difference.im * w.re};
        }
      }
      std::swap(x, y);
    }
    return x;
  }
};

}  // namespace

ROOFTOP_RUNG(ft::Problem, Stockham);
