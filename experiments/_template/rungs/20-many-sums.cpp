/// Keep 16 sums, so that additions need not wait for one another.
/// Changed from 10-one-sum: products go to the sums in turn, which also lets the compiler use vectors.
/// Limit attacked: the latency of an addition. What comes next is the bandwidth of the level that holds the vectors.
/// Evidence: the rate grows several times in the L1 cache, and less the farther away the vectors are.
/// Source: Hager and Wellein, Introduction to High Performance Computing for Scientists and Engineers, 2010, 1.2.3.
#include <array>
#include <rooftop/rung.hpp>

#include "problem.hpp"

namespace {

class ManySums : public rooftop::Rung {
 public:
  explicit ManySums(const dot::Problem& problem) : problem_(problem) {}

  // sums[j] = sum over i = j mod 16 of x[i] * y[i]; result = sum over j of sums[j]
  void run() override {
    constexpr std::size_t count = 16;  // latency 4 x 2 additions a cycle x 2 doubles a vector of the baseline
    std::array<double, count> sums{};
    std::size_t i = 0;
    for (; i + count <= problem_.n; i += count) {
      for (std::size_t j = 0; j < count; ++j) sums[j] += problem_.x[i + j] * problem_.y[i + j];
    }
    for (; i < problem_.n; ++i) sums[0] += problem_.x[i] * problem_.y[i];
    double total = 0;
    for (const double sum : sums) total += sum;
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

ROOFTOP_RUNG(dot::Problem, ManySums);
