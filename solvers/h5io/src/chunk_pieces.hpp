/// The intersection of a selection with one chunk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rooftop/h5io.hpp"

namespace rooftop::h5io::internal {

/// Elements that are consecutive along one dimension: where they begin in the chunk and in the caller's memory, and how
/// many they are.
struct Piece {
  std::uint64_t in_chunk, in_memory, length;
};

/// Returns the first elements, along one dimension, of the chunks that hold elements of `span`, in ascending order.
std::vector<std::uint64_t> touched_chunks(const Span& span, std::uint64_t chunk);

/// The chunks that hold elements of a selection, in row-major order.
class TouchedChunks {
 public:
  TouchedChunks(const std::vector<Span>& spans, const std::vector<std::uint64_t>& chunk);

  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] std::size_t dimensions() const { return begins_.size(); }
  /// Sets `begin` to the first element of the i-th chunk.
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

/// Sets `pieces` to the elements of `span`, along one dimension, that lie in the chunk of `chunk` elements at `begin`.
void pieces_in_chunk(const Span& span, std::uint64_t begin, std::uint64_t chunk, std::vector<Piece>& pieces);

/// What to copy: the pieces along each dimension, and the shapes of the chunk and of the caller's memory.
struct ChunkCopy {
  const std::vector<std::vector<Piece>>& pieces;
  const std::vector<std::uint64_t>& chunk;
  const std::vector<std::uint64_t>& memory;
  std::size_t element_bytes;
};

/// Copies the selected elements of a chunk to the caller's memory.
void copy_from_chunk(const ChunkCopy& copy, const std::byte* chunk, std::byte* memory);
/// Copies the selected elements from the caller's memory to a chunk.
void copy_to_chunk(const ChunkCopy& copy, const std::byte* memory, std::byte* chunk);

}  // namespace rooftop::h5io::internal
