/// Conjugate gradients on ranks of MPI: each has a box of nodes, and rows of blocks for it.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <rooftop/aligned.hpp>
#include <rooftop/rung.hpp>
#include <utility>
#include <vector>

#include "share.hpp"

namespace elasticity {

inline Share share_of(const Problem& problem, Order order) {
  const auto boxes = cut(problem.mesh, problem.ranks);
  if (!boxes) throw rooftop::Skip("there are fewer nodes in a direction than ranks to share them");
  return {problem.mesh, *boxes, problem.rank, order};
}

/// The steps of ConjugateGradients, each loop shared by a rank's threads. Rungs differ in when they exchange what a
/// product needs of other ranks, and in which threads do which rows meanwhile.
class RankedSteps : public rooftop::Rung {
 public:
  void run() override {
    const Problem& p = problem_;
    double *u = displacement_.data(), *r = residual_.data(), *d = direction_.data(), *q = product_.data();
    const Index size = components * share_.own();
    double squares = 0;
#pragma omp parallel for num_threads(p.threads) schedule(static) reduction(+ : squares)
    for (Index i = 0; i < size; ++i) {
      u[i] = 0;
      r[i] = d[i] = load_[static_cast<std::size_t>(i)];
      squares += r[i] * r[i];
    }
    squares = sum(squares);
    const double loaded = squares;
    residuals_[0] = 1;
    for (std::size_t step = 1; step < residuals_.size(); ++step) {
      multiply(d, q);
      double both = 0, next = 0;
#pragma omp parallel for num_threads(p.threads) schedule(static) reduction(+ : both)
      for (Index i = 0; i < size; ++i) both += d[i] * q[i];
      const double alpha = squares / sum(both);
#pragma omp parallel for num_threads(p.threads) schedule(static) reduction(+ : next)
      for (Index i = 0; i < size; ++i) {
        u[i] += alpha * d[i];
        r[i] -= alpha * q[i];
        next += r[i] * r[i];
      }
      next = sum(next);
      const double beta = next / squares;
      squares = next;
#pragma omp parallel for num_threads(p.threads) schedule(static)
      for (Index i = 0; i < size; ++i) d[i] = r[i] + beta * d[i];
      residuals_[step] = std::sqrt(squares / loaded);
    }
  }

