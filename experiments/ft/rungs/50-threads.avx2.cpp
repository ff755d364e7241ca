/// The batches shared by all threads, and so are the steps around the transforms.
/// Changed from 40-batched: nothing but who does what. Each thread has a buffer of its own.
/// Limit attacked: one core's arithmetic, and the few misses that it can have under way at a time.
/// Evidence: small grids gain nearly the number of cores; large ones stop where the memory's bandwidth is reached.
/// Source: Hager and Wellein, Introduction to High Performance Computing for Scientists and Engineers, 2010, 6.1.
#include <rooftop/aligned.hpp>
#include <rooftop/rung.hpp>

#include "batches.hpp"
#include "steps.hpp"

namespace {

using ft::Complex;
using ft::Index;

class Threads : public rooftop::Rung {
 public:
  explicit Threads(const ft::Problem& problem) : p_(problem), modes_(points()), evolved_(points()), decay_(points()) {
    if (!ft::power_of_two(p_.nx) || !ft::power_of_two(p_.ny) || !ft::power_of_two(p_.nz)) {
      throw rooftop::Skip("transforms powers of two only");
    }
  }

  void run() override {
    ft::decay_factors(p_, decay_.data(), p_.threads);
    ft::draw_initial(p_, evolved_.data(), p_.threads);
    transform(1, evolved_.data(), modes_.data());
    for (int t = 0; t < p_.iterations; ++t) {
      ft::evolve(p_, decay_.data(), modes_.data(), evolved_.data(), p_.threads);
      transform(-1, evolved_.data(), p_.field);
      p_.checksums[t] = ft::checksum(p_);
    }
  }

  [[nodiscard]] rooftop::Work work() const override {
    const auto n = static_cast<double>(p_.size());
    const double transforms = p_.iterations + 1;
    const ft::StepsWork steps = ft::steps_work(p_);
    const ft::ButterflyWork done = ft::transform_work(p_);
    return {.fma_flops = transforms * done.fused,
            .add_flops = transforms * done.lone + steps.flops,
            .memory_bytes = transforms * 3 * 32 * n + steps.bytes,
            .working_set_bytes = 56 * n,
            .algorithm = "fft"};
  }

 private:
  [[nodiscard]] std::size_t points() const { return static_cast<std::size_t>(p_.size()); }

  void transform(int sign, const Complex* from, Complex* to) {
    along(sign, {p_.nx, 1, p_.ny * p_.nz, p_.nx, 1, 0}, from, to);
    along(sign, {p_.ny, p_.nx, p_.nx, 1, p_.nz, p_.nx * p_.ny}, to, to);
    along(sign, {p_.nz, p_.nx * p_.ny, p_.nx * p_.ny, 1, 1, 0}, to, to);
  }

  void along(int sign, const ft::Lines& lines, const Complex* from, Complex* to) const {
    const ft::Passes passes(lines.n);
    const Index count = ft::batches(lines);
#pragma omp parallel num_threads(p_.threads)
    {
      rooftop::AlignedArray<ft::BatchRow> buffer(static_cast<std::size_t>(2 * lines.n));
#pragma omp for schedule(static)
      for (Index batch = 0; batch < count; ++batch) {
        ft::transform_lines(passes, sign, lines, from, to, buffer.data(), batch, batch + 1);
      }
    }
  }

  const ft::Problem& p_;
  rooftop::AlignedArray<Complex> modes_, evolved_;
  rooftop::AlignedArray<double> decay_;
};

}  // namespace

ROOFTOP_RUNG(ft::Problem, Threads);
