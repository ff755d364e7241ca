/// HDF5's shuffle: the first bytes of all elements lie together, then the second ones, and so on.
#pragma once

#include <cstddef>

namespace rooftop::h5io::internal {

/// `elements` elements of `width` bytes each; `from` and `to` do not overlap.
void shuffle(const std::byte* from, std::size_t width, std::size_t elements, std::byte* to);
/// Undoes it.
void unshuffle(const std::byte* from, std::size_t width, std::size_t elements, std::byte* to);

}  // namespace rooftop::h5io::internal
