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

/// Along one dimension: what of `span` lies in the `chunk` elements from `begin` on.
void pieces_in_chunk(const Span& span, std::uint64_t begin, std::uint64_t chunk, std::vector<Piece>& pieces);

/// Copies elements of a chunk to the caller's memory; `pieces` along each dimension. `chunk` and `memory` are the
/// shapes of both.
void copy_pieces(const std::vector<std::vector<Piece>>& pieces, const std::vector<std::uint64_t>& chunk,
                 const std::vector<std::uint64_t>& memory, std::size_t element_bytes, const std::byte* from,
                 std::byte* to);

}  // namespace rooftop::h5io::internal
