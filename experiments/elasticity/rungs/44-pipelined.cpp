/// One sum over all ranks for each iteration, which is on its way while the product is computed: pipelined conjugate
/// gradients. Changed from 37-overlap: the vectors A r and A p are carried along by sums of vectors, so that both
/// products of vectors are known before the product with the matrix; 15 vectors are moved an iteration, not 12.
/// Limit attacked: the time of two sums over all ranks, which the others wait for. Evidence: gains with many ranks and
/// a slow network, costs on one machine; without a thread that drives messages a sum moves in MPI's calls alone. Every
/// 25 iterations three products more make A r and the like anew, which drift apart.
/// Source: Ghysels and Vanroose, Hiding global synchronization latency in the preconditioned conjugate gradient
/// algorithm, Parallel Computing 40 (2014), algorithm 3.
// needs: MPI
#include <cmath>

#include "ranked_rows.hpp"

namespace {

using elasticity::Index;

class Pipelined : public elasticity::RankedRows {
 public:
  explicit Pipelined(const elasticity::Problem& problem)
      : RankedRows(problem, elasticity::Order::interior_first),
        r_(values_of(share().all())),
        w_(values_of(share().all())),
        p_(values_of(share().all())),
        q_(values_of(share().own())),
        s_(values_of(share().all())),
        z_(values_of(share().own())) {}

  void run() override {
    const Index size = elasticity::components * share().own();
    double *x = displacement(), *r = r_.data(), *w = w_.data(), *p = p_.data(), *q = q_.data(), *s = s_.data(),
           *z = z_.data();
    std::array<double, 2> own{}, all{};  // r.r and w.r
#pragma omp parallel for num_threads(problem().threads) schedule(static)
    for (Index i = 0; i < size; ++i) {
      r[i] = load()[i];
      x[i] = p[i] = q[i] = s[i] = z[i] = 0;
    }
    multiply(r, w);
    double rr = 0, rw = 0;
#pragma omp parallel for num_threads(problem().threads) schedule(static) reduction(+ : rr, rw)
    for (Index i = 0; i < size; ++i) rr += r[i] * r[i], rw += r[i] * w[i];
    double alpha = 0, before = 0, loaded = 0;
    const std::size_t steps = residuals().size() - 1;
    for (std::size_t step = 1; step <= steps; ++step) {
      own = {rr, rw};
      MPI_Request request = MPI_REQUEST_NULL;
      MPI_Iallreduce(own.data(), all.data(), 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
      if (step < steps && step % renewed == 0) renew();
      if (step < steps) multiply(w, q);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      if (step == 1) loaded = all[0];
      residuals()[step - 1] = std::sqrt(all[0] / loaded);
      const double beta = step == 1 ? 0 : all[0] / before;
      alpha = all[0] / (step == 1 ? all[1] : all[1] - beta * all[0] / alpha);
      before = all[0];
      rr = rw = 0;
#pragma omp parallel for num_threads(problem().threads) schedule(static) reduction(+ : rr, rw)
      for (Index first = 0; first < size; first += run_length) {
        double run_rr = 0, run_rw = 0;  // of all values one by one, sums err more than these steps stand
        for (Index i = first; i < std::min(first + run_length, size); ++i) {
          z[i] = q[i] + beta * z[i];
          s[i] = w[i] + beta * s[i];
          p[i] = r[i] + beta * p[i];
          x[i] += alpha * p[i];
          r[i] -= alpha * s[i];
          w[i] -= alpha * z[i];
          run_rr += r[i] * r[i];
          run_rw += r[i] * w[i];
        }
        rr += run_rr, rw += run_rw;
      }
    }
    residuals()[steps] = std::sqrt(sum(rr) / loaded);
  }

  [[nodiscard]] rooftop::Work work() const override {
    const auto n = static_cast<double>(elasticity::components * problem().mesh.nodes());
    const auto blocks = static_cast<double>(elasticity::block_count(problem().mesh));
    const double products = problem().iterations + 3 * ((problem().iterations - 1) / static_cast<int>(renewed));
    return {.fma_flops = products * 2 * elasticity::block_values * blocks + problem().iterations * 16 * n,
            .add_flops = 0,
            .memory_bytes =
                products * (matrix_bytes() + 2 * sizeof(double) * n) + problem().iterations * 13 * sizeof(double) * n,
            .working_set_bytes = matrix_bytes() + kept_bytes() + 6 * sizeof(double) * n,
            .algorithm = "conjugate gradients"};
  }

 private:
  static constexpr Index run_length = 192;
  static constexpr std::size_t renewed = 25;  ///< steps after which vectors are products again, not sums

  /// w = A r, s = A p and z = A s, which rounding lets drift apart.
  void renew() {
    multiply(r_.data(), w_.data());
    multiply(p_.data(), s_.data());
    multiply(s_.data(), z_.data());
  }

  void multiply(double* x, double* y) {
    begin_exchange(x);
#pragma omp parallel for num_threads(problem().threads) schedule(static)
    for (Index row = 0; row < share().interior(); ++row) multiply_row(row, x, y);
    end_exchange();
#pragma omp parallel for num_threads(problem().threads) schedule(static)
    for (Index row = share().interior(); row < share().own(); ++row) multiply_row(row, x, y);
  }

  rooftop::AlignedArray<double> r_, w_, p_, q_, s_, z_;
};

}  // namespace

ROOFTOP_RUNG(elasticity::Problem, Pipelined);
