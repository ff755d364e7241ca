/// Three-dimensional Fourier transforms of complex or real doubles, distributed over the ranks of an MPI communicator.
#pragma once

#include <mpi.h>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "rooftop/fft.hpp"

namespace rooftop::fft {

namespace internal {
class RankTransform;
}

/// One rank's share of an axis.
struct Part {
  std::int64_t first = 0, count = 0;
};

/// How ranks exchange values.
enum class Exchange : std::uint8_t {
  automatic,  ///< shared memory (an MPI-3 shared window) within a node, messages between nodes
  messages,   ///< messages everywhere
};

/// Phase of a rank's work, as reported to a Watcher.
enum class Phase : std::uint8_t {
  columns,   ///< transforms along z, and writing the results to messages or other ranks' memory
  planes,    ///< transforms along x and y
  exchange,  ///< from a transform's first message to the arrival of its last one; overlaps other phases
  waiting,   ///< for messages or other ranks, with nothing else to do
};

/// Called after each phase with its transform (from 1) and its begin and end in ns of the steady clock.
using Watcher = std::function<void(Phase phase, int transform, std::int64_t begin_ns, std::int64_t end_ns)>;

struct DistributedOptions {
  int threads = 1;  ///< OpenMP threads of each rank
  Exchange exchange = Exchange::automatic;
  /// Number of pieces in which a transform is exchanged while computing goes on; 1: compute first, then send all. The
  /// same on all ranks. `pieces_under_way` pieces have buffers at the same time.
  int pieces = 8;
  int pieces_under_way = 4;
  /// Allocate a second array of planes, so that backward_each() computes one transform while the messages of another
  /// are in transit. Of no use if all ranks are on one node.
  bool pipelined = false;
  Watcher watcher = nullptr;
};

/// A plan for transforms of one shape by all ranks of a communicator. In space, a rank has whole planes: value (x, y,
/// z) is at ((z - planes().first) ny + y) nx + x of space(). Of the modes it has whole columns along z: mode (i, j, k)
/// is at (k rows().count + j - rows().first) nx + i. Sizes of parts differ by at most one.
///
/// All calls are collective, from the thread that initialized MPI (MPI_THREAD_FUNNELED).
class DistributedPlan {
 public:
  /// Throws, on all ranks, InvalidArgument for shapes that Plan rejects, more ranks than planes or rows, and invalid
  /// options; std::bad_alloc if memory is insufficient.
  DistributedPlan(const Shape& shape, MPI_Comm communicator, const DistributedOptions& options = {});
  DistributedPlan(DistributedPlan&&) noexcept;
  DistributedPlan& operator=(DistributedPlan&&) noexcept;
  ~DistributedPlan();

  [[nodiscard]] Part planes() const;
  [[nodiscard]] Part rows() const;
  /// Memory of this rank's planes, owned by the plan and aligned to 64 bytes. Other ranks write to it during forward()
  /// and backward().
  [[nodiscard]] std::complex<double>* space();
  [[nodiscard]] std::int64_t mode_values() const;   ///< number of modes on this rank
  [[nodiscard]] std::size_t memory_bytes() const;   ///< memory of the plan on this rank, including space()
  [[nodiscard]] int node_ranks() const;             ///< number of ranks that share memory; 1: no sharing
  [[nodiscard]] double multiply_add_flops() const;  ///< per transform by all ranks, as in Plan
  [[nodiscard]] double lone_flops() const;

  /// Transforms space() to `modes`, which is aligned to 64 bytes. The contents of space() are undefined afterwards.
  void forward(std::complex<double>* modes);
  /// Transforms `modes`, multiplied by `factors` if given, to space(). Not divided by the number of values.
  void backward(const std::complex<double>* modes, const Factors* factors = nullptr);

  /// A series of transforms 1, …, count: the factors of each, and a callback for its result.
  struct Series {
    int count = 0;
    std::function<Factors(int t)> factors;
    std::function<void(int t, const std::complex<double>* space)> finished;
  };
  /// Many backward transforms of the same modes. While messages are in transit, a pipelined plan computes planes of one
  /// transform and columns of the next. Each result stays valid until the next transform starts, or, if pipelined, the
  /// one after it. The last result ends in space().
  void backward_each(const std::complex<double>* modes, const Series& series);

 private:
  std::unique_ptr<internal::RankTransform> own_;
};

/// The same for real values: nx of them in a line have nx / 2 + 1 modes, the others are conjugates of these. Half the
/// work, memory and messages of a DistributedPlan where nx is even. In space, value (x, y, z) is at
/// ((z - planes().first) ny + y) nx + x of values(); mode (i, j, k) is at (k rows().count + j - rows().first)
/// (nx / 2 + 1) + i. Options are those of DistributedPlan, of which `pipelined` has no effect.
class DistributedRealPlan {
 public:
  /// Throws as DistributedPlan does.
  DistributedRealPlan(const Shape& shape, MPI_Comm communicator, const DistributedOptions& options = {});
  DistributedRealPlan(DistributedRealPlan&&) noexcept;
  DistributedRealPlan& operator=(DistributedRealPlan&&) noexcept;
  ~DistributedRealPlan();

  [[nodiscard]] Part planes() const;
  [[nodiscard]] Part rows() const;
  [[nodiscard]] double* values();                   ///< of this rank's planes, owned by the plan, aligned to 64 bytes
  [[nodiscard]] std::int64_t mode_values() const;   ///< number of modes on this rank
  [[nodiscard]] std::size_t memory_bytes() const;   ///< memory of the plan on this rank, including values()
  [[nodiscard]] int node_ranks() const;             ///< number of ranks that share memory; 1: no sharing
  [[nodiscard]] double multiply_add_flops() const;  ///< per transform by all ranks, as in RealPlan
  [[nodiscard]] double lone_flops() const;

  /// Transforms values(), which are left as they are, to `modes`, which is aligned to 64 bytes.
  void forward(std::complex<double>* modes);
  /// Transforms `modes`, multiplied by `factors` if given, to values(). Not divided by the number of values. Imaginary
  /// parts of modes that are their own conjugates are ignored. Factors along x are nx / 2 + 1.
  void backward(const std::complex<double>* modes, const Factors* factors = nullptr);

 private:
  std::unique_ptr<internal::RankTransform> own_;
};

}  // namespace rooftop::fft
