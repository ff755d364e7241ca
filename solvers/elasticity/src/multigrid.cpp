#include <utility>

#include "approximate_inverse.hpp"
#include "cascade.hpp"
#include "grading.hpp"

namespace rooftop::elasticity {
namespace {

constexpr int polynomial_steps = 8;  // where there is no coarser box

class Polynomial : public ApproximateInverse {
 public:
  explicit Polynomial(Level level) : level_(std::move(level)) {}

  void apply(const Field<double>& r, double norm, Field<double>& z) override {
    take(r, norm, level_);
    level_.relax(polynomial_steps, true, false);
    give(level_, norm, z);
  }
  [[nodiscard]] double bytes() const override { return level_.bytes(); }

 private:
  Level level_;
};

class Multigrid : public ApproximateInverse {
 public:
  explicit Multigrid(Cascade boxes) : boxes_(std::move(boxes)) {}

  void apply(const Field<double>& r, double norm, Field<double>& z) override {
    take(r, norm, boxes_.finest());
    boxes_.cycle();
    give(boxes_.finest(), norm, z);
  }
  [[nodiscard]] double bytes() const override { return boxes_.bytes(); }

 private:
  Cascade boxes_;
};

}  // namespace

std::unique_ptr<ApproximateInverse> chebyshev(Level level) { return std::make_unique<Polynomial>(std::move(level)); }

std::unique_ptr<ApproximateInverse> chebyshev(const AnyBox& box, const Operator<double>& matrix, const Free& free,
                                              int threads, const GoOn& go_on) {
  Level level(single_precision(box, &matrix, threads, go_on), free, threads);
  level.prepare(go_on);
  return chebyshev(std::move(level));
}

std::unique_ptr<ApproximateInverse> multigrid(const AnyBox& box, const Operator<double>& matrix, const Free& free,
                                              int threads, const GoOn& go_on) {
  const int steps = smoothing_steps_of(grading_of(box));
  return std::make_unique<Multigrid>(Cascade(box, &matrix, free, 0, steps, threads, go_on));
}

}  // namespace rooftop::elasticity
