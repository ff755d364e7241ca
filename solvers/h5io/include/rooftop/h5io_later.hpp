/// Asynchronous reads and writes of HDF5 files.
///
/// Each file has an I/O thread, which the first request starts. It processes requests in order. With
/// `Options::threads` above 1 it uses that many threads, which compete with the program for processors. Destroying a
/// file completes its pending requests. A synchronous write waits for pending requests of its file; a synchronous read
/// does not.
///
/// The I/O thread inherits the affinity of the thread that made the first request; a thread bound to one processor
/// shares it with the I/O thread. For some layouts the I/O thread calls the HDF5 library. A program that calls the
/// library at the same time needs a thread-safe build of it.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "rooftop/h5io.hpp"

namespace rooftop::h5io {

/// Handle of an asynchronous read, write or prefetch. Until it is done, the caller's memory and the flag of
/// `Options::stop` must stay valid, and the data of a write must not change. The flag cancels the request, whether it
/// has started or not.
class Request {
 public:
  Request();  ///< empty handle
  Request(Request&& other) noexcept;
  Request& operator=(Request&& other) noexcept;  ///< waits for the previous request
  /// Waits until the request is done. The error of a read is lost; that of a write is thrown by `OutputFile::close`.
  ~Request();

  /// Waits until the request is done, and returns its report, or throws the error of the read or write. May be called
  /// repeatedly. Throws InvalidArgument for an empty handle, and for a request made before the process was forked.
  Report wait();
  /// Waits for at most `time`. Returns whether the request is done or has failed.
  [[nodiscard]] bool wait_for(std::chrono::nanoseconds time) const;
  [[nodiscard]] bool done() const { return wait_for(std::chrono::nanoseconds(0)); }

  class State;

 private:
  friend class Dataset;
  friend class OutputDataset;
  explicit Request(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// Consecutive rows of a dataset along its first dimension.
struct Block {
  std::uint64_t first = 0, rows = 0;
  const void* values = nullptr;
  std::size_t bytes = 0;
};

/// Reads a dataset block by block, with `ahead` blocks read ahead into `ahead + 1` reused buffers. This is double
/// buffering if `ahead` is 1.
class Blocks {
 public:
  /// Requests the first blocks of `rows` rows each; the last block may have fewer. Throws InvalidArgument if `rows` is
  /// 0, `ahead` is negative, or the dataset has no dimensions.
  Blocks(const Dataset& dataset, std::uint64_t rows, int ahead = 1, const Options& options = {});

  /// Waits for the next block and returns it, or nothing after the last one. Its memory is valid until the next call.
  /// Throws the error of its read.
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
