#include "chunk_memory.hpp"

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

/// Calls `body` with what is kept of the file as it is now.
template <typename Body>
auto ChunkMemory::locked(const Body& body) {
  Kept& kept = this->kept();
  KeptChunks gone(0, 0);  // freed without the lock
  const std::scoped_lock lock(kept.mutex);
  const std::uint64_t now = version();
  if (kept.version != now) {
    std::swap(gone, kept.chunks);
    kept.chunks = KeptChunks(most_bytes, most_chunks);
    kept.places.reset();
    kept.version = now;
  }
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

bool ChunkMemory::has(const std::vector<hsize_t>& begin) {
  return locked([&](const Kept& kept) { return kept.chunks.has(begin); });
}

KeptChunks::Chunk ChunkMemory::find(const std::vector<hsize_t>& begin, std::uint64_t read_bytes) {
  return locked([&](Kept& kept) { return kept.chunks.use(begin, read_bytes); });
}

void ChunkMemory::keep(const std::vector<hsize_t>& begin, KeptChunks::Chunk chunk, std::uint64_t read_bytes,
                       std::uint64_t version) {
  if (changes_ == nullptr || !changes_->are_known()) return;
  // Those that go for it are freed without the lock.
  const std::vector<KeptChunks::Chunk> gone = locked([&](Kept& kept) {
    if (kept.version != version) return std::vector<KeptChunks::Chunk>();
    return kept.chunks.add(begin, std::move(chunk), read_bytes);
  });
}

}  // namespace rooftop::h5io::internal
