/// Eight lines at a time, beside one another in a buffer that stays in the caches.
/// Changed from 30-radix-8: a vector holds one value of several lines, so that every pass is vectors only, and copies
/// along y and z take whole cache lines. Limit attacked: 16 of every 64 bytes used, and one translation of an address
/// for each value, along y and z. Evidence: the three directions take nearly the same time; misses of the caches fall
/// about fourfold along y and z. Source: NPB's own fftblock; the SW26010 case's local store, filled in groups of eight
/// consecutive values.
#include <rooftop/aligned.hpp>
#include <rooftop/rung.hpp>

#include "batches.hpp"
#include "steps.hpp"

namespace {

using ft::Complex;
using ft::Index;

class Batched : public rooftop::Rung {
 public:
  explicit Batched(const ft::Problem& problem) : p_(problem), modes_(points()), evolved_(points()), decay_(points()) {
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

  static void along(int sign, const ft::Lines& lines, const Complex* from, Complex* to) {
    const ft::Passes passes(lines.n);
    rooftop::AlignedArray<ft::BatchRow> buffer(static_cast<std::size_t>(2 * lines.n));
    ft::transform_lines(passes, sign, lines, from, to, buffer.data(), 0, ft::batches(lines));
  }

  const ft::Problem& p_;
  rooftop::AlignedArray<Complex> modes_, evolved_;
  rooftop::AlignedArray<double> decay_;
};

}  // namespace

ROOFTOP_RUNG(ft::Problem, Batched);
