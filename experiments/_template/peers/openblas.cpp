/// OpenBLAS's ddot, with as many threads as the case allows.
// needs: OpenBLAS
#include <cblas.h>

#include <limits>
#include <rooftop/rung.hpp>

#include "problem.hpp"

namespace {

class OpenBlas : public rooftop::Rung {
 public:
  explicit OpenBlas(const dot::Problem& problem) : problem_(problem) {
    // A vector's length is a blasint, of 32 or 64 bits.
    if (problem.n > static_cast<std::size_t>(std::numeric_limits<blasint>::max())) {
      throw rooftop::Skip("the vectors are longer than OpenBLAS's integers count");
    }
    openblas_set_num_threads(problem.threads);
  }

  void run() override { *problem_.result = cblas_ddot(static_cast<blasint>(problem_.n), problem_.x, 1, problem_.y, 1); }

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

ROOFTOP_RUNG(dot::Problem, OpenBlas);
