#include "first_tours.hpp"

#include <algorithm>
#include <array>

#include "greedy.hpp"
#include "random.hpp"

namespace rooftop::routing {
namespace {

enum class Judge : std::uint8_t { cost, cost_and_tolls, savings };

constexpr std::array judges{Judge::cost_and_tolls, Judge::savings, Judge::cost, Judge::savings};
constexpr int exact = 3;         ///< tours by costs as they are
constexpr double inexact = 0.1;  ///< of a cost: the width of what it is off by

}  // namespace

std::vector<City> first_tour(int number, const Terrain& terrain, std::uint64_t seed, int threads, Patience& patience) {
  Random random(seed, static_cast<std::uint64_t>(number), 0);
  const City hub = random.below(terrain.costs.cities());
  const std::uint64_t salt = random.bits();
  const double width = number < exact ? 0 : inexact;
  const auto cost = [&terrain, salt, width](City a, City b) {
    const double exactly = terrain.costs(a, b);
    if (width == 0) return exactly;
    const auto [low, high] = std::minmax(a, b);
    const auto edge = static_cast<std::uint64_t>(low) << 32U | static_cast<std::uint64_t>(high);
    return exactly * (1 + width * (Random(salt ^ Random::mix(edge)).unit() - 0.5));
  };
  switch (judges[static_cast<std::size_t>(number) % judges.size()]) {
    case Judge::cost:
      return greedy_tour(terrain.costs, cost, terrain.near, terrain.sites, threads, patience);
    case Judge::savings:  // G. Clarke, J. W. Wright (1964)
      return greedy_tour(
          terrain.costs, [&](City a, City b) { return cost(a, b) - terrain.costs(hub, a) - terrain.costs(hub, b); },
          terrain.near, terrain.sites, threads, patience);
    case Judge::cost_and_tolls:
      break;
  }
  return greedy_tour(
      terrain.costs, [&](City a, City b) { return cost(a, b) + terrain.tolls[index(a)] + terrain.tolls[index(b)]; },
      terrain.near, terrain.sites, threads, patience);
}

}  // namespace rooftop::routing
