#include "balance.hpp"

#include <algorithm>

#include "random.hpp"

namespace rooftop::routing {

std::uint64_t balance(const Exchange& exchange) {
  const auto number = [&](int end, int other) {
    const auto [low, high] = std::minmax(exchange.ends[index(end)], exchange.ends[index(other)]);
    return Random::mix(static_cast<std::uint64_t>(low) << 32U | static_cast<std::uint64_t>(high));
  };
  std::uint64_t sum = 0;
  for (int end = 0; end < 2 * exchange.edges; ++end) {
    if (end % 2 == 0) sum -= number(end, end + 1);
    if (end < exchange.partner(end)) sum += number(end, exchange.partner(end));
  }
  return sum;
}

}  // namespace rooftop::routing
