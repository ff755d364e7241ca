/// Edges that leave a tour, and those that join what is left.
#pragma once

#include <array>

#include "city.hpp"

namespace rooftop::routing {

inline constexpr int most_exchanged = 5;

/// Edges (ends[0], ends[1]), (ends[2], ends[3]), … leave. What enters, in the order of a search: (ends[1], ends[2]),
/// (ends[3], ends[4]), …, and back to ends[0]. Of a double bridge, four neighbouring edges in the order of the tour,
/// each from one city to the next, it is what turns the pieces 0 1 2 3 into 0 3 2 1.
struct Exchange {
  int edges = 0;
  bool double_bridge = false;
  std::array<City, 2 * most_exchanged> ends{};

  /// The end that `end` is joined with.
  [[nodiscard]] int partner(int end) const {
    if (double_bridge) {
      constexpr std::array<int, 8> bridge{5, 4, 7, 6, 1, 0, 3, 2};
      return bridge[static_cast<std::size_t>(end)];
    }
    const int all = 2 * edges;
    if (end % 2 == 1) return end + 1 == all ? 0 : end + 1;
    return end == 0 ? all - 1 : end - 1;
  }
};

}  // namespace rooftop::routing
