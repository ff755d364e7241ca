/// Two products for each time that the matrix is read: plane by plane, A r in one and A A r in the plane before.
/// Changed from 46-two-steps, whose steps it takes, and 40-merged-sweeps: threads share each plane and meet once in it.
/// Limit attacked: the bytes of the matrix, half of them, if two planes of it stay in the caches: 2 kB for each node,
/// 13 MB for a plane of 80 x 80. Evidence: time falls where the last cache has them, and rises where not.
/// Source: Mohiyuddin, Hoemmen, Demmel and Yelick, Minimizing communication in sparse matrix solvers, SC 2009.
#include <omp.h>

#include <cmath>
#include <rooftop/aligned.hpp>
#include <rooftop/rung.hpp>
#include <vector>

#include "block_rows.hpp"
#include "two_steps.hpp"

namespace {

using elasticity::components;
using elasticity::Index;
using elasticity::TwoSteps;

class Planes : public rooftop::Rung {
 public:
  explicit Planes(const elasticity::Problem& problem)
      : problem_(problem),
        matrix_(problem),
        r_(size()),
        w_(size()),
        v_(size()),
        p1_(size()),
        p2_(size()),
        q1_(size()),
        q2_(size()),
        sums_(static_cast<std::size_t>(2 * line * problem.threads)) {}

  void prepare() override {
#pragma omp parallel num_threads(problem_.threads)
    for_planes([&](Index begin, Index end) { matrix_.fill(problem_, begin, end); });
  }

  void run() override {
#pragma omp parallel num_threads(problem_.threads)
    step_by_step();
  }

  [[nodiscard]] rooftop::Work work() const override {
    const auto n = static_cast<double>(size());
    const auto blocks = static_cast<double>(elasticity::block_count(problem_.mesh));
    const double sweeps = (problem_.iterations + 1) / 2;  // each two products, the last one maybe only one
    return {.fma_flops = problem_.iterations * (2 * elasticity::block_values * blocks + 25 * n),
            .add_flops = 0,
            .memory_bytes = sweeps * (matrix_.bytes() + 21 * sizeof(double) * n),
            .working_set_bytes = matrix_.bytes() + 9 * sizeof(double) * n,
            .algorithm = "conjugate gradients"};
  }

 private:
  static constexpr Index line = 16;  // doubles: no two threads write to one cache line

  /// What each thread does, from the first step to the last.
  void step_by_step() {
    double* x = problem_.displacement;
    double *r = r_.data(), *w = w_.data(), *v = v_.data();
    double *p1 = p1_.data(), *p2 = p2_.data(), *q1 = q1_.data(), *q2 = q2_.data();
    for_values([&](Index i) {
      r[i] = problem_.load[i];
      x[i] = w[i] = v[i] = p1[i] = p2[i] = q1[i] = q2[i] = 0;
    });
    TwoSteps steps;  // each thread has the same numbers
    double loaded = 0;
    for (int step = 0; step < problem_.iterations; step += 2) {
#pragma omp barrier
      const bool both = step + 1 < problem_.iterations;
      const TwoSteps::Sums all = total(step / 2 % 2, sweep(both));
      if (step == 0) loaded = all[TwoSteps::rr];
      steps.advance(all);
      const double b11 = steps.of_first[0], b12 = steps.of_first[1];
      const double b21 = steps.of_second[0], b22 = steps.of_second[1];
      const double a1 = both ? steps.along[0] : steps.along_first, a2 = both ? steps.along[1] : 0;
      for_values([&](Index i) {
        const double first = r[i] + b11 * p1[i] + b12 * p2[i], of_first = w[i] + b11 * q1[i] + b12 * q2[i];
        const double second = w[i] + b21 * p1[i] + b22 * p2[i], of_second = v[i] + b21 * q1[i] + b22 * q2[i];
        x[i] += a1 * first + a2 * second;
        r[i] -= a1 * of_first + a2 * of_second;
        p1[i] = first, p2[i] = second, q1[i] = of_first, q2[i] = of_second;
      });
      if (omp_get_thread_num() == 0) {
        problem_.residuals[step] = std::sqrt(all[TwoSteps::rr] / loaded);
        if (both) problem_.residuals[step + 1] = std::sqrt(steps.between / loaded);
      }
    }
    TwoSteps::Sums own{};
    for_planes([&](Index begin, Index end) {
      TwoSteps::add({r, w, v, p1, p2, q1, q2}, components * begin, components * end, own);
    });
    const TwoSteps::Sums all = total((problem_.iterations + 1) / 2 % 2, own);
    if (omp_get_thread_num() == 0) problem_.residuals[problem_.iterations] = std::sqrt(all[TwoSteps::rr] / loaded);
  }

  /// w = A r and, if asked for, v = A w one plane behind, where w of the next plane is known and the matrix is still in
  /// a cache; and this thread's part of the sums.
  TwoSteps::Sums sweep(bool both) {
    const Index planes = problem_.mesh.nz;
    const double* r = r_.data();
    double *w = w_.data(), *v = v_.data();
    TwoSteps::Sums own{};
    for (Index plane = 0; plane <= planes; ++plane) {
      if (plane < planes) matrix_.multiply(r, w, begin_of(plane), end_of(plane));
#pragma omp barrier
      if (plane == 0) continue;
      const Index begin = begin_of(plane - 1), end = end_of(plane - 1);
      if (both) matrix_.multiply(w, v, begin, end);
      TwoSteps::add({r, w, v, p1_.data(), p2_.data(), q1_.data(), q2_.data()}, components * begin, components * end,
                    own);
    }
    return own;
  }

  /// The sums of what all threads have. `which` alternates between calls, so that one barrier is enough for each.
  TwoSteps::Sums total(Index which, const TwoSteps::Sums& own) {
    double* sums = sums_.data() + which * line * problem_.threads;
    std::copy(own.begin(), own.end(), sums + line * omp_get_thread_num());
#pragma omp barrier
    TwoSteps::Sums all{};
    for (Index thread = 0; thread < omp_get_num_threads(); ++thread) {
      for (std::size_t s = 0; s < TwoSteps::sums; ++s) all[s] += sums[line * thread + static_cast<Index>(s)];
    }
    return all;
  }

  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(components * problem_.mesh.nodes()); }
  [[nodiscard]] Index plane_nodes() const { return problem_.mesh.nx * problem_.mesh.ny; }

  /// This thread's nodes of a plane.
  [[nodiscard]] Index begin_of(Index plane) const {
    return plane_nodes() * plane + plane_nodes() * omp_get_thread_num() / omp_get_num_threads();
  }
  [[nodiscard]] Index end_of(Index plane) const {
    return plane_nodes() * plane + plane_nodes() * (omp_get_thread_num() + 1) / omp_get_num_threads();
  }
  template <class Visit>
  void for_planes(Visit visit) {
    for (Index plane = 0; plane < problem_.mesh.nz; ++plane) visit(begin_of(plane), end_of(plane));
  }
  template <class Visit>
  void for_values(Visit visit) {
    for_planes([&](Index begin, Index end) {
      for (Index i = components * begin; i < components * end; ++i) visit(i);
    });
  }

  const elasticity::Problem& problem_;
  elasticity::BlockRows matrix_;
  rooftop::AlignedArray<double> r_, w_, v_, p1_, p2_, q1_, q2_;
  std::vector<double> sums_;
};

}  // namespace

ROOFTOP_RUNG(elasticity::Problem, Planes);
