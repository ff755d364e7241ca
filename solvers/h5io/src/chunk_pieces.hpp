/// What of a selection lies in one chunk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rooftop/h5io.hpp"

namespace rooftop::h5io::internal {

/// Elements that follow each other along one dimension, in a chunk and in the caller's memory.
struct Piece {
  std::uint64_t in_chunk, in_memory, length;
};

/// Along one dimension: where the chunks begin that hold something of `span`, in order.
std::vector<std::uint64_t> touched_chunks(const Span& span, std::uint64_t chunk);

/// Chunks that hold something of a selection, numbered row by row.
class TouchedChunks {
 public:
  TouchedChunks(const std::vector<Span>& spans, const std::vector<std::uint64_t>& chunk);

  [[nodiscard]] std::uint64_t count() const { return count_; }
  /// Where the i-th one begins.
  template <typename Number>
  void begin_of(std::uint64_t i, std::vector<Number>& begin) const {
    for (std::size_t d = begins_.size(); d-- > 0;) {
      begin[d] = begins_[d][i % begins_[d].size()];
      i /= begins_[d].size();
    }
  }

 private:
  std::vector<std::vector<std::uint64_t>> begins_;
  std::uint64_t count_ = 1;
};

/// Along one dimension: what of `span` lies in the `chunk` elements from `begin` on.
void pieces_in_chunk(const Span& span, std::uint64_t begin, std::uint64_t chunk, std::vector<Piece>& pieces);

/// Pieces along each dimension, and the shapes of the chunk and of the caller's memory.
struct ChunkCopy {
  const std::vector<std::vector<Piece>>& pieces;
  const std::vector<std::uint64_t>& chunk;
  const std::vector<std::uint64_t>& memory;
  std::size_t element_bytes;
};

/// Copies elements of a chunk to the caller's memory.
void copy_from_chunk(const ChunkCopy& copy, const std::byte* chunk, std::byte* memory);
/// Copies them from there to a chunk.
void copy_to_chunk(const ChunkCopy& copy, const std::byte* memory, std::byte* chunk);

}  // namespace rooftop::h5io::internal
