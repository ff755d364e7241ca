#include "chunk_pieces.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <type_traits>

namespace rooftop::h5io::internal {
namespace {

constexpr std::size_t most_dimensions = 32;
using Steps = std::array<std::uint64_t, most_dimensions>;

/// Copies bytes: from the chunk to the caller's memory if `out`, otherwise the other way.
template <bool out>
void copy_bytes(std::byte* chunk, std::byte* memory, std::size_t bytes) {
  if constexpr (out) {
    std::memcpy(memory, chunk, bytes);
  } else {
    std::memcpy(chunk, memory, bytes);
  }
}

/// Calls `body` with a size: as a constant, so that a copy is a load and a store, if elements often have it.
template <typename Body>
void with_size(std::size_t bytes, const Body& body) {
  switch (bytes) {
    case 1:
      return body(std::integral_constant<std::size_t, 1>());
    case 2:
      return body(std::integral_constant<std::size_t, 2>());
    case 4:
      return body(std::integral_constant<std::size_t, 4>());
    case 8:
      return body(std::integral_constant<std::size_t, 8>());
    case 16:
      return body(std::integral_constant<std::size_t, 16>());
    default:
      return body(bytes);
  }
}

/// Copies `count` pieces of `bytes` bytes each. In the chunk they are `chunk_step` bytes apart, in the caller's memory
/// `memory_step`.
template <bool out>
void copy_spaced(std::uint64_t count, std::size_t bytes, std::uint64_t chunk_step, std::uint64_t memory_step,
                 std::byte* chunk, std::byte* memory) {
  if (count == 1 || (chunk_step == bytes && memory_step == bytes)) return copy_bytes<out>(chunk, memory, count * bytes);
  with_size(bytes, [&](auto size) {
    for (std::uint64_t i = 0; i < count; ++i, chunk += chunk_step, memory += memory_step) {
      copy_bytes<out>(chunk, memory, size);
    }
  });
}

/// Copies all pieces of a row. `single`: whether each is one element, as in most strided selections.
template <bool out>
void copy_row(const std::vector<Piece>& pieces, bool single, std::size_t element_bytes, std::byte* chunk,
              std::byte* memory) {
  if (single) {
    return with_size(element_bytes, [&](auto size) {
      for (const Piece& piece : pieces) {
        copy_bytes<out>(chunk + piece.in_chunk * size, memory + piece.in_memory * size, size);
      }
    });
  }
  for (const Piece& piece : pieces) {
    copy_bytes<out>(chunk + piece.in_chunk * element_bytes, memory + piece.in_memory * element_bytes,
                    piece.length * element_bytes);
  }
}

/// Copies the rows of one plane: those that differ along the last dimension but one only.
template <bool out>
void copy_plane(const ChunkCopy& copy, const Steps& chunk_step, const Steps& memory_step, bool single, std::byte* chunk,
                std::byte* memory) {
  const std::size_t across = copy.pieces.size() - 2;
  const std::vector<Piece>& row = copy.pieces.back();
  for (const Piece& rows : copy.pieces[across]) {
    std::byte* const chunk_row = chunk + rows.in_chunk * chunk_step[across];
    std::byte* const memory_row = memory + rows.in_memory * memory_step[across];
    if (row.size() == 1) {
      copy_spaced<out>(rows.length, row[0].length * copy.element_bytes, chunk_step[across], memory_step[across],
                       chunk_row + row[0].in_chunk * copy.element_bytes,
                       memory_row + row[0].in_memory * copy.element_bytes);
      continue;
    }
    for (std::uint64_t i = 0; i < rows.length; ++i) {
      copy_row<out>(row, single, copy.element_bytes, chunk_row + i * chunk_step[across],
                    memory_row + i * memory_step[across]);
    }
  }
}

/// Copies a selection plane by plane: there is one for each combination of elements selected along the dimensions
/// before the last two.
template <bool out>
void copy_rows(const ChunkCopy& copy, std::byte* chunk, std::byte* memory) {
  const auto& pieces = copy.pieces;
  const std::size_t dimensions = pieces.size(), last = dimensions - 1;
  const bool single =
      std::all_of(pieces[last].begin(), pieces[last].end(), [](const Piece& piece) { return piece.length == 1; });
  if (dimensions == 1) return copy_row<out>(pieces[0], single, copy.element_bytes, chunk, memory);
  Steps chunk_step{}, memory_step{};  // in bytes
  chunk_step[last] = memory_step[last] = copy.element_bytes;
  for (std::size_t d = last; d-- > 0;) {
    chunk_step[d] = chunk_step[d + 1] * copy.chunk[d + 1];
    memory_step[d] = memory_step[d + 1] * copy.memory[d + 1];
  }
  const std::size_t outer = dimensions - 2;
  // For each dimension before the last two, the current piece and the current element of it.
  std::array<std::size_t, most_dimensions> piece{};
  Steps element{};
  for (bool more = true; more;) {
    std::uint64_t chunk_at = 0, memory_at = 0;
    for (std::size_t d = 0; d < outer; ++d) {
      chunk_at += (pieces[d][piece[d]].in_chunk + element[d]) * chunk_step[d];
      memory_at += (pieces[d][piece[d]].in_memory + element[d]) * memory_step[d];
    }
    copy_plane<out>(copy, chunk_step, memory_step, single, chunk + chunk_at, memory + memory_at);
    more = false;
    for (std::size_t d = outer; d-- > 0 && !more;) {
      more = ++element[d] < pieces[d][piece[d]].length;
      if (more) continue;
      element[d] = 0;
      more = ++piece[d] < pieces[d].size();
      if (!more) piece[d] = 0;
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
