#include "read_ahead.hpp"

#include <omp.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "chunk_pieces.hpp"
#include "chunk_reader.hpp"
#include "io_thread.hpp"
#include "open_file.hpp"

namespace rooftop::h5io::internal {
namespace {

/// Decoded in some 0.1 ms, ten times what it takes to wake a thread.
constexpr std::uint64_t least_bytes = 64 << 10;

bool are_same(const Span& one, const Span& other) {
  return one.start == other.start && one.count == other.count && one.stride == other.stride && one.block == other.block;
}

/// Whether a selection begins within the one before or right behind it, and differs in the first dimension only.
bool follows(const std::vector<Span>& before, const std::vector<Span>& now) {
  if (before.size() != now.size()) return false;
  const std::uint64_t from = before[0].start, at = now[0].start;
  const std::uint64_t length = std::max(before[0].count * before[0].stride, before[0].block);
  return at > from && at - from <= length && std::equal(now.begin() + 1, now.end(), before.begin() + 1, are_same);
}

}  // namespace

void ReadAhead::note(const Dataset::Open& dataset, const std::vector<Span>& spans) {
  if (spans.empty() || !dataset.pipeline || dataset.description.filters.empty()) return;
  static const bool alone = omp_get_num_procs() < 2;
  if (alone) return;
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock.owns_lock()) return;
  const bool goes_on = follows(last_, spans);
  last_ = spans;
  if (!goes_on) {
    asked_to_ = 0;
  } else if (!busy_.load(std::memory_order_acquire)) {
    ask(dataset, spans);
  }
}

/// Asks for as many rows of chunks as the selection touches, behind it.
void ReadAhead::ask(const Dataset::Open& dataset, const std::vector<Span>& spans) {
  const std::uint64_t depth = dataset.description.chunk[0], extent = dataset.description.shape[0];
  const Span& first = spans[0];
  if (first.count > 1 && first.stride > depth) return;  // it passes over chunks
  const std::uint64_t begin = first.start / depth;
  const std::uint64_t end = (first.start + (first.count - 1) * first.stride + first.block - 1) / depth + 1;
  if (asked_to_ > end || end * depth >= extent) return;
  const TouchedChunks touched(spans, dataset.description.chunk);
  const std::uint64_t chunk_bytes = dataset.pipeline->chunk_bytes();
  if (touched.count() > ChunkMemory::most_bytes / 2 / chunk_bytes || touched.count() * chunk_bytes < least_bytes)
    return;
  const std::uint64_t from = std::max(end, asked_to_), to = std::min(end + (end - begin), (extent - 1) / depth + 1);
  // The library, which finds chunks whose places are not known, is left to the program's own reads.
  const auto places = dataset.memory().places();
  if (from >= to || !places || *places == nullptr || !dataset.memory().keeps()) return;
  std::vector<Span> next = spans;
  next[0] = {from * depth, 1, 1, std::min(to * depth, extent) - from * depth};
  asked_to_ = to;
  busy_ = true;
  try {
    job_ = dataset.file->io.add([this, &dataset, next = std::move(next)] {
      read(dataset, next);
      busy_.store(false, std::memory_order_release);
      return Report();
    });
  } catch (const std::exception&) {  // there is no thread, or no memory: what was read is read
    busy_ = false;
  }
}

void ReadAhead::read(const Dataset::Open& dataset, const std::vector<Span>& spans) {
  try {
    ChunkMemory& kept = dataset.memory();
    const std::uint64_t version = kept.version();  // of the places that the reader goes by, too
    Asked asked;
    ChunkReader chunks(dataset, asked);
    const TouchedChunks touched(spans, dataset.description.chunk);
    std::vector<hsize_t> begin(spans.size());
    for (std::uint64_t i = 0; i < touched.count() && kept.version() == version; ++i) {
      if (ended_ || dataset.file->io.others_wait()) return;
      touched.begin_of(i, begin);
      if (!kept.claim(begin)) continue;
      const ChunkMemory::Claim claim(kept, begin);
      chunks.read(begin);
      kept.keep(begin, std::make_shared<const Bytes>(chunks.take()), 0, version);
    }
  } catch (const std::exception&) {
    // The read that needs the chunk meets the same, and tells.
  }
}

void ReadAhead::end() {
  ended_ = true;
  while (job_ != nullptr && !job_->done_within(std::chrono::hours(1))) {
  }
}

}  // namespace rooftop::h5io::internal
