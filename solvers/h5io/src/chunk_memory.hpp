/// What is kept of a chunked dataset between reads.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "changes.hpp"
#include "chunk_pieces.hpp"
#include "chunk_places.hpp"
#include "kept_chunks.hpp"

namespace rooftop::h5io::internal {

/// Where the chunks lie in the file, and those that were decoded last: a chunk cache of the size that HDF5 2 gives each
/// dataset. All is forgotten once the file was changed through this library. Any thread may call it.
class ChunkMemory {
 public:
  static constexpr std::size_t most_bytes = 8 << 20, most_chunks = 8191;

  ChunkMemory();
  ChunkMemory(const ChunkMemory&) = delete;
  ChunkMemory& operator=(const ChunkMemory&) = delete;
  ~ChunkMemory();

  /// Forgets with the changes of the dataset's file, which live longer. Without, nothing decoded is kept.
  void follow(const Changes& changes) { changes_ = &changes; }

  /// Whether decoded chunks are kept at all.
  [[nodiscard]] bool keeps() const { return changes_ != nullptr && changes_->are_known(); }
  /// Of the file now: what is read of the file after this call may be kept with it.
  [[nodiscard]] std::uint64_t version() const { return changes_ == nullptr ? 0 : changes_->count(); }

  /// Nothing where they were not looked for since the file was changed; null where they were not found.
  [[nodiscard]] std::optional<std::shared_ptr<const ChunkPlaces>> places();
  void keep_places(std::shared_ptr<const ChunkPlaces> places, std::uint64_t version);

  /// How many of these chunks are not kept; where there are more than `most`, some number above it.
  [[nodiscard]] std::uint64_t missing(const TouchedChunks& touched, std::uint64_t most);
  /// The chunk that begins there, of which so many bytes are read. Null where it is not kept.
  [[nodiscard]] KeptChunks::Chunk find(const std::vector<hsize_t>& begin, std::uint64_t read_bytes);
  /// The same. Null is the claim to read the chunk: others wait until it has ended. So does this while another thread
  /// has the claim.
  [[nodiscard]] KeptChunks::Chunk find_or_claim(const std::vector<hsize_t>& begin, std::uint64_t read_bytes);
  /// Claims a chunk that is neither kept nor claimed. Returns whether it is.
  [[nodiscard]] bool claim(const std::vector<hsize_t>& begin);
  void keep(const std::vector<hsize_t>& begin, KeptChunks::Chunk chunk, std::uint64_t read_bytes,
            std::uint64_t version);

  /// Ends a claim, also after an error.
  class Claim {
   public:
    Claim(ChunkMemory& memory, const std::vector<hsize_t>& begin) : memory_(memory), begin_(begin) {}
    Claim(const Claim&) = delete;
    Claim& operator=(const Claim&) = delete;
    ~Claim() { memory_.end_claim(begin_); }

   private:
    ChunkMemory& memory_;
    const std::vector<hsize_t>& begin_;
  };

 private:
  /// Of one process. Another thread may have held the lock when the process was forked: the new process leaves this as
  /// it is, and has one of its own.
  struct Kept;

  [[nodiscard]] Kept& kept();
  /// Forgets what was kept of the file before its last change. Returns it: to free it takes a while.
  [[nodiscard]] KeptChunks outdated(Kept& kept) const;
  void end_claim(const std::vector<hsize_t>& begin);
  template <typename Body>
  auto locked(const Body& body);

  const Changes* changes_ = nullptr;
  std::atomic<Kept*> kept_;
};

}  // namespace rooftop::h5io::internal
