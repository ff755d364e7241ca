/// Chunks that are decoded before they are asked for.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "rooftop/h5io.hpp"

namespace rooftop::h5io::internal {

class Job;

/// Of one dataset, read through along its first dimension: while the program reads a selection and works on it, the
/// file's I/O thread decodes the chunks of the next one into the chunk cache. It does so if
/// - two selections followed each other, and differ in the first dimension only;
/// - the chunks are filtered, and take longer to decode than to wake the thread;
/// - those of this selection and of the next one fit into the chunk cache;
/// - no request of the program waits for the I/O thread.
///
/// Errors are left to the read that needs the chunk.
class ReadAhead {
 public:
  ReadAhead() = default;
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;
  ~ReadAhead() = default;

  /// Notes what the program is about to read. Any thread may call it.
  void note(const Dataset::Open& dataset, const std::vector<Span>& spans);
  /// Waits for the chunk that is being read, and reads no more. The dataset calls it before it goes.
  void end();

 private:
  void ask(const Dataset::Open& dataset, const std::vector<Span>& spans);
  void read(const Dataset::Open& dataset, const std::vector<Span>& spans);

  std::mutex mutex_;  ///< of what follows; only ever tried: another thread may have held it when the process was forked
  std::vector<Span> last_;
  std::uint64_t asked_to_ = 0;  ///< rows of chunks before this one were read or asked for
  std::shared_ptr<Job> job_;

  std::atomic<bool> busy_{false}, ended_{false};
};

}  // namespace rooftop::h5io::internal
