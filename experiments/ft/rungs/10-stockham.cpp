/// Radix-2 Stockham transforms of one line after the other: along x, along y, along z.
/// The bottom of the ladder: NPB's structure, each line copied to scratch, transformed, and copied back.
/// Limit: log2 n passes over a line for one butterfly each, and lines along y and z take 16 bytes of every cache line
/// that they fetch.
/// Evidence: the rate is far below both the processor's and the memory's roof; z takes longer than x for the same work.
/// Source: Bailey et al., The NAS Parallel Benchmarks, RNR-94-007, 1994, 2.2.5 (3-D FFT PDE); Swarztrauber 1984.
#include <cmath>
#include <numbers>
#include <rooftop/aligned.hpp>
#include <rooftop/rung.hpp>
#include <utility>
#include <vector>

#include "steps.hpp"

namespace {

using ft::Complex;
using ft::Index;

class Stockham : public rooftop::Rung {
 public:
  explicit Stockham(const ft::Problem& problem) : p_(problem), modes_(points()), evolved_(points()), decay_(points()) {
    if (!ft::power_of_two(p_.nx) || !ft::power_of_two(p_.ny) || !ft::power_of_two(p_.nz)) {
      throw rooftop::Skip("transforms powers of two only");
    }
  }

  void run() override {
    ft::decay_factors(p_, decay_.data(), 1);
    ft::draw_initial(p_, evolved_.data(), 1);
    transform(1, evolved_.data(), modes_.data());
    for (int t = 0; t < p_.iterations; ++t) {
      ft::evolve(p_, decay_.data(), modes_.data(), evolved_.data(), 1);
      transform(-1, evolved_.data(), p_.field);
      p_.checksums[t] = ft::checksum(p_);
    }
  }

  [[nodiscard]] rooftop::Work work() const override {
    const auto n = static_cast<double>(p_.size());
    const double transforms = p_.iterations + 1;
    const ft::StepsWork steps = ft::steps_work(p_);
    // A butterfly of two values is a complex product of 6 flops and two complex additions.
    return {.fma_flops = 0,
            .add_flops = transforms * 5 * n * std::log2(n) + steps.flops,
            .memory_bytes = transforms * 3 * 32 * n + steps.bytes,
            .working_set_bytes = 56 * n,
            .algorithm = "fft"};
  }

 private:
  [[nodiscard]] std::size_t points() const { return static_cast<std::size_t>(p_.size()); }

  void transform(int sign, const Complex* from, Complex* to) {
    along(sign, p_.nx, 1, p_.ny * p_.nz, p_.nx, 1, 0, from, to);
    along(sign, p_.ny, p_.nx, p_.nx, 1, p_.nz, p_.nx * p_.ny, to, to);
    along(sign, p_.nz, p_.nx * p_.ny, p_.nx * p_.ny, 1, 1, 0, to, to);
  }

  /// Transforms lines of n values `stride` apart; lines begin `step` apart, `lines` of them in each of `sets`.
  void along(int sign, Index n, Index stride, Index lines, Index step, Index sets, Index set_step, const Complex* from,
             Complex* to) {
    std::vector<Complex> line(static_cast<std::size_t>(n)), scratch(line.size()), roots(line.size());
    for (Index i = 0; i < n; ++i) {
      const double angle = -2 * sign * std::numbers::pi * static_cast<double>(i) / static_cast<double>(n);
      roots[static_cast<std::size_t>(i)] = {std::cos(angle), std::sin(angle)};
    }
    for (Index set = 0; set < sets; ++set) {
      for (Index l = 0; l < lines; ++l) {
        const Index first = set * set_step + l * step;
        for (Index i = 0; i < n; ++i) line[static_cast<std::size_t>(i)] = from[first + i * stride];
        const Complex* const done = stockham(n, roots.data(), line.data(), scratch.data());
        for (Index i = 0; i < n; ++i) to[first + i * stride] = done[i];
      }
    }
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

  const ft::Problem& p_;
  rooftop::AlignedArray<Complex> modes_, evolved_;
  rooftop::AlignedArray<double> decay_;
};

}  // namespace

ROOFTOP_RUNG(ft::Problem, Stockham);
