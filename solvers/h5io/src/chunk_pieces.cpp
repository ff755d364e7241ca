#include "chunk_pieces.hpp"

#include <algorithm>
#include <cstring>

namespace rooftop::h5io::internal {
namespace {

/// Copies one piece of a row: from the chunk to the caller's memory if `out`, otherwise the other way.
template <bool out>
void copy_bytes(std::uint64_t chunk_at, std::uint64_t memory_at, std::size_t bytes, std::byte* chunk,
                std::byte* memory) {
  if constexpr (out) {
    std::memcpy(memory + memory_at, chunk + chunk_at, bytes);
  } else {
    std::memcpy(chunk + chunk_at, memory + memory_at, bytes);
  }
}

/// Copies pieces of one element each, as most strided selections have. The size is a constant, so a copy is a load and
/// a store.
template <bool out, std::size_t bytes>
void copy_single(const std::vector<Piece>& pieces, std::byte* chunk, std::byte* memory) {
  for (const Piece& piece : pieces) {
    copy_bytes<out>(piece.in_chunk * bytes, piece.in_memory * bytes, bytes, chunk, memory);
  }
}

/// Copies all pieces of a row. `single`: whether each is one element.
template <bool out>
void copy_row(const std::vector<Piece>& pieces, bool single, std::size_t element_bytes, std::byte* chunk,
              std::byte* memory) {
  if (single && element_bytes == 4) return copy_single<out, 4>(pieces, chunk, memory);
  if (single && element_bytes == 8) return copy_single<out, 8>(pieces, chunk, memory);
  for (const Piece& piece : pieces) {
    copy_bytes<out>(piece.in_chunk * element_bytes, piece.in_memory * element_bytes, piece.length * element_bytes,
                    chunk, memory);
  }
}

/// Copies a selection row by row: a row is along the last dimension, and there is one for each combination of elements
/// selected along the other dimensions.
template <bool out>
void copy_rows(const ChunkCopy& copy, std::byte* chunk, std::byte* memory) {
  const auto& pieces = copy.pieces;
  const std::size_t dimensions = pieces.size(), last = dimensions - 1;
  // Strides in bytes.
  std::vector<std::uint64_t> chunk_step(dimensions, copy.element_bytes), memory_step(dimensions, copy.element_bytes);
  for (std::size_t d = last; d-- > 0;) {
    chunk_step[d] = chunk_step[d + 1] * copy.chunk[d + 1];
    memory_step[d] = memory_step[d + 1] * copy.memory[d + 1];
  }
  const bool single =
      std::all_of(pieces[last].begin(), pieces[last].end(), [](const Piece& piece) { return piece.length == 1; });
  // For each dimension but the last, the current piece and the current element of it.
  std::vector<std::size_t> piece(dimensions, 0);
  std::vector<std::uint64_t> element(dimensions, 0);
  for (bool more = true; more;) {
    std::uint64_t chunk_at = 0, memory_at = 0;
    for (std::size_t d = 0; d < last; ++d) {
      chunk_at += (pieces[d][piece[d]].in_chunk + element[d]) * chunk_step[d];
      memory_at += (pieces[d][piece[d]].in_memory + element[d]) * memory_step[d];
    }
    copy_row<out>(pieces[last], single, copy.element_bytes, chunk + chunk_at, memory + memory_at);
    more = false;
    for (std::size_t d = last; d-- > 0 && !more;) {
      if (++element[d] < pieces[d][piece[d]].length) {
        more = true;
        continue;
      }
      element[d] = 0;
      if (++piece[d] < pieces[d].size()) {
        more = true;
        continue;
      }
      piece[d] = 0;
    }
  }
}

}  // namespace

std::vector<std::uint64_t> touched_chunks(const Span& span, std::uint64_t chunk) {
  std::vector<std::uint64_t> begins;
  if (span.stride <= chunk) {  // every chunk from the first to the last is touched
    const std::uint64_t last = span.start + (span.count - 1) * span.stride + span.block - 1;
    for (std::uint64_t begin = span.start / chunk * chunk; begin <= last; begin += chunk) begins.push_back(begin);
    return begins;
  }
  for (std::uint64_t i = 0; i < span.count; ++i) {
    const std::uint64_t first = span.start + i * span.stride, last = first + span.block - 1;
    std::uint64_t begin = first / chunk * chunk;
    if (!begins.empty() && begin <= begins.back()) begin = begins.back() + chunk;
    for (; begin <= last; begin += chunk) begins.push_back(begin);
  }
  return begins;
}

TouchedChunks::TouchedChunks(const std::vector<Span>& spans, const std::vector<std::uint64_t>& chunk) {
  for (std::size_t d = 0; d < spans.size(); ++d) {
    begins_.push_back(touched_chunks(spans[d], chunk[d]));
    count_ *= begins_.back().size();
  }
}

void pieces_in_chunk(const Span& span, std::uint64_t begin, std::uint64_t chunk, std::vector<Piece>& pieces) {
  pieces.clear();
  const std::uint64_t end = begin + chunk;
  // Skip the blocks that end before the chunk.
  std::uint64_t i = 0;
  if (begin > span.start + span.block - 1) i = (begin - span.start - span.block) / span.stride + 1;
  for (; i < span.count; ++i) {
    const std::uint64_t first = span.start + i * span.stride;
    if (first >= end) break;
    const std::uint64_t from = std::max(first, begin), to = std::min(first + span.block, end);
    if (from >= to) continue;
    const Piece piece{from - begin, i * span.block + (from - first), to - from};
    const bool goes_on = !pieces.empty() && pieces.back().in_chunk + pieces.back().length == piece.in_chunk;
    if (goes_on) {
      pieces.back().length += piece.length;
    } else {
      pieces.push_back(piece);
    }
  }
}

// copy_rows() takes both pointers as mutable, but writes through only one of them.
void copy_from_chunk(const ChunkCopy& copy, const std::byte* chunk, std::byte* memory) {
  copy_rows<true>(copy, const_cast<std::byte*>(chunk), memory);
}

void copy_to_chunk(const ChunkCopy& copy, const std::byte* memory, std::byte* chunk) {
  copy_rows<false>(copy, chunk, const_cast<std::byte*>(memory));
}

}  // namespace rooftop::h5io::internal