  /// Rank 0 gets every rank's displacement and puts it where its nodes are.
  void finish() override {
    const int mine = static_cast<int>(components * share_.own());
    std::vector<Index> nodes;
    for (const Place& place : share_.places()) nodes.push_back(problem_.mesh.node(place.i, place.j, place.k));
    if (problem_.rank != 0) {
      MPI_Send(nodes.data(), static_cast<int>(nodes.size()), MPI_INT64_T, 0, 0, MPI_COMM_WORLD);
      MPI_Send(displacement_.data(), mine, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);
      return;
    }
    std::vector<double> values(displacement_.begin(), displacement_.begin() + mine);
    for (int rank = 0;;) {
      for (std::size_t n = 0; n < nodes.size(); ++n) {
        std::copy_n(values.data() + components * n, components, problem_.displacement + components * nodes[n]);
      }
      if (++rank == problem_.ranks) break;
      MPI_Status status;
      int count = 0;
      MPI_Probe(rank, 0, MPI_COMM_WORLD, &status);
      MPI_Get_count(&status, MPI_INT64_T, &count);
      nodes.resize(static_cast<std::size_t>(count));
      values.resize(components * nodes.size());
      MPI_Recv(nodes.data(), count, MPI_INT64_T, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Recv(values.data(), components * count, MPI_DOUBLE, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    std::ranges::copy(residuals_, problem_.residuals);
  }

  [[nodiscard]] rooftop::Work work() const override {
    const auto n = static_cast<double>(components * problem_.mesh.nodes());
    const auto blocks = static_cast<double>(block_count(problem_.mesh));
    const double matrix =
        blocks * (block_values * sizeof(double) + sizeof(std::int32_t)) + n / components * sizeof(Index);
    return {.fma_flops = problem_.iterations * (2 * block_values * blocks + 10 * n),
            .add_flops = 0,
            .memory_bytes = problem_.iterations * (matrix + 12 * sizeof(double) * n),
            .working_set_bytes = matrix + 4 * sizeof(double) * n,
            .algorithm = "conjugate gradients"};
  }

 protected:
  RankedSteps(const Problem& problem, Order order)
      : problem_(problem),
        share_(share_of(problem, order)),
        load_(values_of(share_.own())),
        residuals_(static_cast<std::size_t>(problem.iterations + 1)),
        displacement_(values_of(share_.own())),
        residual_(values_of(share_.own())),
        product_(values_of(share_.own())),
        direction_(values_of(share_.all())),
        start_(static_cast<std::size_t>(share_.own() + 1)) {
    for (Index row = 0; row < share_.own(); ++row) {
      const Place& at = share_.places()[static_cast<std::size_t>(row)];
      std::copy_n(problem.load + components * problem.mesh.node(at.i, at.j, at.k), components,
                  load_.begin() + components * row);
      Index count = 0;
      for_neighbours(problem.mesh, at, [&](const Place&, Index) { ++count; });
      start_[static_cast<std::size_t>(row + 1)] = start_[static_cast<std::size_t>(row)] + count;
    }
    column_ = rooftop::AlignedArray<std::int32_t>(static_cast<std::size_t>(start_.back()));
    value_ = rooftop::AlignedArray<double>(static_cast<std::size_t>(block_values * start_.back()));
#pragma omp parallel for num_threads(problem.threads) schedule(static)
    for (Index row = 0; row < share_.own(); ++row) fill(row);
    for (const auto& neighbour : share_.neighbours()) packed_.emplace_back(components * neighbour.sent.size());
  }

  [[nodiscard]] const Problem& problem() const { return problem_; }
  [[nodiscard]] const Share& share() const { return share_; }

  /// y = A x in own rows; exchanges what lies behind own values in x.
  virtual void multiply(double* x, double* y) = 0;

  /// Sends own values that other ranks need, and asks for theirs.
  void begin_exchange(double* x) {
    requests_.clear();
    for (std::size_t n = 0; n < packed_.size(); ++n) {
      const Share::Neighbour& other = share_.neighbours()[n];
      MPI_Irecv(x + components * other.first, static_cast<int>(components * other.count), MPI_DOUBLE, other.rank, 2,
                MPI_COMM_WORLD, &requests_.emplace_back());
    }
    for (std::size_t n = 0; n < packed_.size(); ++n) {
      const Share::Neighbour& other = share_.neighbours()[n];
      for (std::size_t i = 0; i < other.sent.size(); ++i) {
        std::copy_n(x + std::int64_t{components} * other.sent[i], components, packed_[n].data() + components * i);
      }
      MPI_Isend(packed_[n].data(), static_cast<int>(packed_[n].size()), MPI_DOUBLE, other.rank, 2, MPI_COMM_WORLD,
                &requests_.emplace_back());
    }
  }
  void end_exchange() { MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE); }

  /// y = A x in one row.
  void multiply_row(Index row, const double* x, double* y) const {
    double sum0 = 0, sum1 = 0, sum2 = 0;
    for (Index block = start_.data()[row]; block < start_.data()[row + 1]; ++block) {
      const double* a = value_.data() + block_values * block;
      const double* in = x + std::int64_t{components} * column_.data()[block];
      sum0 += a[0] * in[0] + a[1] * in[1] + a[2] * in[2];
      sum1 += a[3] * in[0] + a[4] * in[1] + a[5] * in[2];
      sum2 += a[6] * in[0] + a[7] * in[1] + a[8] * in[2];
    }
    double* out = y + components * row;
    out[0] = sum0, out[1] = sum1, out[2] = sum2;
  }

 private:
  static std::size_t values_of(Index nodes) { return static_cast<std::size_t>(components * nodes); }

  static double sum(double own) {
    double all = 0;
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
  }

  void fill(Index row) {
    const Place& at = share_.places()[static_cast<std::size_t>(row)];
    Index block = start_.data()[row];
    for_neighbours(problem_.mesh, at, [&](const Place& place, Index) {
      column_.data()[block] = share_.number(place);
      fill_block(problem_, at, place, value_.data() + block_values * block);
      ++block;
    });
  }

  const Problem& problem_;
  Share share_;
  std::vector<double> load_, residuals_;
  rooftop::AlignedArray<double> displacement_, residual_, product_, direction_;
  std::vector<Index> start_;
  rooftop::AlignedArray<std::int32_t> column_;
  rooftop::AlignedArray<double> value_;
  std::vector<std::vector<double>> packed_;
  std::vector<MPI_Request> requests_;
};

}  // namespace elasticity
