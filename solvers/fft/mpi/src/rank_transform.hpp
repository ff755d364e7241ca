// One rank's part of transforms by all ranks: planes, the exchange of rows, and columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "communicator.hpp"
#include "kernels.hpp"
#include "memory.hpp"
#include "messages.hpp"
#include "real_planes.hpp"
#include "rooftop/fft_mpi.hpp"

namespace rooftop::fft::internal {

/// What the values of a grid are.
enum class ValueKind : std::uint8_t { complex, real };

class RankTransform {
 public:
  /// As DistributedPlan says, or DistributedRealPlan.
  RankTransform(const Shape& shape, ValueKind kind, MPI_Comm communicator, const DistributedOptions& asked);

  void forward(double* modes);
  void backward(double* modes, const Factors* factors);
  void backward_each(double* modes, const DistributedPlan::Series& series);

  [[nodiscard]] const Part& planes() const { return planes_; }
  [[nodiscard]] const Part& rows() const { return rows_; }
  /// This rank's planes: of complex values the newest, of real ones all there are.
  [[nodiscard]] double* space() { return space_of(current_); }
  [[nodiscard]] double* values() { return values_.get(); }
  [[nodiscard]] Index mode_values() const { return job_.nx * rows_.count * job_.nz; }
  [[nodiscard]] std::size_t memory_bytes() const;
  [[nodiscard]] int node_ranks() const { return node_.size; }
  [[nodiscard]] const Operations& operations() const { return operations_; }

 private:
  [[nodiscard]] bool on_node(int rank) const { return node_rank_[static_cast<std::size_t>(rank)] >= 0; }
  [[nodiscard]] double* space_of(int which) const { return spaces_[static_cast<std::size_t>(which)].of(node_.rank); }
  [[nodiscard]] Part planes_of(int rank) const;
  [[nodiscard]] Part rows_of(int rank) const;
  /// Piece `piece` of a part, counted from the part's beginning.
  [[nodiscard]] Part piece_of(const Part& part, int piece) const;
  [[nodiscard]] Index scratch_doubles() const;

  template <typename Call>
  void timed(Phase phase, int of, const Call& call);
  Pause pause();
  /// Planes [first, first + count) of this rank's.
  void do_planes(bool back, double* space, const Part& part, int of);
  void do_real_planes(bool back, double* space, const Part& part);
  /// Columns of rows [first, first + count) of this rank's, from where `from_` says to where `to_` says.
  void do_columns(bool back, const Part& part, const Factors* factors, int of);

  /// Where row `row` of this rank's begins in plane z of its modes.
  [[nodiscard]] double* in_modes(double* modes, Index z, Index row) const;
  /// And in the planes of a rank of this node.
  [[nodiscard]] double* in_space(int which, int rank, Index z, Index row) const;

  // Backward: columns, exchange, planes.
  void expect_planes(int which);
  /// Transforms a piece's columns into the planes of this node's ranks, and sends those of others on their way.
  void columns_and_send(double* modes, const Factors* factors, int which, int piece, int of);
  void await_planes(int which, int of);
  void meet(int of);
  void await_sent(int of);
  /// Columns of transform t and planes of t - 1 in turn, a piece of each.
  void backward_pipelined(double* modes, const DistributedPlan::Series& series);

  // Forward: planes, exchange, columns.
  void expect_rows(double* modes);
  void planes_and_send(double* space, int piece, int of);
  void columns_of_all(double* modes, int of);

  Operations operations_;  ///< of all ranks
  DistributedOptions options_;
  Communicator all_, node_;
  std::vector<int> node_rank_;  ///< of each rank of all
  Job<double> job_;
  const Kernels<double>& kernels_ = kernels<double>();
  Part planes_, rows_;  ///< this rank's
  std::optional<RealPlanes<double>> real_;
  Doubles values_;  ///< of planes of real values
  std::vector<NodeArrays> spaces_;
  int current_ = 0;         ///< the space that holds the newest result
  Index slot_doubles_ = 0;  ///< of a piece of a backward transform on its way to other nodes
  int slots_ = 1;
  Doubles ring_, scratch_;
  std::optional<Messages> messages_;
  std::vector<double*> from_, to_;  ///< each plane's first column of the range at hand
  int transform_ = 0;               ///< as the watcher counts them
  std::int64_t exchange_begin_ns_[2] = {0, 0};
};

}  // namespace rooftop::fft::internal
