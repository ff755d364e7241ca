#include <cstddef>

#include "aggregation.hpp"

namespace rooftop::elasticity {

Aggregates aggregate(const Pattern& pattern, const std::vector<float>& strength, float least) {
  constexpr std::int32_t nowhere = Aggregates::none;
  const std::int64_t nodes = pattern.rows();
  Aggregates result{std::vector<std::int32_t>(static_cast<std::size_t>(nodes), nowhere), 0};
  std::int32_t* of = result.of.data();
  const auto for_strong = [&](std::int64_t node, auto visit) {
    for (std::int64_t b = pattern.start.data()[node]; b < pattern.start.data()[node + 1]; ++b) {
      const std::int32_t other = pattern.column.data()[b];
      if (other != node && strength.data()[b] > least) visit(other, strength.data()[b]);
    }
  };
  // A node with all of its strong neighbours, where none of them is in an aggregate yet.
  for (std::int64_t node = 0; node < nodes; ++node) {
    if (of[node] != nowhere) continue;
    bool alone = true, any = false;
    for_strong(node, [&](std::int32_t other, float) { any = true, alone = alone && of[other] == nowhere; });
    if (!alone || !any) continue;
    const auto next = static_cast<std::int32_t>(result.count++);
    of[node] = next;
    for_strong(node, [&](std::int32_t other, float) { of[other] = next; });
  }
  // The others join the aggregate of their strongest neighbour; what joins here attracts no more.
  const std::vector<std::int32_t> first = result.of;
  for (std::int64_t node = 0; node < nodes; ++node) {
    if (of[node] != nowhere) continue;
    float strongest = 0;
    for_strong(node, [&](std::int32_t other, float strong) {
      if (first.data()[other] != nowhere && strong > strongest) strongest = strong, of[node] = first.data()[other];
    });
  }
  for (std::int64_t node = 0; node < nodes; ++node) {
    if (of[node] != nowhere) continue;
    bool any = false;
    for_strong(node, [&](std::int32_t, float) { any = true; });
    if (!any) continue;
    const auto next = static_cast<std::int32_t>(result.count++);
    of[node] = next;
    for_strong(node, [&](std::int32_t other, float) {
      if (of[other] == nowhere) of[other] = next;
    });
  }
  return result;
}

}  // namespace rooftop::elasticity
