#include "shuffle.hpp"

#include <algorithm>

namespace rooftop::h5io::internal {
namespace {

void copy_rest(const std::byte* from, std::size_t begin, std::size_t bytes, std::byte* to) {
  std::copy(from + begin, from + bytes, to + begin);
}

/// The width is a constant, so that the compiler vectorizes the inner loop to register shuffles.
template <std::size_t width>
void unshuffle_elements(const std::byte* __restrict from, std::size_t elements, std::byte* __restrict to) {
  for (std::size_t i = 0; i < elements; ++i) {
    for (std::size_t b = 0; b < width; ++b) to[i * width + b] = from[b * elements + i];
  }
}

template <std::size_t width>
void shuffle_elements(const std::byte* __restrict from, std::size_t elements, std::byte* __restrict to) {
  for (std::size_t i = 0; i < elements; ++i) {
    for (std::size_t b = 0; b < width; ++b) to[b * elements + i] = from[i * width + b];
  }
}

}  // namespace

void shuffle(const std::byte* from, std::size_t width, std::size_t bytes, std::byte* to) {
  const std::size_t elements = bytes / width;
  copy_rest(from, width * elements, bytes, to);
  switch (width) {
    case 2:
      return shuffle_elements<2>(from, elements, to);
    case 4:
      return shuffle_elements<4>(from, elements, to);
    case 8:
      return shuffle_elements<8>(from, elements, to);
    case 16:
      return shuffle_elements<16>(from, elements, to);
    default:
      for (std::size_t i = 0; i < elements; ++i) {
        for (std::size_t b = 0; b < width; ++b) to[b * elements + i] = from[i * width + b];
      }
  }
}

void unshuffle(const std::byte* from, std::size_t width, std::size_t bytes, std::byte* to) {
  const std::size_t elements = bytes / width;
  copy_rest(from, width * elements, bytes, to);
  switch (width) {
    case 2:
      return unshuffle_elements<2>(from, elements, to);
    case 4:
      return unshuffle_elements<4>(from, elements, to);
    case 8:
      return unshuffle_elements<8>(from, elements, to);
    case 16:
      return unshuffle_elements<16>(from, elements, to);
    default:
      for (std::size_t i = 0; i < elements; ++i) {
        for (std::size_t b = 0; b < width; ++b) to[i * width + b] = from[b * elements + i];
      }
  }
}

}  // namespace rooftop::h5io::internal
