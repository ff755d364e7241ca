/// Add every product to one sum, as the formula reads.
/// The bottom of the ladder: nothing changed yet.
/// Limit: each addition waits for the one before, 4 cycles on recent cores, however many units stand idle.
/// Evidence: the rate is one multiply-add per addition latency, the same for vectors in the L1 cache and in memory.
#include <rooftop/rung.hpp>

#include "problem.hpp"

namespace {

class OneSum : public rooftop::Rung {
 public:
  explicit OneSum(const dot::Problem& problem) : problem_(problem) {}

  // result = sum over i of x[i] * y[i]
  void run() override {
    double sum = 0;
    for (std::size_t i = 0; i < problem_.n; ++i) sum += problem_.x[i] * problem_.y[i];
    *problem_.result = sum;
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

ROOFTOP_RUNG(dot::Problem, OneSum);
