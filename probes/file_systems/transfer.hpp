/// Reads and writes of a file by threads that start together: all of it in order, or pages of it in a random order.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <random>
#include <vector>

#include "../bursts.hpp"
#include "../pages.hpp"
#include "scratch_file.hpp"

namespace probe {

/// What is done to a file. Each thread has one buffer of a block's size, which it has touched before and uses again.
struct Transfer {
  bool writes = false;
  bool random =
      false;  ///< blocks in a random order, none twice, and nothing is read ahead; else in order, read far ahead
  bool direct = false;          ///< past the system's cache, by O_DIRECT
  bool repeated = false;        ///< from the beginning again, until the time is over
  bool kept = false;            ///< until what was written is on the device, by fdatasync
  std::uint64_t bytes = 0;      ///< of the file, from its beginning
  std::size_t block_bytes = 1;  ///< of one call
  double limit_s = 1;           ///< no further call of a thread after this
};

struct Transferred {
  std::uint64_t calls = 0, bytes = 0;  ///< of all threads
  double elapsed_s = 0;                ///< from the first thread's start to the last one's end
};

/// Which blocks each of `threads` threads takes: a contiguous part of them, or some of a random order.
inline std::vector<std::vector<std::uint64_t>> shares(std::uint64_t blocks, int threads, bool random) {
  std::vector<std::uint64_t> order(blocks);
  std::iota(order.begin(), order.end(), std::uint64_t{0});
  if (random) std::shuffle(order.begin(), order.end(), std::mt19937_64(blocks));
  std::vector<std::vector<std::uint64_t>> parts;
  const auto count = static_cast<std::uint64_t>(threads);
  for (std::uint64_t thread = 0; thread < count; ++thread) {
    const auto begin = static_cast<std::ptrdiff_t>(blocks * thread / count);
    const auto end = static_cast<std::ptrdiff_t>(blocks * (thread + 1) / count);
    parts.emplace_back(order.begin() + begin, order.begin() + end);
  }
  return parts;
}

/// What does not compress, as measured data does not.
inline void fill_with_noise(char* to, std::size_t bytes, std::uint64_t seed) {
  std::mt19937_64 noise(seed);
  for (std::size_t at = 0; at + sizeof(std::uint64_t) <= bytes; at += sizeof(std::uint64_t)) {
    const std::uint64_t value = noise();
    std::memcpy(to + at, &value, sizeof value);
  }
}

/// Does it by `threads` threads, each bound to one of `cpus` with a descriptor of its own. Throws std::system_error
/// where the file cannot be opened, read or written so.
inline Transferred run_transfer(const ScratchFile& file, const Transfer& what, const std::vector<int>& cpus,
                                int threads) {
  const auto parts = shares(what.bytes / what.block_bytes, threads, what.random);
  struct Outcome {
    std::uint64_t calls = 0;
    int error = 0;
  };
  struct Hand {
    Descriptor descriptor;
    Pages buffer;
    const std::vector<std::uint64_t>* blocks;
    Outcome* outcome;
  };
  std::vector<Outcome> outcomes(static_cast<std::size_t>(threads));
  const auto prepare = [&](int thread) {
    Descriptor descriptor = file.opened((what.writes ? O_RDWR : O_RDONLY) | (what.direct ? O_DIRECT : 0));
    if (!descriptor.valid()) fail_with(errno, file.folder());
    posix_fadvise(descriptor.get(), 0, 0, what.random ? POSIX_FADV_RANDOM : POSIX_FADV_SEQUENTIAL);
    Pages buffer(what.block_bytes, PageSize::base);
    fill_with_noise(buffer.data(), what.block_bytes, static_cast<std::uint64_t>(thread));
    const auto index = static_cast<std::size_t>(thread);
    return Hand{std::move(descriptor), std::move(buffer), &parts[index], &outcomes[index]};
  };
  const auto work = [&](Hand& hand, std::uint64_t) {
    const auto end = Clock::now() + std::chrono::duration<double>(what.limit_s);
    const auto block_bytes = static_cast<ssize_t>(what.block_bytes);
    const std::vector<std::uint64_t>& blocks = *hand.blocks;
    for (std::size_t i = 0; i < blocks.size(); i = what.repeated && i + 1 == blocks.size() ? 0 : i + 1) {
      const std::uint64_t block = blocks[i];
      const auto at = static_cast<off_t>(block) * static_cast<off_t>(block_bytes);
      const ssize_t done = what.writes ? pwrite(hand.descriptor.get(), hand.buffer.data(), what.block_bytes, at)
                                       : pread(hand.descriptor.get(), hand.buffer.data(), what.block_bytes, at);
      if (done != block_bytes) {
        hand.outcome->error = done < 0 ? errno : EIO;
        return;
      }
      ++hand.outcome->calls;
      if (Clock::now() >= end) break;
    }
    if (what.kept && fdatasync(hand.descriptor.get()) != 0) hand.outcome->error = errno;
  };
  const Bursts once =
      run_bursts(cpus, threads, {.burst_s = 0, .min_bursts = 1, .max_bursts = 1, .budget_s = 0}, prepare, work);
  Transferred sum{.elapsed_s = once.best_s()};
  for (const Outcome& outcome : outcomes) {
    if (outcome.error != 0) fail_with(outcome.error, file.folder());
    sum.calls += outcome.calls;
  }
  sum.bytes = sum.calls * what.block_bytes;
  return sum;
}

/// Gives the file `bytes` bytes, which reach the device as they are written. Stops after `limit_s` seconds. Returns how
/// many there are then, whole blocks of 1 MiB. Throws std::system_error where the file cannot be written.
inline std::uint64_t lay_out(const ScratchFile& file, std::uint64_t bytes, double limit_s) {
  constexpr std::size_t block_bytes = 1u << 20;
  constexpr std::uint64_t between_syncs = 16 * block_bytes;
  std::vector<char> block(block_bytes);
  fill_with_noise(block.data(), block_bytes, 0);
  const auto end = Clock::now() + std::chrono::duration<double>(limit_s);
  std::uint64_t written = 0;
  while (written + block_bytes <= bytes && Clock::now() < end) {
    const ssize_t done = pwrite(file.get(), block.data(), block_bytes, static_cast<off_t>(written));
    if (done != static_cast<ssize_t>(block_bytes)) fail_with(done < 0 ? errno : EIO, file.folder());
    written += block_bytes;
    if (written % between_syncs == 0 && fdatasync(file.get()) != 0) fail_with(errno, file.folder());
  }
  if (fdatasync(file.get()) != 0) fail_with(errno, file.folder());
  return written;
}

}  // namespace probe
