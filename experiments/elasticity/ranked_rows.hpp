/// One rank's rows of blocks, its vectors, and the exchange of what a product needs of other ranks.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <rooftop/aligned.hpp>
#include <rooftop/rung.hpp>
#include <span>
#include <utility>
#include <vector>

#include "share.hpp"

namespace elasticity {

inline Share share_of(const Problem& problem, Order order) {
  const auto boxes = cut(problem.mesh, problem.ranks);
  if (!boxes) throw rooftop::Skip("there are fewer nodes in a direction than ranks to share them");
  return {problem.mesh, *boxes, problem.rank, order};
}

/// A rank's part of all that conjugate gradients need, whatever their form. A vector that is multiplied has room for
/// copies of other ranks' values behind the rank's own.
class RankedRows : public rooftop::Rung {
 public:
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

 protected:
  RankedRows(const Problem& problem, Order order)
      : problem_(problem),
        share_(share_of(problem, order)),
        load_(values_of(share_.own())),
        residuals_(static_cast<std::size_t>(problem.iterations + 1)),
        displacement_(values_of(share_.own())),
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
    for (const Share::Neighbour& other : share_.neighbours())
      packed_first_.push_back(packed_first_.back() + components * other.sent.size());
    packed_.resize(packed_first_.back());
  }

  [[nodiscard]] const Problem& problem() const { return problem_; }
  [[nodiscard]] const Share& share() const { return share_; }
  /// Of own nodes, in the order of their numbers.
  [[nodiscard]] const double* load() const { return load_.data(); }
  [[nodiscard]] double* displacement() { return displacement_.data(); }
  /// Each rank has them; rank 0's are told.
  [[nodiscard]] std::vector<double>& residuals() { return residuals_; }

  static std::size_t values_of(Index nodes) { return static_cast<std::size_t>(components * nodes); }

  /// Sends own values that other ranks need, and asks for theirs.
  void begin_exchange(double* x) {
    requests_.clear();
    const auto& neighbours = share_.neighbours();
    for (const Share::Neighbour& other : neighbours) {
      MPI_Irecv(x + components * other.first, static_cast<int>(components * other.count), MPI_DOUBLE, other.rank, 2,
                MPI_COMM_WORLD, &requests_.emplace_back());
    }
    for (std::size_t n = 0; n < neighbours.size(); ++n) {
      const std::span<double> values = pack(n, x);
      MPI_Isend(values.data(), static_cast<int>(values.size()), MPI_DOUBLE, neighbours[n].rank, 2, MPI_COMM_WORLD,
                &requests_.emplace_back());
    }
  }
  void end_exchange() { MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE); }

  /// Where what is sent is put together, one neighbour's values behind the other's.
  [[nodiscard]] double* packed() { return packed_.data(); }
  [[nodiscard]] std::span<double> packed(std::size_t neighbour) {
    return {packed_.data() + packed_first_[neighbour], packed_first_[neighbour + 1] - packed_first_[neighbour]};
  }
  std::span<double> pack(std::size_t neighbour, const double* x) {
    const std::span<double> values = packed(neighbour);
    double* next = values.data();
    for (const std::int32_t node : share_.neighbours()[neighbour].sent)
      next = std::copy_n(x + std::int64_t{components} * node, components, next);
    return values;
  }

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

  /// The sum of what all ranks have.
  static double sum(double own) {
    double all = 0;
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
  }

  /// Of the whole matrix, with its indices.
  [[nodiscard]] double matrix_bytes() const {
    return static_cast<double>(block_count(problem_.mesh)) * (block_values * sizeof(double) + sizeof(std::int32_t)) +
           static_cast<double>(problem_.mesh.nodes()) * sizeof(Index);
  }
  /// Of all ranks' vectors of load and displacement, and of where their nodes lie.
  [[nodiscard]] double kept_bytes() const {
    return static_cast<double>(problem_.mesh.nodes()) *
           (2 * components * sizeof(double) + sizeof(Place) + sizeof(std::int32_t));
  }

 private:
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
  rooftop::AlignedArray<double> displacement_;
  std::vector<Index> start_;
  rooftop::AlignedArray<std::int32_t> column_;
  rooftop::AlignedArray<double> value_;
  std::vector<std::size_t> packed_first_{0};
  std::vector<double> packed_;
  std::vector<MPI_Request> requests_;
};

}  // namespace elasticity
