/// HDF5's shuffle: the first bytes of all elements lie together, then the second ones, and so on.
#pragma once

#include <cstddef>

namespace rooftop::h5io::internal {

/// Of `bytes` bytes, elements of `width` each; what is left behind the last whole one stays there. `from` and `to` do
/// not overlap.
void shuffle(const std::byte* from, std::size_t width, std::size_t bytes, std::byte* to);
/// Undoes it.
void unshuffle(const std::byte* from, std::size_t width, std::size_t bytes, std::byte* to);

}  // namespace rooftop::h5io::internal
