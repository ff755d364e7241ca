/// Radix-8 passes, real and imaginary parts in arrays of their own.
/// Changed from 20-vector-product: a third of the passes over a line, each on values that stay in registers for three
/// butterflies' worth of work; no shuffles, since a vector holds real or imaginary parts only.
/// Limit attacked: loads and stores of the L1 cache, two of each for every butterfly of two values.
/// Evidence: instructions fall; along x the gain shows, while along y and z the copies of single values now dominate.
/// Source: Van Loan, Computational Frameworks for the Fast Fourier Transform, SIAM 1992, 2.4.
// threads: none, but those of steps.hpp, which 50-threads has too
#include <rooftop/aligned.hpp>
#include <rooftop/rung.hpp>
#include <utility>

#include "radices.hpp"
#include "step_by_step.hpp"

namespace {

using ft::Complex;
using ft::Index;

using Line = ft::Split<double*>;

/// Four doubles in 256 bits.
using Lanes = double __attribute__((vector_size(32)));

Lanes load(const double* from) { return *reinterpret_cast<const Lanes*>(from); }
void store(double* to, Lanes value) { *reinterpret_cast<Lanes*>(to) = value; }

/// Butterflies side by side, as many as a Value holds: input i lies i * from_step away, result k goes k * to_step away.
template <int Radix, typename Value>
inline void butterflies(const double* re, const double* im, Index from_step, const double* roots, double* to_re,
                        double* to_im, Index to_step) {
  const auto at = [](auto* place) -> auto& { return *reinterpret_cast<const Value*>(place); };
  const auto to = [](double* place) -> Value& { return *reinterpret_cast<Value*>(place); };
  ft::Split<Value> values[Radix];
  for (int i = 0; i < Radix; ++i) values[i] = {at(re + i * from_step), at(im + i * from_step)};
  ft::butterfly<Radix>(values);
  to(to_re) = values[0].re, to(to_im) = values[0].im;
  for (int k = 1; k < Radix; ++k) {
    const ft::Split<Value> turned = ft::product(values[k], roots[2 * k - 2], roots[2 * k - 1]);
    to(to_re + k * to_step) = turned.re, to(to_im + k * to_step) = turned.im;
  }
}

/// y[q + s (r place + k)] = w^(place k) sum over i of exp(-2 pi i k / r) x[q + s (place + rest i)]
template <int Radix>
void pass_of(const ft::Pass& pass, const Line& x, const Line& y) {
  const Index s = pass.before, step = s * pass.rest;
  const double* roots = pass.roots.data();
  for (Index place = 0; place < pass.rest; ++place, roots += 2 * (Radix - 1)) {
    const double *const re = x.re + s * place, *const im = x.im + s * place;
    double *const to_re = y.re + s * Radix * place, *const to_im = y.im + s * Radix * place;
    Index q = 0;
    for (; q + 4 <= s; q += 4) butterflies<Radix, Lanes>(re + q, im + q, step, roots, to_re + q, to_im + q, s);
    for (; q < s; ++q) butterflies<Radix, double>(re + q, im + q, step, roots, to_re + q, to_im + q, s);
  }
}

/// Writes four vectors as the columns of four rows, `step` apart.
void store_columns(Lanes a, Lanes b, Lanes c, Lanes d, double* to, Index step) {
  const Lanes ab_even = __builtin_shufflevector(a, b, 0, 4, 2, 6), ab_odd = __builtin_shufflevector(a, b, 1, 5, 3, 7);
  const Lanes cd_even = __builtin_shufflevector(c, d, 0, 4, 2, 6), cd_odd = __builtin_shufflevector(c, d, 1, 5, 3, 7);
  store(to, __builtin_shufflevector(ab_even, cd_even, 0, 1, 4, 5));
  store(to + step, __builtin_shufflevector(ab_odd, cd_odd, 0, 1, 4, 5));
  store(to + 2 * step, __builtin_shufflevector(ab_even, cd_even, 2, 3, 6, 7));
  store(to + 3 * step, __builtin_shufflevector(ab_odd, cd_odd, 2, 3, 6, 7));
}

/// The first pass, whose butterflies of one place stand alone: four places in a vector, and their results transposed.
void first_pass(const ft::Pass& pass, const Line& x, const Line& y) {
  const double* roots = pass.roots.data();
  for (Index place = 0; place < pass.rest; place += 4, roots += 4 * 14) {
    ft::Split<Lanes> v[8];
    for (int i = 0; i < 8; ++i) v[i] = {load(x.re + place + i * pass.rest), load(x.im + place + i * pass.rest)};
    ft::butterfly<8>(v);
    for (int k = 1; k < 8; ++k) {
      const auto of_places = [&](int part) {
        const double* const root = roots + 2 * k - 2 + part;
        return Lanes{root[0], root[14], root[28], root[42]};
      };
      v[k] = ft::product(v[k], of_places(0), of_places(1));
    }
    for (int k = 0; k < 8; k += 4) {
      store_columns(v[k].re, v[k + 1].re, v[k + 2].re, v[k + 3].re, y.re + 8 * place + k, 8);
      store_columns(v[k].im, v[k + 1].im, v[k + 2].im, v[k + 3].im, y.im + 8 * place + k, 8);
    }
  }
}

void pass_any(const ft::Pass& pass, const Line& x, const Line& y) {
  if (pass.radix == 8 && pass.before == 1 && pass.rest % 4 == 0) return first_pass(pass, x, y);
  if (pass.radix == 8) return pass_of<8>(pass, x, y);
  if (pass.radix == 4) return pass_of<4>(pass, x, y);
  pass_of<2>(pass, x, y);
}

class Radix8 : public ft::StepByStep {
 public:
  explicit Radix8(const ft::Problem& problem) : StepByStep(problem, 1) {}

 private:
  void along(int sign, const ft::Lines& lines, const Complex* from, Complex* to) override {
    const Index n = lines.n;
    const ft::Passes passes(n);
    rooftop::AlignedArray<double> memory(static_cast<std::size_t>(4 * n));
    ft::for_each_line(lines, [&](Index first) {
      Line x{memory.data(), memory.data() + n}, y{memory.data() + 2 * n, memory.data() + 3 * n};
      // The transform back is the one forth with real and imaginary parts exchanged.
      const auto exchange = [sign](Line& line) {
        if (sign < 0) std::swap(line.re, line.im);
      };
      exchange(x);
      for (Index i = 0; i < n; ++i) {
        const Complex value = from[first + i * lines.stride];
        x.re[i] = value.re, x.im[i] = value.im;
      }
      exchange(x);
      for (const ft::Pass& pass : passes.passes) {
        pass_any(pass, x, y);
        std::swap(x, y);
      }
      exchange(x);
      for (Index i = 0; i < n; ++i) to[first + i * lines.stride] = {x.re[i], x.im[i]};
    });
  }

  [[nodiscard]] ft::Operations transform_operations() const override { return ft::radix_8_operations(problem()); }
};

}  // namespace

ROOFTOP_RUNG(ft::Problem, Radix8);
