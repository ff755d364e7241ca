#include "chunk_part.hpp"

#include <utility>

namespace rooftop::h5io::internal {

ChunkPart::ChunkPart(const Description& description, const std::vector<Span>& spans, const std::vector<hsize_t>& begin)
    : chunk_memory_(spans.size()), chunk_(description.chunk), element_bytes_(description.element_bytes) {
  for (std::size_t d = 0; d < spans.size(); ++d) {
    pieces_in_chunk(spans[d], begin[d], chunk_[d], chunk_memory_[d]);
    memory_.push_back(spans[d].size());
    std::vector<Piece> chunk_packed, packed_memory;
    std::uint64_t at = 0;
    for (const Piece& piece : chunk_memory_[d]) {
      chunk_packed.push_back({piece.in_chunk, at, piece.length});
      packed_memory.push_back({at, piece.in_memory, piece.length});
      at += piece.length;
    }
    chunk_packed_.push_back(std::move(chunk_packed));
    packed_memory_.push_back(std::move(packed_memory));
    packed_.push_back(at);
  }
}

std::uint64_t ChunkPart::bytes() const {
  std::uint64_t bytes = element_bytes_;
  for (const std::uint64_t length : packed_) bytes *= length;
  return bytes;
}

void ChunkPart::chunk_to_memory(const std::byte* chunk, std::byte* memory) const {
  copy_from_chunk({chunk_memory_, chunk_, memory_, element_bytes_}, chunk, memory);
}

void ChunkPart::memory_to_chunk(const std::byte* memory, std::byte* chunk) const {
  copy_to_chunk({chunk_memory_, chunk_, memory_, element_bytes_}, memory, chunk);
}

void ChunkPart::chunk_to_packed(const std::byte* chunk, std::byte* packed) const {
  copy_from_chunk({chunk_packed_, chunk_, packed_, element_bytes_}, chunk, packed);
}

void ChunkPart::packed_to_chunk(const std::byte* packed, std::byte* chunk) const {
  copy_to_chunk({chunk_packed_, chunk_, packed_, element_bytes_}, packed, chunk);
}

void ChunkPart::memory_to_packed(const std::byte* memory, std::byte* packed) const {
  copy_to_chunk({packed_memory_, packed_, memory_, element_bytes_}, memory, packed);
}

void ChunkPart::packed_to_memory(const std::byte* packed, std::byte* memory) const {
  copy_from_chunk({packed_memory_, packed_, memory_, element_bytes_}, packed, memory);
}

}  // namespace rooftop::h5io::internal
