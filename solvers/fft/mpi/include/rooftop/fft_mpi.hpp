/// Three-dimensional Fourier transforms of complex doubles that the ranks of an MPI communicator share.
#pragma once

#include <mpi.h>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "rooftop/fft.hpp"

namespace rooftop::fft {

/// One rank's share of an axis.
struct Part {
  std::int64_t first = 0, count = 0;
};

/// How values come from rank to rank.
enum class Exchange : std::uint8_t {
  automatic,  ///< ranks of one node write into each other's memory, an MPI-3 shared window; messages between nodes
  messages,   ///< messages everywhere
};

/// What a rank does at a time, as it is told to a Watcher.
enum class Phase : std::uint8_t {
  columns,   ///< along z, and into the messages or the other ranks' memory
  planes,    ///< along x and y
  exchange,  ///< from a transform's first message to its last one's arrival; runs beside the others
  waiting,   ///< for messages or for other ranks, with nothing else to do
};

/// Is told of every phase that ended: of which transform (counted from 1), and when, in ns of the steady clock.
using Watcher = std::function<void(Phase phase, int transform, std::int64_t begin_ns, std::int64_t end_ns)>;

struct DistributedOptions {
  int threads = 1;  ///< OpenMP threads of each rank
  Exchange exchange = Exchange::automatic;
  /// In how many pieces a transform is exchanged while it goes on computing; 1: computing first, then all messages. The
  /// same on all ranks. Of these pieces, `pieces_under_way` have a place in memory.
  int pieces = 8;
  int pieces_under_way = 4;
  /// A second array of this rank's planes, so that backward_each() computes one transform while another one's messages
  /// are under way. Of no use where all ranks are on one node.
  bool pipelined = false;
  Watcher watcher = nullptr;
};

/// A transform of one shape by all ranks of a communicator. In space, a rank has whole planes: value (x, y, z) lies at
/// ((z - planes().first) ny + y) nx + x of space(). Of the modes it has whole columns along z: mode (i, j, k) lies at
/// (k rows().count + j - rows().first) nx + i. Shares differ by one where they do not divide.
///
/// Every call is made by all ranks, from the thread that initialised MPI (MPI_THREAD_FUNNELED).
class DistributedPlan {
 public:
  /// Throws InvalidArgument, on all ranks alike, for shapes that Plan refuses, for more ranks than planes or rows, and
  /// for options that make no sense; std::bad_alloc where there is no memory.
  DistributedPlan(const Shape& shape, MPI_Comm communicator, const DistributedOptions& options = {});
  DistributedPlan(DistributedPlan&&) noexcept;
  DistributedPlan& operator=(DistributedPlan&&) noexcept;
  ~DistributedPlan();

  [[nodiscard]] Part planes() const;
  [[nodiscard]] Part rows() const;
  /// This rank's planes, memory of the plan, aligned to 64 bytes. Other ranks write to it within forward() and
  /// backward().
  [[nodiscard]] std::complex<double>* space();
  [[nodiscard]] std::int64_t mode_values() const;   ///< how many this rank has
  [[nodiscard]] std::size_t memory_bytes() const;   ///< of this rank: all that the plan holds, space() too
  [[nodiscard]] int node_ranks() const;             ///< ranks that write into each other's memory; 1: none do
  [[nodiscard]] double multiply_add_flops() const;  ///< of a transform by all ranks, as Plan has it
  [[nodiscard]] double lone_flops() const;

  /// From space() to `modes`, aligned to 64 bytes. What space() holds then is of no meaning.
  void forward(std::complex<double>* modes);
  /// From `modes`, times factors of all modes where given, to space(); not divided by the number of values.
  void backward(const std::complex<double>* modes, const Factors* factors = nullptr);

  /// Transform t of 1, …, count: the factors that its modes are multiplied by, and what is done with its result.
  struct Series {
    int count = 0;
    std::function<Factors(int t)> factors;
    std::function<void(int t, const std::complex<double>* space)> finished;
  };
  /// Many backward transforms of the same modes. A pipelined plan works on planes of one and on columns of the next
  /// while messages are under way. Each result lies in the rank's planes until the next but one is begun (pipelined),
  /// or the next (else); the last one's lies in space() in the end.
  void backward_each(const std::complex<double>* modes, const Series& series);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace rooftop::fft
