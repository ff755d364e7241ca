/// The solver, solvers/fft: both sweeps on tiles that fit the caches, with the widest vectors that the processor has.
/// Changed from 60-two-sweeps: radices up to 16; lines along x one by one, their neighbouring values in vectors;
/// columns in tiles of 1 KiB from each plane, written past the caches while the next ones are read; modes read once for
/// two iterations; U0 drawn in vectors, into planes that are transformed next; vectors and registers of the processor
/// at hand. Limit attacked: waiting for memory, and passes over the caches. Evidence: the time comes near 56 bytes for
/// each point and iteration at the memory's bandwidth. Source: docs/decisions/0009.
// needs: rooftop_fft
#include <complex>
#include <rooftop/aligned.hpp>
#include <rooftop/fft.hpp>
#include <rooftop/rung.hpp>
#include <vector>

#include "initial_in_vectors.hpp"
#include "steps.hpp"

namespace {

namespace fft = rooftop::fft;
using ft::Complex;
using ft::Index;

fft::Plan plan_of(const ft::Problem& p) {
  try {
    return fft::Plan({p.nx, p.ny, p.nz}, {.threads = p.threads});
  } catch (const fft::InvalidArgument& error) {
    throw rooftop::Skip(error.what());
  }
}

class Solver : public rooftop::Rung {
 public:
  explicit Solver(const ft::Problem& problem)
      : p_(problem),
        plan_(plan_of(p_)),
        modes_(p_.transform_only() ? 0 : static_cast<std::size_t>(p_.size())),
        earlier_(p_.iterations < 2 ? 0 : static_cast<std::size_t>(p_.size())),
        scratch_(plan_.scratch_bytes()) {}

  void run() override {
    if (p_.transform_only()) {
      return plan_.run(fft::Direction::forward, raw(p_.field), raw(p_.field), scratch_.data());
    }
    Complex* const modes = modes_.data();
    const auto draw = [this](Index z, std::complex<double>* plane) {
      const Index values = p_.nx * p_.ny;
      ft::draw_initial_in_vectors(values * z, values, reinterpret_cast<Complex*>(plane));
    };
    plan_.run_from(draw, raw(p_.field), raw(modes), scratch_.data());
    int t = 1;
    if (p_.iterations % 2 == 1) {
      const Step step(p_, t);
      plan_.run(fft::Direction::backward, raw(modes), raw(p_.field), scratch_.data(), &step.factors);
      p_.checksums[t++ - 1] = ft::checksum(p_, p_.field);
    }
    for (; t < p_.iterations; t += 2) {
      const Step earlier(p_, t), later(p_, t + 1);
      plan_.run_two(raw(modes), {earlier.factors, raw(earlier_.data())}, {later.factors, raw(p_.field)},
                    scratch_.data());
      p_.checksums[t - 1] = ft::checksum(p_, earlier_.data());
      p_.checksums[t] = ft::checksum(p_, p_.field);
    }
  }

  [[nodiscard]] rooftop::Work work() const override {
    const auto n = static_cast<double>(p_.size());
    const double transforms = p_.iterations + 1,
                 pairs = p_.iterations / 2;  // NOLINT(bugprone-integer-division): whole pairs
    return {.fma_flops = transforms * plan_.multiply_add_flops(),
            .add_flops = transforms * plan_.lone_flops() + 3 * n * p_.iterations,
            .memory_bytes = p_.transform_only() ? 64 * n : 48 * n + 64 * n * p_.iterations - 16 * n * pairs,
            .working_set_bytes = (p_.transform_only() ? 16
                                  : p_.iterations < 2 ? 32
                                                      : 48) *
                                 n,
            .algorithm = "fft"};
  }

 private:
  /// The factors after t iterations.
  struct Step {
    std::vector<double> x, y, z;
    fft::Factors factors;

    Step(const ft::Problem& p, int t)
        : x(ft::decay_along(p.nx, t)),
          y(ft::decay_along(p.ny, t)),
          z(ft::decay_along(p.nz, t)),
          factors{x.data(), y.data(), z.data()} {}
  };

  static std::complex<double>* raw(Complex* values) { return reinterpret_cast<std::complex<double>*>(values); }

  const ft::Problem& p_;
  fft::Plan plan_;
  rooftop::AlignedArray<Complex> modes_, earlier_;  ///< of two iterations at a time, the earlier one's field
  rooftop::AlignedArray<std::byte> scratch_;
};

}  // namespace

ROOFTOP_RUNG(ft::Problem, Solver);
