/// The elements of one chunk that a selection contains, and copies between their three places: the chunk, the caller's
/// memory, and a packed message.
#pragma once

#include <hdf5.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "chunk_pieces.hpp"
#include "rooftop/h5io.hpp"

namespace rooftop::h5io::internal {

class ChunkPart {
 public:
  /// `begin`: the first element of the chunk.
  ChunkPart(const Description& description, const std::vector<Span>& spans, const std::vector<hsize_t>& begin);

  [[nodiscard]] std::uint64_t bytes() const;
  void chunk_to_memory(const std::byte* chunk, std::byte* memory) const;
  void memory_to_chunk(const std::byte* memory, std::byte* chunk) const;
  void chunk_to_packed(const std::byte* chunk, std::byte* packed) const;
  void packed_to_chunk(const std::byte* packed, std::byte* chunk) const;
  void memory_to_packed(const std::byte* memory, std::byte* packed) const;
  void packed_to_memory(const std::byte* packed, std::byte* memory) const;

 private:
  using Pieces = std::vector<std::vector<Piece>>;

  /// Pieces for copies between two places: `in_chunk` is for the first one named, `in_memory` for the second.
  Pieces chunk_memory_, chunk_packed_, packed_memory_;
  std::vector<std::uint64_t> chunk_, memory_, packed_;  ///< shapes
  std::size_t element_bytes_;
};

}  // namespace rooftop::h5io::internal
