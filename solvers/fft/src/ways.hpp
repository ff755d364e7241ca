/// How a plan goes about its transforms, where there is more than one way.
#pragma once

#include <optional>

#include "line.hpp"
#include "rooftop/fft.hpp"

namespace rooftop::fft::internal {

/// What is decided by the size of the array, unless it was measured (measured_ways.hpp). Of the options the scales and
/// the axes count.
struct Ways : Options {
  // NOLINTNEXTLINE(google-explicit-constructor): options alone leave every decision to the size.
  Ways(const Options& options = {}) : Options(options) {}

  /// Each axis by itself, rather than planes and then columns through them.
  bool by_axes = false;
  /// Write columns past the caches.
  std::optional<bool> stream;
  /// Columns of arrays up to this size are read and written where they lie, in the L2 cache; of larger ones by tiles.
  Index straight_bytes = Index{4} << 20;
  /// Which of a long line's cuts into rows, the one that should cost least first.
  int cut = 0;
};

/// The same for an axis whose results are not scaled, since those of another one are.
inline Ways unscaled(Ways ways) {
  ways.forward_scale = ways.backward_scale = 1;
  return ways;
}

}  // namespace rooftop::fft::internal
