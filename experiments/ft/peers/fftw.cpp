/// The benchmark composed from FFTW: its planned transforms, and one fused sweep for the decay.
/// Given its best: planned by measuring, in place and from one array to another, of which the faster is taken; the
/// decay as a product of three small tables, all threads in every step. The transform alone is planned in place.
// needs: FFTW3
#include <fftw3.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <rooftop/aligned.hpp>
#include <rooftop/clock.hpp>
#include <rooftop/rung.hpp>

#include "steps.hpp"

namespace {

using ft::Complex;
using ft::Index;

class Plan {
 public:
  Plan(const ft::Problem& p, Complex* from, Complex* to, int sign)
      : plan_(fftw_plan_dft_3d(static_cast<int>(p.nz), static_cast<int>(p.ny), static_cast<int>(p.nx), raw(from),
                               raw(to), sign, FFTW_MEASURE)) {
    if (plan_ == nullptr) throw rooftop::Skip("FFTW makes no plan for this size");
  }
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;
  ~Plan() { fftw_destroy_plan(plan_); }
  void run() const { fftw_execute(plan_); }

 private:
  static fftw_complex* raw(Complex* values) { return reinterpret_cast<fftw_complex*>(values); }
  fftw_plan plan_;
};

/// Once for the process, before the first plan.
int with_threads(int threads) {
  if (fftw_init_threads() == 0) throw rooftop::Skip("FFTW cannot start its threads");
  fftw_plan_with_nthreads(threads);
  return threads;
}

class Fftw : public rooftop::Rung {
 public:
  explicit Fftw(const ft::Problem& problem)
      : p_(problem),
        threads_(with_threads(problem.threads)),
        modes_(beside_field()),
        decayed_(beside_field()),
        forth_(p_, modes(), modes(), FFTW_FORWARD) {
    if (p_.transform_only()) return;
    back_in_place_.emplace(p_, p_.field, p_.field, FFTW_BACKWARD);
    back_.emplace(p_, decayed_.data(), p_.field, FFTW_BACKWARD);
  }

  void prepare() override {
    if (p_.transform_only()) return;
    const auto shortest_ns = [this](const Plan& plan) {
      std::int64_t shortest = std::numeric_limits<std::int64_t>::max();
      for (int turn = 0; turn < 3; ++turn) {
        ft::draw_initial(p_, p_.field, threads_);
        ft::draw_initial(p_, decayed_.data(), threads_);
        const std::int64_t start = rooftop::now_ns();
        plan.run();
        shortest = std::min(shortest, rooftop::now_ns() - start);
      }
      return shortest;
    };
    in_place_ = shortest_ns(*back_in_place_) <= shortest_ns(*back_);
  }

  void run() override {
    if (!p_.transform_only()) ft::draw_initial(p_, modes(), threads_);
    forth_.run();
    for (int t = 1; t <= p_.iterations; ++t) {
      decay(t, in_place_ ? p_.field : decayed_.data());
      (in_place_ ? back_in_place_ : back_)->run();
      p_.checksums[t - 1] = ft::checksum(p_, p_.field);
    }
  }

  [[nodiscard]] rooftop::Work work() const override {
    const auto n = static_cast<double>(p_.size());
    // What FFTW really does is its own affair: the count by which FFTs are rated, and each direction's sweep.
    return {.fma_flops = 0,
            .add_flops = (p_.iterations + 1) * 5 * n * std::log2(n) + 3 * n * p_.iterations,
            .memory_bytes = (p_.transform_only() ? 0 : 16 * n) + 64 * n + (32 + 64) * n * p_.iterations,
            .working_set_bytes = (p_.transform_only() ? 16 : 32) * n,
            .algorithm = "fft"};
  }

 private:
  [[nodiscard]] std::size_t beside_field() const {
    return p_.transform_only() ? 0 : static_cast<std::size_t>(p_.size());
  }
  [[nodiscard]] Complex* modes() { return p_.transform_only() ? p_.field : modes_.data(); }

  void decay(int t, Complex* decayed) const {
    const auto x = ft::decay_along(p_.nx, t), y = ft::decay_along(p_.ny, t), z = ft::decay_along(p_.nz, t);
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (Index line = 0; line < p_.ny * p_.nz; ++line) {
      const double factor = y[static_cast<std::size_t>(line % p_.ny)] * z[static_cast<std::size_t>(line / p_.ny)];
      const Complex* const from = modes_.data() + line * p_.nx;
      Complex* const to = decayed + line * p_.nx;
      for (Index i = 0; i < p_.nx; ++i) {
        const double both = factor * x[static_cast<std::size_t>(i)];
        to[i] = {from[i].re * both, from[i].im * both};
      }
    }
  }

  const ft::Problem& p_;
  int threads_;
  rooftop::AlignedArray<Complex> modes_, decayed_;
  Plan forth_;
  std::optional<Plan> back_in_place_, back_;
  bool in_place_ = true;
};

}  // namespace

ROOFTOP_RUNG(ft::Problem, Fftw);
