/// The images and filters that a case is run on: a function of the seed and the place alone.
#pragma once

#include <cstddef>
#include <cstdint>

namespace winograd {

/// Uniform in [-1, 1): element i is the top 24 bits of splitmix64(stream + i), so any thread can fill any part.
/// Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
void fill_random(float* out, std::size_t count, std::uint64_t stream);

/// Smooth ramps plus a signature of channel and place, within [-1, 1): a shift, flip, transposition or swap of
/// channels changes every output. `out` is planes*channels*height*width, planes being images or filters.
void fill_structured(float* out, int planes, int channels, int height, int width, std::uint64_t stream);

/// The start of an independent stream of a seed.
std::uint64_t stream_of(std::uint64_t seed, std::uint64_t index);

}  // namespace winograd
