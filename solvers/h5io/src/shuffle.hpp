/// HDF5's shuffle filter: groups the first bytes of all elements, then the second bytes, and so on.
#pragma once

#include <cstddef>

namespace rooftop::h5io::internal {

/// Shuffles `bytes` bytes of elements of `width` bytes each. Bytes after the last whole element are copied. `from` and
/// `to` must not overlap.
void shuffle(const std::byte* from, std::size_t width, std::size_t bytes, std::byte* to);
/// Reverses shuffle().
void unshuffle(const std::byte* from, std::size_t width, std::size_t bytes, std::byte* to);

}  // namespace rooftop::h5io::internal
