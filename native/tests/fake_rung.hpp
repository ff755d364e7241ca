/// What the fake rungs share: they differ in run() only.
#pragma once

#include <rooftop/rung.hpp>

#include "fake_problem.hpp"

namespace fake {

class DoublingRung : public rooftop::Rung {
 public:
  explicit DoublingRung(const Problem& problem) : problem_(problem) {}
  void run() override {
    for (std::size_t i = 0; i < problem_.size; ++i) problem_.out[i] = 2 * problem_.in[i];
  }
  [[nodiscard]] rooftop::Work work() const override {
    const auto size = static_cast<double>(problem_.size);
    return {.fma_flops = 0,
            .add_flops = size,
            .memory_bytes = 16 * size,
            .working_set_bytes = 16 * size,
            .algorithm = "exact"};
  }

 protected:
  const Problem& problem_;
};

}  // namespace fake
