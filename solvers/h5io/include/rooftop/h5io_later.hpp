/// Reads and writes of HDF5 files that go on while the program computes.
///
/// Each file has an I/O thread, which the first request begins. It does requests one after the other, in their order,
/// by itself: with `Options::threads` above 1 it leads a team of so many, which takes processors from a program that
/// computes meanwhile. Destroying a file with requests pending finishes them. A synchronous write waits for requests of
/// its file; a synchronous read does not.
///
/// The I/O thread may run on the processors of the thread that made the first request: one that is bound to a single
/// processor shares it with the I/O thread. It calls the HDF5 library, where a selection takes that; a program that
/// calls the library meanwhile itself needs one that is built for threads.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "rooftop/h5io.hpp"

namespace rooftop::h5io {

/// A read, a write or a prefetch that was asked for. Until it is done, the caller's memory must stay, and for a write
/// stay as it is, and so must the flag of `Options::stop`, which ends it whether it has begun or not.
class Request {
 public:
  Request();  ///< none
  Request(Request&& other) noexcept;
  Request& operator=(Request&& other) noexcept;  ///< waits for the one that was there
  /// Waits. An error of a read is lost; one of a write is thrown by `OutputFile::close`.
  ~Request();

  /// Waits, and returns what it cost. Throws what the read or write threw, each time that it is called, and
  /// InvalidArgument if there is none, or if it is of a process that this one was forked from.
  Report wait();
  /// Whether it is done, or has failed, within so much time.
  [[nodiscard]] bool wait_for(std::chrono::nanoseconds time) const;
  [[nodiscard]] bool done() const { return wait_for(std::chrono::nanoseconds(0)); }

  class State;

 private:
  friend class Dataset;
  friend class OutputDataset;
  explicit Request(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// Some rows of a dataset, along its first dimension.
struct Block {
  std::uint64_t first = 0, rows = 0;
  const void* values = nullptr;
  std::size_t bytes = 0;
};

/// A dataset block by block, read ahead into `ahead + 1` buffers that are used again: double buffering, where `ahead`
/// is 1.
class Blocks {
 public:
  /// Asks for the first blocks, of so many rows each; the last one may have fewer. Throws InvalidArgument for no rows,
  /// a negative `ahead`, and a dataset without dimensions.
  Blocks(const Dataset& dataset, std::uint64_t rows, int ahead = 1, const Options& options = {});

  /// Waits for the next block; nothing once there are no more. The next call gives its memory to a later block. Throws
  /// what its read threw.
  std::optional<Block> next();

 private:
  struct Buffer {
    std::unique_ptr<std::byte[]> memory;
    Block block;
    Request request;  // goes first, and waits
  };

  void ask(Buffer& buffer);

  Dataset dataset_;
  std::uint64_t rows_, asked_ = 0, returned_ = 0;  // rows
  std::vector<Span> spans_;
  Options options_;
  std::vector<Buffer> buffers_;
  std::size_t place_ = 0;  // of the next block
  Buffer* held_ = nullptr;
};

}  // namespace rooftop::h5io
