/// Images and filters that give every kind of mistake away.
#pragma once

#include <cstdint>
#include <span>

namespace winograd {

/// Smooth ramps plus a signature of channel and place, within [-1, 1): a shift, flip, transposition or swap of
/// channels changes every output. `out` is [planes][height][width], a plane being one channel of an image or filter.
void fill_structured(std::span<float> out, int height, int width, std::uint64_t seed);

}  // namespace winograd
