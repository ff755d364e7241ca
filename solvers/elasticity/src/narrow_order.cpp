#include "narrow_order.hpp"

#include <algorithm>
#include <cstddef>

namespace rooftop::elasticity {
namespace {

/// Appends the nodes that hang together with one, nearest first and those with few neighbours before others.
void append_part(const Pattern& pattern, std::int32_t from, std::vector<bool>& seen, std::vector<std::int32_t>& order) {
  const auto neighbours = [&](std::int32_t node) {
    return pattern.start.data()[node + 1] - pattern.start.data()[node];
  };
  std::size_t next = order.size();
  order.push_back(from);
  seen[static_cast<std::size_t>(from)] = true;
  for (; next < order.size(); ++next) {
    const std::int32_t node = order[next];
    const auto found = static_cast<std::ptrdiff_t>(order.size());
    for (std::int64_t b = pattern.start.data()[node]; b < pattern.start.data()[node + 1]; ++b) {
      const std::int32_t other = pattern.column.data()[b];
      if (seen[static_cast<std::size_t>(other)]) continue;
      seen[static_cast<std::size_t>(other)] = true;
      order.push_back(other);
    }
    std::stable_sort(order.begin() + found, order.end(),
                     [&](std::int32_t one, std::int32_t other) { return neighbours(one) < neighbours(other); });
  }
}

}  // namespace

std::vector<std::int32_t> narrow_order(const Pattern& pattern) {
  const auto nodes = static_cast<std::size_t>(pattern.rows());
  std::vector<std::int32_t> order, tried;
  std::vector<bool> seen(nodes), seen_then(nodes);
  for (std::size_t node = 0; node < nodes; ++node) {
    if (seen[node]) continue;
    // From one end: the node that is farthest from the one that is farthest from the first.
    auto start = static_cast<std::int32_t>(node);
    for (int again = 0; again < 2; ++again) {
      tried.clear();
      append_part(pattern, start, seen_then, tried);
      for (const std::int32_t one : tried) seen_then[static_cast<std::size_t>(one)] = false;
      start = tried.back();
    }
    append_part(pattern, start, seen, order);
  }
  std::ranges::reverse(order);
  return order;
}

std::vector<std::int64_t> first_columns(const Pattern& pattern, const std::vector<std::int32_t>& order,
                                        std::int64_t size) {
  std::vector<std::int64_t> place(order.size()), result;
  for (std::size_t at = 0; at < order.size(); ++at) {
    place[static_cast<std::size_t>(order[at])] = static_cast<std::int64_t>(at);
  }
  for (std::size_t at = 0; at < order.size(); ++at) {
    const std::int32_t node = order[at];
    auto least = static_cast<std::int64_t>(at);
    for (std::int64_t b = pattern.start.data()[node]; b < pattern.start.data()[node + 1]; ++b) {
      least = std::min(least, place[static_cast<std::size_t>(pattern.column.data()[b])]);
    }
    result.insert(result.end(), static_cast<std::size_t>(size), size * least);
  }
  return result;
}

}  // namespace rooftop::elasticity
