/// The benchmark one step after the other, each through all of memory, as NPB has it: what a rung adds is its
/// transform.
#pragma once

#include <cstddef>
#include <rooftop/aligned.hpp>
#include <rooftop/rung.hpp>
#include <string>

#include "butterflies.hpp"
#include "lines.hpp"
#include "steps.hpp"

namespace ft {

class StepByStep : public rooftop::Rung {
 public:
  void run() final {
    if (p_.transform_only()) return transform(1, p_.field, p_.field);
    decay_factors(p_, decay_.data(), threads_);
    draw_initial(p_, evolved_.data(), threads_);
    transform(1, evolved_.data(), modes_.data());
    for (int t = 0; t < p_.iterations; ++t) {
      evolve(p_, decay_.data(), modes_.data(), evolved_.data(), threads_);
      transform(-1, evolved_.data(), p_.field);
      p_.checksums[t] = checksum(p_, p_.field);
    }
  }

  [[nodiscard]] rooftop::Work work() const final {
    const auto n = static_cast<double>(p_.size());
    const double iterations = p_.iterations, transforms = iterations + 1;
    const Operations one = transform_operations();
    // Each direction of a transform reads and writes every value. U0 and the factors are written; each iteration reads
    // modes and factors, multiplies, and writes modes twice.
    const double written = p_.transform_only() ? 0 : 24 * n;
    return {.fma_flops = transforms * one.fused,
            .add_flops = transforms * one.lone + 2 * n * iterations,
            .memory_bytes = transforms * 3 * 32 * n + written + 56 * n * iterations,
            .working_set_bytes = p_.transform_only() ? 16 * n : 56 * n,
            .algorithm = "fft"};
  }

 protected:
  /// Throws rooftop::Skip for lengths that are no powers of two, or are shorter than `shortest`.
  StepByStep(const Problem& problem, int threads, Index shortest = 1)
      : p_(problem), threads_(threads), modes_(beside_field()), evolved_(beside_field()), decay_(beside_field()) {
    for (const Index n : {p_.nx, p_.ny, p_.nz}) {
      if (!power_of_two(n)) throw rooftop::Skip("transforms powers of two only");
      if (n < shortest)
        throw rooftop::Skip("transforms lines of " + std::to_string(shortest) + " points and more only");
    }
  }

  /// Transforms lines of one array into the same places of another, or of itself; sign 1 is forth, -1 back.
  virtual void along(int sign, const Lines& lines, const Complex* from, Complex* to) = 0;
  /// Of all three directions.
  [[nodiscard]] virtual Operations transform_operations() const = 0;

  [[nodiscard]] const Problem& problem() const { return p_; }

 private:
  /// The transform alone takes place in the field.
  [[nodiscard]] std::size_t beside_field() const {
    return p_.transform_only() ? 0 : static_cast<std::size_t>(p_.size());
  }

  void transform(int sign, const Complex* from, Complex* to) {
    along(sign, lines_along_x(p_), from, to);
    along(sign, lines_along_y(p_), to, to);
    along(sign, lines_along_z(p_), to, to);
  }

  const Problem& p_;
  int threads_;
  rooftop::AlignedArray<Complex> modes_, evolved_;
  rooftop::AlignedArray<double> decay_;
};

}  // namespace ft
