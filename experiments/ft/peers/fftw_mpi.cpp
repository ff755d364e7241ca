/// The benchmark composed from FFTW on MPI ranks: its planned transforms, and one fused sweep for the decay.
/// Given its best: planned by measuring, the modes left transposed, which saves an exchange each way, in place and from
/// one array to another, of which the faster is taken; the decay as a product of three small tables.
// needs: FFTW3_MPI, MPI
#include <fftw3-mpi.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <rooftop/aligned.hpp>
#include <rooftop/clock.hpp>
#include <rooftop/rung.hpp>

#include "ranks.hpp"
#include "steps.hpp"

namespace {

using ft::Complex;
using ft::Index;

fftw_complex* raw(Complex* values) { return reinterpret_cast<fftw_complex*>(values); }

/// What FFTW gives this rank: planes of z in space, rows of y of the modes, which lie row by row.
struct Shares {
  ft::Part planes{}, rows{};
  std::size_t values = 0;

  explicit Shares(const ft::Problem& p) {
    if (p.threads != 1) throw rooftop::Skip("FFTW's ranks are planned for one thread each");
    // Its answer for 16 x 9 x 1 is in another order than the documented one.
    if (p.ny == 1 || p.nz == 1) throw rooftop::Skip("FFTW's modes of a single plane or row are not transposed as told");
    fftw_mpi_init();
    ptrdiff_t z_count = 0, z_first = 0, y_count = 0, y_first = 0;
    const ptrdiff_t all =
        fftw_mpi_local_size_3d_transposed(p.nz, p.ny, p.nx, MPI_COMM_WORLD, &z_count, &z_first, &y_count, &y_first);
    planes = {z_first, z_count}, rows = {y_first, y_count};
    values = static_cast<std::size_t>(std::max<ptrdiff_t>(all, 1));
  }
};

class Plan {
 public:
  Plan(const ft::Problem& p, Complex* from, Complex* to, int sign)
      : plan_(fftw_mpi_plan_dft_3d(
            p.nz, p.ny, p.nx, raw(from), raw(to), MPI_COMM_WORLD, sign,
            FFTW_MEASURE | (sign == FFTW_FORWARD ? FFTW_MPI_TRANSPOSED_OUT : FFTW_MPI_TRANSPOSED_IN))) {
    if (plan_ == nullptr) throw rooftop::Skip("FFTW makes no plan for this size");
  }
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;
  ~Plan() { fftw_destroy_plan(plan_); }
  void run() const { fftw_execute(plan_); }

 private:
  fftw_plan plan_;
};

class FftwMpi : public rooftop::Rung {
 public:
  explicit FftwMpi(const ft::Problem& problem)
      : p_(problem),
        shares_(p_),
        modes_(shares_.values),
        field_(p_.transform_only() ? 0 : shares_.values),
        decayed_(p_.transform_only() ? 0 : shares_.values),
        forth_(p_, modes_.data(), modes_.data(), FFTW_FORWARD) {
    if (p_.transform_only()) return;
    back_in_place_ = std::make_unique<Plan>(p_, field_.data(), field_.data(), FFTW_BACKWARD);
    back_ = std::make_unique<Plan>(p_, decayed_.data(), field_.data(), FFTW_BACKWARD);
  }

  void prepare() override {
    if (p_.transform_only()) return;
    const double here = shortest_s(*back_in_place_), there = shortest_s(*back_);
    const double mine[] = {here, there};
    double slowest[2];
    MPI_Allreduce(mine, slowest, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    in_place_ = slowest[0] <= slowest[1];
  }

  void run() override {
    if (p_.transform_only()) {
      if (drawn_ != p_.draws) ft::draw_planes(p_, shares_.planes, modes_.data());
      drawn_ = p_.draws;
      return forth_.run();
    }
    ft::draw_planes(p_, shares_.planes, modes_.data());
    forth_.run();
    for (int t = 1; t <= p_.iterations; ++t) {
      decay(t, in_place_ ? field_.data() : decayed_.data());
      (in_place_ ? *back_in_place_ : *back_).run();
      ft::sum_planes(p_, t, shares_.planes, field_.data());
    }
  }

  void finish() override {
    if (p_.transform_only()) {
      ft::hand_over(p_, {shares_.rows, {0, p_.nz}, true}, modes_.data());
    } else {
      ft::hand_over(p_, {{0, p_.ny}, shares_.planes}, field_.data());
    }
  }

  [[nodiscard]] rooftop::Work work() const override {
    const auto n = static_cast<double>(p_.size());
    // What FFTW really does is its own affair: the count by which FFTs are rated, each direction's sweep, and a copy
    // into and out of messages.
    return {.fma_flops = 0,
            .add_flops = (p_.iterations + 1) * 5 * n * std::log2(n) + 3 * n * p_.iterations,
            .memory_bytes = (p_.transform_only() ? 0 : 16 * n) + 128 * n + (32 + 128) * n * p_.iterations,
            .working_set_bytes = 32 * n,
            .algorithm = "fft"};
  }

 private:
  [[nodiscard]] double shortest_s(const Plan& plan) {
    std::int64_t shortest = std::numeric_limits<std::int64_t>::max();
    for (int turn = 0; turn < 3; ++turn) {
      ft::draw_planes(p_, shares_.planes, field_.data());
      ft::draw_planes(p_, shares_.planes, decayed_.data());
      MPI_Barrier(MPI_COMM_WORLD);
      const std::int64_t start = rooftop::now_ns();
      plan.run();
      shortest = std::min(shortest, rooftop::now_ns() - start);
    }
    return static_cast<double>(shortest) * 1e-9;
  }

  void decay(int t, Complex* decayed) const {
    const auto x = ft::decay_along(p_.nx, t), y = ft::decay_along(p_.ny, t), z = ft::decay_along(p_.nz, t);
    for (Index line = 0; line < shares_.rows.count * p_.nz; ++line) {
      const Index row = shares_.rows.first + line / p_.nz;
      const double factor = y[static_cast<std::size_t>(row)] * z[static_cast<std::size_t>(line % p_.nz)];
      const Complex* const from = modes_.data() + line * p_.nx;
      Complex* const to = decayed + line * p_.nx;
      for (Index i = 0; i < p_.nx; ++i) {
        const double both = factor * x[static_cast<std::size_t>(i)];
        to[i] = {from[i].re * both, from[i].im * both};
      }
    }
  }

  const ft::Problem& p_;
  Shares shares_;
  rooftop::AlignedArray<Complex> modes_, field_, decayed_;
  Plan forth_;
  std::unique_ptr<Plan> back_in_place_, back_;
  bool in_place_ = true;
  std::uint64_t drawn_ = 0;
};

}  // namespace

ROOFTOP_RUNG(ft::Problem, FftwMpi);
