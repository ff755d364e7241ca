// Messages of whole rows between ranks, under way while a rank computes.
#pragma once

#include <mpi.h>

#include <array>
#include <vector>

#include "job.hpp"

namespace rooftop::fft::internal {

/// `blocks` blocks of `rows` rows each; a block begins `step` rows behind the one before.
struct RowBlocks {
  Index blocks, rows, step;
};

class Messages {
 public:
  /// Rows of so many doubles. Sends are told apart by their slot, receives by their set, 0 or 1.
  Messages(MPI_Comm communicator, Index row_doubles, int slots);
  Messages(const Messages&) = delete;
  Messages& operator=(const Messages&) = delete;
  ~Messages();

  void send(const double* from, const RowBlocks& blocks, int to, int tag, int slot);
  void receive(double* to, const RowBlocks& blocks, int from, int tag, int set);
  /// Lets what is under way go on. An MPI library moves large messages only while it is called.
  void go_on();
  /// Returns when the slot's memory may be written to again.
  void sent(int slot);
  /// Returns when all of a set has come.
  void arrived(int set);
  [[nodiscard]] bool waits_for(int set) const { return !receives_[static_cast<std::size_t>(set)].empty(); }

 private:
  /// The type of such blocks. Freed by the caller, which does not disturb what is under way.
  [[nodiscard]] MPI_Datatype type_of(const RowBlocks& blocks) const;

  MPI_Comm communicator_;
  Index row_doubles_;
  MPI_Datatype row_ = MPI_DATATYPE_NULL;
  std::vector<std::vector<MPI_Request>> sends_;
  std::array<std::vector<MPI_Request>, 2> receives_;
};

}  // namespace rooftop::fft::internal
