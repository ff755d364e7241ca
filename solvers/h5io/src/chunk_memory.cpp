#include "chunk_memory.hpp"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <utility>

#include "library.hpp"

namespace rooftop::h5io::internal {

struct ChunkMemory::Kept {
  explicit Kept(unsigned made_after) : forks(made_after) {}

  const unsigned forks;
  std::mutex mutex;
  std::uint64_t version = 0;
  std::optional<std::shared_ptr<const ChunkPlaces>> places;
  KeptChunks chunks{most_bytes, most_chunks};
  std::vector<KeptChunks::Begin> claimed;  ///< few: one for each thread that reads a chunk
  std::condition_variable claim_ended;
};

ChunkMemory::ChunkMemory() : kept_(new Kept(forks())) {}

ChunkMemory::~ChunkMemory() {
  Kept* const kept = kept_;
  if (kept->forks == forks()) delete kept;
}

ChunkMemory::Kept& ChunkMemory::kept() {
  Kept* kept = kept_.load(std::memory_order_acquire);
  if (kept->forks == forks()) return *kept;
  auto fresh = std::make_unique<Kept>(forks());
  if (kept_.compare_exchange_strong(kept, fresh.get())) return *fresh.release();
  return *kept;
}

KeptChunks ChunkMemory::outdated(Kept& kept) const {
  KeptChunks gone(most_bytes, most_chunks);
  const std::uint64_t now = version();
  if (kept.version != now) {
    std::swap(gone, kept.chunks);
    kept.places.reset();
    kept.version = now;
  }
  return gone;
}

/// Calls `body` with what is kept of the file as it is now.
template <typename Body>
auto ChunkMemory::locked(const Body& body) {
  Kept& kept = this->kept();
  KeptChunks gone(0, 0);  // freed without the lock
  const std::scoped_lock lock(kept.mutex);
  if (kept.version != version()) gone = outdated(kept);
  return body(kept);
}

std::optional<std::shared_ptr<const ChunkPlaces>> ChunkMemory::places() {
  return locked([](const Kept& kept) { return kept.places; });
}

void ChunkMemory::keep_places(std::shared_ptr<const ChunkPlaces> places, std::uint64_t version) {
  locked([&](Kept& kept) {
    if (kept.version == version) kept.places = std::move(places);
  });
}

std::uint64_t ChunkMemory::missing(const TouchedChunks& touched, std::uint64_t most) {
  return locked([&](const Kept& kept) {
    std::uint64_t missing = 0;
    KeptChunks::Begin begin(touched.dimensions());
    for (std::uint64_t i = 0; i < touched.count() && missing <= most; ++i) {
      touched.begin_of(i, begin);
      if (!kept.chunks.has(begin)) ++missing;
    }
    return missing;
  });
}

KeptChunks::Chunk ChunkMemory::find(const std::vector<hsize_t>& begin, std::uint64_t read_bytes) {
  return locked([&](Kept& kept) { return kept.chunks.use(begin, read_bytes); });
}

KeptChunks::Chunk ChunkMemory::find_or_claim(const std::vector<hsize_t>& begin, std::uint64_t read_bytes) {
  Kept& kept = this->kept();
  KeptChunks gone(0, 0);  // freed without the lock
  std::unique_lock lock(kept.mutex);
  for (;;) {
    if (kept.version != version()) gone = outdated(kept);
    if (auto chunk = kept.chunks.use(begin, read_bytes)) return chunk;
    if (std::find(kept.claimed.begin(), kept.claimed.end(), begin) == kept.claimed.end()) break;
    kept.claim_ended.wait(lock);
  }
  kept.claimed.push_back(begin);
  return nullptr;
}

bool ChunkMemory::claim(const std::vector<hsize_t>& begin) {
  return locked([&](Kept& kept) {
    if (kept.chunks.has(begin)) return false;
    if (std::find(kept.claimed.begin(), kept.claimed.end(), begin) != kept.claimed.end()) return false;
    kept.claimed.push_back(begin);
    return true;
  });
}

void ChunkMemory::end_claim(const std::vector<hsize_t>& begin) {
  Kept& kept = this->kept();
  {
    const std::scoped_lock lock(kept.mutex);
    std::erase(kept.claimed, begin);
  }
  kept.claim_ended.notify_all();
}

void ChunkMemory::keep(const std::vector<hsize_t>& begin, KeptChunks::Chunk chunk, std::uint64_t read_bytes,
                       std::uint64_t version) {
  if (!keeps()) return;
  // Those that go for it are freed without the lock.
  const std::vector<KeptChunks::Chunk> gone = locked([&](Kept& kept) {
    if (kept.version != version) return std::vector<KeptChunks::Chunk>();
    return kept.chunks.add(begin, std::move(chunk), read_bytes);
  });
}

}  // namespace rooftop::h5io::internal
