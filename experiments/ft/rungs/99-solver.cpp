/// The solver, solvers/fft: both sweeps on tiles that fit the caches, with the widest vectors that the processor has.
/// Changed from 60-two-sweeps: radices up to 16; lines along x one by one, their neighbouring values in vectors;
/// columns in tiles of 2 KiB from each plane, written past the caches; vectors and registers of the processor at hand.
/// Limit attacked: waiting for memory, and passes over the caches. Evidence: the time comes near 64 bytes for each
/// point and iteration at the memory's bandwidth. Source: docs/decisions/0009.
// needs: rooftop_fft
#include <complex>
#include <rooftop/aligned.hpp>
#include <rooftop/fft.hpp>
#include <rooftop/rung.hpp>

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
        scratch_(plan_.scratch_bytes()) {}

  void run() override {
    Complex* const modes = p_.transform_only() ? p_.field : modes_.data();
    if (!p_.transform_only()) ft::draw_initial(p_, modes, p_.threads);
    plan_.run(fft::Direction::forward, raw(modes), raw(modes), scratch_.data());
    for (int t = 1; t <= p_.iterations; ++t) {
      const auto x = ft::decay_along(p_.nx, t), y = ft::decay_along(p_.ny, t), z = ft::decay_along(p_.nz, t);
      const fft::Factors factors{x.data(), y.data(), z.data()};
      plan_.run(fft::Direction::backward, raw(modes_.data()), raw(p_.field), scratch_.data(), &factors);
      p_.checksums[t - 1] = ft::checksum(p_);
    }
  }

  [[nodiscard]] rooftop::Work work() const override {
    const auto n = static_cast<double>(p_.size());
    const double transforms = p_.iterations + 1;
    return {.fma_flops = transforms * plan_.multiply_add_flops(),
            .add_flops = transforms * plan_.lone_flops() + 3 * n * p_.iterations,
            .memory_bytes = (p_.transform_only() ? 0 : 16 * n) + 64 * n + 64 * n * p_.iterations,
            .working_set_bytes = (p_.transform_only() ? 16 : 32) * n,
            .algorithm = "fft"};
  }

 private:
  static std::complex<double>* raw(Complex* values) { return reinterpret_cast<std::complex<double>*>(values); }

  const ft::Problem& p_;
  fft::Plan plan_;
  rooftop::AlignedArray<Complex> modes_;
  rooftop::AlignedArray<std::byte> scratch_;
};

}  // namespace

ROOFTOP_RUNG(ft::Problem, Solver);
