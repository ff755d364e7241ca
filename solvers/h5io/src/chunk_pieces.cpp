#include "chunk_pieces.hpp"

#include <algorithm>
#include <cstring>

namespace rooftop::h5io::internal {
namespace {

/// Single elements of a constant length, which most strided selections have.
template <std::size_t bytes>
void copy_single(const std::vector<Piece>& pieces, const std::byte* from, std::byte* to) {
  for (const Piece& piece : pieces) std::memcpy(to + piece.in_memory * bytes, from + piece.in_chunk * bytes, bytes);
}

void copy_row(const std::vector<Piece>& pieces, std::size_t element_bytes, const std::byte* from, std::byte* to) {
  const bool single = pieces.front().length == 1 && pieces.back().length == 1 && pieces.size() > 2 &&
                      pieces[pieces.size() / 2].length == 1;
  if (single && std::all_of(pieces.begin(), pieces.end(), [](const Piece& piece) { return piece.length == 1; })) {
    if (element_bytes == 4) return copy_single<4>(pieces, from, to);
    if (element_bytes == 8) return copy_single<8>(pieces, from, to);
  }
  for (const Piece& piece : pieces) {
    std::memcpy(to + piece.in_memory * element_bytes, from + piece.in_chunk * element_bytes,
                piece.length * element_bytes);
  }
}

}  // namespace

std::vector<std::uint64_t> touched_chunks(const Span& span, std::uint64_t chunk) {
  std::vector<std::uint64_t> begins;
  if (span.stride <= chunk) {  // none between the first and the last is left out
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

void pieces_in_chunk(const Span& span, std::uint64_t begin, std::uint64_t chunk, std::vector<Piece>& pieces) {
  pieces.clear();
  const std::uint64_t end = begin + chunk;
  // The first block that may reach into the chunk.
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

void copy_pieces(const std::vector<std::vector<Piece>>& pieces, const std::vector<std::uint64_t>& chunk,
                 const std::vector<std::uint64_t>& memory, std::size_t element_bytes, const std::byte* from,
                 std::byte* to) {
  const std::size_t dimensions = pieces.size(), last = dimensions - 1;
  // Bytes from one element to the next along each dimension.
  std::vector<std::uint64_t> chunk_step(dimensions, element_bytes), memory_step(dimensions, element_bytes);
  for (std::size_t d = last; d-- > 0;) {
    chunk_step[d] = chunk_step[d + 1] * chunk[d + 1];
    memory_step[d] = memory_step[d + 1] * memory[d + 1];
  }
  // Which piece, and which of its elements, of all dimensions but the last.
  std::vector<std::size_t> piece(dimensions, 0);
  std::vector<std::uint64_t> element(dimensions, 0);
  for (;;) {
    std::uint64_t chunk_at = 0, memory_at = 0;
    for (std::size_t d = 0; d < last; ++d) {
      chunk_at += (pieces[d][piece[d]].in_chunk + element[d]) * chunk_step[d];
      memory_at += (pieces[d][piece[d]].in_memory + element[d]) * memory_step[d];
    }
    copy_row(pieces[last], element_bytes, from + chunk_at, to + memory_at);
    std::size_t d = last;
    while (d-- > 0) {
      if (++element[d] < pieces[d][piece[d]].length) break;
      element[d] = 0;
      if (++piece[d] < pieces[d].size()) break;
      piece[d] = 0;
    }
    if (d == static_cast<std::size_t>(-1)) return;
  }
}

}  // namespace rooftop::h5io::internal
