/// Ranks that write HDF5 files for the others, which compute meanwhile.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rooftop/h5io.hpp"

namespace rooftop::h5io {

/// The ranks of a job, of which the last ones are delegates. These call serve(); the others, which compute, call
/// everything else, all of them in the same order:
///
///     Delegates delegates(MPI_COMM_WORLD, 1);
///     if (!delegates.computing()) return delegates.serve();
///     delegates.create("steps.h5");
///     const int x = delegates.dataset("x", {.shape = {rows, columns}, .type = "<f8", .chunk = {}, .filters = {}});
///     delegates.write(x, own_rows, values, bytes);  // values may change from here on
///     …                                             // delegates write meanwhile
///     delegates.close();
///
/// What goes wrong is thrown by flush() and close(), on all ranks that compute; nothing more is written before close().
/// Files are as those of OutputFileByRanks.
class Delegates {
 public:
  /// `room`: bytes that a rank has under way at most, unless one write alone has more; beyond that, write() waits.
  /// Collective. Throws InvalidArgument unless `count` is 1 or more and leaves as many ranks to compute.
  Delegates(MPI_Comm ranks, int count, std::uint64_t room = std::uint64_t{256} << 20);
  Delegates(const Delegates&) = delete;
  Delegates& operator=(const Delegates&) = delete;
  /// Collective. Calls finish() on ranks that compute.
  ~Delegates();

  /// Whether this rank computes.
  [[nodiscard]] bool computing() const;
  /// A communicator of the ranks that compute, or of the delegates; it lives as long as this.
  [[nodiscard]] MPI_Comm own_ranks() const;

  /// Returns when all ranks that compute have called finish().
  void serve();

  /// A new file, in which the next calls make and write datasets. One at a time.
  void create(const std::string& path, bool replace = false);
  /// Its datasets are numbered from 0 on. `name` and `creation` are the same on all ranks.
  int dataset(const std::string& name, const Creation& creation);
  /// Copies what this rank selects, perhaps nothing, sends the copy to a delegate, and returns. MPI libraries move
  /// large messages only while they are called: progress() is such a call, and so is each one here. Where ranks write
  /// the same element, the highest of them wins.
  void write(int dataset, const std::vector<Span>& spans, const void* from, std::size_t from_bytes);
  void progress();
  /// Returns when the delegates have all that this rank wrote. Not collective.
  void wait();
  /// Returns when the delegates have written all of it. Throws InvalidArgument and FileError.
  void flush();
  /// As OutputFileByRanks::close().
  void close(bool durable = false);
  /// Lets the delegates return.
  void finish();

 private:
  class Ranks;
  class Sender;
  class Server;
  std::unique_ptr<Ranks> ranks_;
  std::unique_ptr<Sender> sender_;  ///< where this rank computes
  int datasets_ = 0;
};

}  // namespace rooftop::h5io
