/// The batches shared by all threads, and so are the steps around the transforms.
/// Changed from 40-batched: nothing but who does what. Each thread has a buffer of its own.
/// Limit attacked: one core's arithmetic, and the few misses that it can have under way at a time.
/// Evidence: small grids gain nearly the number of cores; large ones stop where the memory's bandwidth is reached.
/// Source: Hager and Wellein, Introduction to High Performance Computing for Scientists and Engineers, 2010, 6.1.
#include <rooftop/aligned.hpp>
#include <rooftop/rung.hpp>

#include "batches.hpp"
#include "step_by_step.hpp"

namespace {

using ft::Complex;
using ft::Index;

class Threads : public ft::StepByStep {
 public:
  explicit Threads(const ft::Problem& problem) : StepByStep(problem, problem.threads) {}

 private:
  void along(int sign, const ft::Lines& lines, const Complex* from, Complex* to) override {
    const ft::Passes passes(lines.n);
    const Index count = ft::batches(lines);
#pragma omp parallel num_threads(problem().threads)
    {
      rooftop::AlignedArray<ft::BatchRow> buffer(static_cast<std::size_t>(2 * lines.n));
#pragma omp for schedule(static)
      for (Index batch = 0; batch < count; ++batch) {
        ft::transform_lines(passes, sign, lines, from, to, buffer.data(), batch, batch + 1);
      }
    }
  }

  [[nodiscard]] ft::Operations transform_operations() const override { return ft::radix_8_operations(problem()); }
};

}  // namespace

ROOFTOP_RUNG(ft::Problem, Threads);
