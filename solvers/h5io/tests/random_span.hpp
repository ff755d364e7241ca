/// Random selections for tests.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>

#include "rooftop/h5io.hpp"

namespace rooftop::h5io::tests {

/// Returns random blocks that fit into a dimension of `extent` elements.
inline Span random_span(std::uint64_t extent, std::mt19937_64& random) {
  const auto below = [&](std::uint64_t end) {
    return std::uniform_int_distribution<std::uint64_t>(0, end - 1)(random);
  };
  Span span;
  span.start = below(extent);
  span.block = 1 + below(std::min<std::uint64_t>(extent - span.start, 1 + below(9)));
  span.stride = span.block + below(1 + below(12));
  span.count = 1 + below((extent - span.start - span.block) / span.stride + 1);
  return span;
}

}  // namespace rooftop::h5io::tests
