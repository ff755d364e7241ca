#include "contiguous.hpp"

#include <algorithm>
#include <cstring>
#include <memory>

#include "team.hpp"

namespace rooftop::h5io::internal {
namespace {

constexpr std::uint64_t least_task = 64 << 10, most_task = 4 << 20, calls_of_task = 64;
/// To open a file again takes as long as so many calls lose by contention.
constexpr std::uint64_t calls_of_reopening = 256;
/// Small enough for an L2 cache, so that pieces are gathered from there.
constexpr std::uint64_t buffer_bytes = 256 << 10;

/// Gathers pieces of a constant size, so that each copy is a load and a store.
template <std::size_t bytes>
void gather_elements(const std::byte* from, std::uint64_t spacing, std::uint64_t count, std::byte* to) {
  for (std::uint64_t i = 0; i < count; ++i) std::memcpy(to + i * bytes, from + i * spacing, bytes);
}

void gather(const std::byte* from, std::uint64_t spacing, std::uint64_t run, std::uint64_t count, std::byte* to) {
  switch (run) {
    case 4:
      return gather_elements<4>(from, spacing, count, to);
    case 8:
      return gather_elements<8>(from, spacing, count, to);
    case 16:
      return gather_elements<16>(from, spacing, count, to);
    case 32:
      return gather_elements<32>(from, spacing, count, to);
    case 64:
      return gather_elements<64>(from, spacing, count, to);
    case 128:
      return gather_elements<128>(from, spacing, count, to);
    default:
      for (std::uint64_t i = 0; i < count; ++i) std::memcpy(to + i * run, from + i * spacing, run);
  }
}

/// Whether pieces are read together with the gaps between them.
bool is_sieved(const Runs& runs, std::uint64_t gap_bytes) {
  return runs.count() > 1 && runs.spacing() - runs.run_bytes() <= gap_bytes &&
         runs.spacing() + runs.run_bytes() <= buffer_bytes;
}

/// Returns the calling thread's buffer of `buffer_bytes`, which it keeps: the pages of a new one cost as much as a
/// read.
std::byte* sieve_buffer() {
  thread_local std::unique_ptr<std::byte[]> buffer;
  if (!buffer) buffer = std::make_unique_for_overwrite<std::byte[]>(buffer_bytes);
  return buffer.get();
}

/// The work of one thread. A task fills `task_bytes` bytes of the caller's memory.
class Reader {
 public:
  Reader(const Source& source, bool alone, std::uint64_t address, const Runs& runs, std::byte* to,
         std::uint64_t task_bytes, std::uint64_t gap_bytes, Asked& asked)
      : own_(alone ? nullptr : source.reopened()),
        source_(own_ != nullptr ? *own_ : source),
        address_(address),
        runs_(runs),
        to_(to),
        task_bytes_(task_bytes),
        sieving_(is_sieved(runs, gap_bytes)),
        asked_(asked) {
    if (sieving_) buffer_ = sieve_buffer();
  }

  void task(std::uint64_t i) {
    const std::uint64_t total = runs_.count() * runs_.run_bytes();
    std::uint64_t at = i * task_bytes_;
    const std::uint64_t end = std::min(total, at + task_bytes_);
    while (at < end) {
      const std::uint64_t k = at / runs_.run_bytes(), within = at % runs_.run_bytes();
      const std::uint64_t pieces = within == 0 ? pieces_at_once(k, end - at) : 1;
      at += pieces > 1 ? sieve(k, pieces, to_ + at) : read_piece(k, within, end - at, to_ + at);
    }
  }

 private:
  /// Returns how many whole pieces from the k-th on, at most `left` bytes of them, one read into the buffer covers.
  [[nodiscard]] std::uint64_t pieces_at_once(std::uint64_t k, std::uint64_t left) const {
    if (!sieving_) return 1;
    const std::uint64_t fitting = (buffer_bytes - runs_.run_bytes()) / runs_.spacing() + 1;
    return std::min({fitting, runs_.evenly_spaced(k), left / runs_.run_bytes()});
  }

  std::uint64_t sieve(std::uint64_t k, std::uint64_t pieces, std::byte* to) {
    const std::uint64_t extent = (pieces - 1) * runs_.spacing() + runs_.run_bytes();
    source_.read(address_ + runs_.offset(k), buffer_, extent, asked_);
    gather(buffer_, runs_.spacing(), runs_.run_bytes(), pieces, to);
    return pieces * runs_.run_bytes();
  }

