/// One sum over all ranks for two iterations: conjugate gradients that go two steps at once.
/// Changed from 44-pipelined: 13 products of vectors together, not two and two; nothing is computed while they are on
/// their way. Neighbours still exchange values before each product.
/// Limit attacked: the time of sums over all ranks. Evidence: gains with many ranks and a slow network; on one machine
/// it moves 12.5 vectors an iteration, not 12.
/// Source: Chronopoulos and Gear, s-step iterative methods for symmetric linear systems, 1989, with s = 2; more steps
/// need a better basis than A's powers.
// needs: MPI
#include <cmath>

#include "ranked_rows.hpp"
#include "two_steps.hpp"

namespace {

using elasticity::Index;
using elasticity::TwoSteps;

class RankedTwoSteps : public elasticity::RankedRows {
 public:
  explicit RankedTwoSteps(const elasticity::Problem& problem)
      : RankedRows(problem, elasticity::Order::interior_first),
        r_(values_of(share().all())),
        w_(values_of(share().all())),
        v_(values_of(share().own())),
        p1_(values_of(share().own())),
        p2_(values_of(share().own())),
        q1_(values_of(share().own())),
        q2_(values_of(share().own())) {}

  void run() override {
    const Index size = elasticity::components * share().own();
    double *x = displacement(), *r = r_.data(), *w = w_.data(), *v = v_.data();
    double *p1 = p1_.data(), *p2 = p2_.data(), *q1 = q1_.data(), *q2 = q2_.data();
#pragma omp parallel for num_threads(problem().threads) schedule(static)
    for (Index i = 0; i < size; ++i) {
      r[i] = load()[i];
      x[i] = v[i] = p1[i] = p2[i] = q1[i] = q2[i] = 0;
    }
    TwoSteps steps;
    double loaded = 0;
    const std::size_t last = residuals().size() - 1;
    for (std::size_t step = 0; step < last; step += 2) {
      const bool both = step + 1 < last;
      multiply(r, w);
      if (both) multiply(w, v);
      const TwoSteps::Sums all = sums();
      if (step == 0) loaded = all[TwoSteps::rr];
      steps.advance(all);
      residuals()[step] = std::sqrt(all[TwoSteps::rr] / loaded);
      if (both) residuals()[step + 1] = std::sqrt(steps.between / loaded);
      const double b11 = steps.of_first[0], b12 = steps.of_first[1];
      const double b21 = steps.of_second[0], b22 = steps.of_second[1];
      const double a1 = both ? steps.along[0] : steps.along_first, a2 = both ? steps.along[1] : 0;
#pragma omp parallel for num_threads(problem().threads) schedule(static)
      for (Index i = 0; i < size; ++i) {
        const double first = r[i] + b11 * p1[i] + b12 * p2[i], of_first = w[i] + b11 * q1[i] + b12 * q2[i];
        const double second = w[i] + b21 * p1[i] + b22 * p2[i], of_second = v[i] + b21 * q1[i] + b22 * q2[i];
        x[i] += a1 * first + a2 * second;
        r[i] -= a1 * of_first + a2 * of_second;
        p1[i] = first, p2[i] = second, q1[i] = of_first, q2[i] = of_second;
      }
    }
    double rr = 0;
#pragma omp parallel for num_threads(problem().threads) schedule(static) reduction(+ : rr)
    for (Index i = 0; i < size; ++i) rr += r[i] * r[i];
    residuals()[last] = std::sqrt(sum(rr) / loaded);
  }

  [[nodiscard]] rooftop::Work work() const override {
    const auto n = static_cast<double>(elasticity::components * problem().mesh.nodes());
    const auto blocks = static_cast<double>(elasticity::block_count(problem().mesh));
    return {.fma_flops = problem().iterations * (2 * elasticity::block_values * blocks + 25 * n),
            .add_flops = 0,
            .memory_bytes = problem().iterations * (matrix_bytes() + 12.5 * sizeof(double) * n),
            .working_set_bytes = matrix_bytes() + kept_bytes() + 7 * sizeof(double) * n,
            .algorithm = "conjugate gradients"};
  }

 private:
  TwoSteps::Sums sums() const {
    const TwoSteps::Vectors vectors{r_.data(), w_.data(), v_.data(), p1_.data(), p2_.data(), q1_.data(), q2_.data()};
    const Index size = elasticity::components * share().own(), runs = (size + TwoSteps::run - 1) / TwoSteps::run;
    TwoSteps::Sums own{}, all{};
#pragma omp parallel num_threads(problem().threads)
    {
      TwoSteps::Sums of_thread{};
#pragma omp for schedule(static) nowait
      for (Index run = 0; run < runs; ++run)
        TwoSteps::add(vectors, run * TwoSteps::run, std::min((run + 1) * TwoSteps::run, size), of_thread);
#pragma omp critical
      for (std::size_t which = 0; which < TwoSteps::sums; ++which) own[which] += of_thread[which];
    }
    MPI_Allreduce(own.data(), all.data(), TwoSteps::sums, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
  }

  void multiply(double* x, double* y) {
    begin_exchange(x);
#pragma omp parallel for num_threads(problem().threads) schedule(static)
    for (Index row = 0; row < share().interior(); ++row) multiply_row(row, x, y);
    end_exchange();
#pragma omp parallel for num_threads(problem().threads) schedule(static)
    for (Index row = share().interior(); row < share().own(); ++row) multiply_row(row, x, y);
  }

  rooftop::AlignedArray<double> r_, w_, v_, p1_, p2_, q1_, q2_;
};

}  // namespace

ROOFTOP_RUNG(elasticity::Problem, RankedTwoSteps);
