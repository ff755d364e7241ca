/// Give each thread a part of the vectors and add the parts' sums.
/// Changed from 20-many-sums: the same loop, on as many cores as the case allows.
/// Limit attacked: one core cannot take all of the bandwidth of memory, nor use the others' caches.
/// Evidence: vectors in memory gain until its bandwidth is reached; short ones lose to the cost of starting the team.
#include <algorithm>
#include <array>
#include <rooftop/rung.hpp>

#include "problem.hpp"

namespace {

/// sum over i in [begin, end) of x[i] * y[i]
double part(const dot::Problem& problem, std::size_t begin, std::size_t end) {
  constexpr std::size_t count = 16;
  std::array<double, count> sums{};
  std::size_t i = begin;
  for (; i + count <= end; i += count) {
    for (std::size_t j = 0; j < count; ++j) sums[j] += problem.x[i + j] * problem.y[i + j];
  }
  for (; i < end; ++i) sums[0] += problem.x[i] * problem.y[i];
  double total = 0;
  for (const double sum : sums) total += sum;
  return total;
}

class Threads : public rooftop::Rung {
 public:
  explicit Threads(const dot::Problem& problem) : problem_(problem) {}

  void run() override {
    const auto parts = static_cast<std::size_t>(problem_.threads);
    const std::size_t n = problem_.n;
    double total = 0;
#pragma omp parallel for num_threads(problem_.threads) schedule(static, 1) reduction(+ : total)
    for (std::size_t p = 0; p < parts; ++p)
      total += part(problem_, n / parts * p + std::min(p, n % parts), n / parts * (p + 1) + std::min(p + 1, n % parts));
    *problem_.result = total;
  }

  [[nodiscard]] rooftop::Work work() const override {
    const auto n = static_cast<double>(problem_.n);
    return {.fma_flops = 2 * n,
            .add_flops = 0,
            .memory_bytes = 16 * n,
            .working_set_bytes = 16 * n,
            .algorithm = "any order"};
  }

 private:
  const dot::Problem& problem_;
};

}  // namespace

ROOFTOP_RUNG(dot::Problem, Threads);