  std::uint64_t read_piece(std::uint64_t k, std::uint64_t within, std::uint64_t left, std::byte* to) {
    const std::uint64_t bytes = std::min(left, runs_.run_bytes() - within);
    source_.read(address_ + runs_.offset(k) + within, to, bytes, asked_);
    return bytes;
  }

  std::unique_ptr<Source> own_;
  const Source& source_;
  std::uint64_t address_;
  const Runs& runs_;
  std::byte* to_;
  std::uint64_t task_bytes_;
  bool sieving_;
  Asked& asked_;
  std::byte* buffer_ = nullptr;
};

/// The work of one thread in a write. A task writes `task_bytes` bytes of the caller's memory.
class Writer {
 public:
  Writer(const Source& source, std::uint64_t address, const Runs& runs, const std::byte* from, std::uint64_t task_bytes,
         Asked& asked)
      : source_(source), address_(address), runs_(runs), from_(from), task_bytes_(task_bytes), asked_(asked) {}

  void task(std::uint64_t i) {
    const std::uint64_t total = runs_.count() * runs_.run_bytes();
    std::uint64_t at = i * task_bytes_;
    const std::uint64_t end = std::min(total, at + task_bytes_);
    while (at < end) {
      const std::uint64_t k = at / runs_.run_bytes(), within = at % runs_.run_bytes();
      const std::uint64_t bytes = std::min(end - at, runs_.run_bytes() - within);
      source_.write(address_ + runs_.offset(k) + within, from_ + at, bytes, asked_);
      at += bytes;
    }
  }

 private:
  const Source& source_;
  std::uint64_t address_;
  const Runs& runs_;
  const std::byte* from_;
  std::uint64_t task_bytes_;
  Asked& asked_;
};

}  // namespace

Expected expected_of(const Runs& runs, const Options& options) {
  const std::uint64_t total = runs.count() * runs.run_bytes();
  if (!is_sieved(runs, options.gap_bytes)) return {total, runs.count()};
  const std::uint64_t bytes = runs.count() * runs.spacing();
  return {bytes, runs.count() / runs.evenly_spaced(0) + bytes / buffer_bytes};
}

Way read_contiguous(const Source& source, std::uint64_t address, const Runs& runs, std::byte* to,
                    const Options& options, Asked& asked) {
  const std::uint64_t total = runs.count() * runs.run_bytes();
  const auto threads = static_cast<std::uint64_t>(options.threads > 0 ? options.threads : omp_get_max_threads());
  const bool apart = runs.count() > 1 && runs.spacing() - runs.run_bytes() > options.gap_bytes;
  // If each piece takes a system call, a few of them already justify a thread.
  const std::uint64_t least = apart ? std::min(least_task, calls_of_task * runs.run_bytes()) : least_task;
  std::uint64_t task = std::clamp(total / (8 * threads), least, most_task);
  // Do not cut pieces that fit into a task.
  if (runs.run_bytes() <= task) task -= task % runs.run_bytes();
  const std::uint64_t tasks = (total + task - 1) / task;
  // Threads that make a few calls do not contend for the descriptor.
  const bool alone = threads == 1 || tasks == 1 || tasks + expected_of(runs, options).calls < calls_of_reopening;
  share(tasks, options, [&] { return Reader(source, alone, address, runs, to, task, options.gap_bytes, asked); });
  const bool sieved = asked.bytes.load() > total || (runs.count() > 1 && asked.reads.load() < runs.count());
  return sieved ? Way::sieved : Way::direct;
}

void write_contiguous(const Source& source, std::uint64_t address, const Runs& runs, const std::byte* from,
                      const Options& options, Asked& asked) {
  const std::uint64_t total = runs.count() * runs.run_bytes();
  const auto threads = static_cast<std::uint64_t>(options.threads > 0 ? options.threads : omp_get_max_threads());
  const std::uint64_t task = std::clamp(total / (8 * threads), least_task, most_task);
  share((total + task - 1) / task, options, [&] { return Writer(source, address, runs, from, task, asked); });
}

}  // namespace rooftop::h5io::internal
