/// Eight lines at a time, beside one another in a buffer that stays in the caches.
/// Changed from 30-radix-8: a vector holds one value of several lines, so that every pass is vectors only, and copies
/// along y and z take whole cache lines. Limit attacked: 16 of every 64 bytes used, and one translation of an address
/// for each value, along y and z. Evidence: the three directions take nearly the same time; misses of the caches fall
/// about fourfold along y and z. Source: NPB's own fftblock; the SW26010 case's local store, filled in groups of eight
/// consecutive values.
// threads: none, but those of steps.hpp, which 50-threads has too
#include <rooftop/aligned.hpp>
#include <rooftop/rung.hpp>

#include "batches.hpp"
#include "step_by_step.hpp"

namespace {

using ft::Complex;
using ft::Index;

class Batched : public ft::StepByStep {
 public:
  explicit Batched(const ft::Problem& problem) : StepByStep(problem, 1) {}

 private:
  void along(int sign, const ft::Lines& lines, const Complex* from, Complex* to) override {
    const ft::Passes passes(lines.n);
    rooftop::AlignedArray<ft::BatchRow> buffer(static_cast<std::size_t>(2 * lines.n));
    ft::transform_lines(passes, sign, lines, from, to, buffer.data(), 0, ft::batches(lines));
  }

  [[nodiscard]] ft::Operations transform_operations() const override { return ft::radix_8_operations(problem()); }
};

}  // namespace

ROOFTOP_RUNG(ft::Problem, Batched);
