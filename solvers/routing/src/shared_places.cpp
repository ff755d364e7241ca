#include "shared_places.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace rooftop::routing {
namespace {

/// Cities of a place that are left apart, for rounded distances may make it worth coming back to one of them.
constexpr std::size_t most_apart = 8;

/// Cities that no fixed edge touches, by their places.
std::vector<std::pair<Site, City>> free_cities(const Instance& instance, const std::vector<Site>& sites) {
  std::vector<char> fixed(sites.size(), 0);
  for (const auto& [a, b] : instance.fixed_edges) fixed[index(a)] = fixed[index(b)] = 1;
  std::vector<std::pair<Site, City>> all;
  all.reserve(sites.size());
  for (City city = 0; city < instance.cities; ++city) {
    if (fixed[index(city)] == 0) all.emplace_back(sites[index(city)], city);
  }
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace

std::optional<Instance> with_shared_places_joined(const Instance& instance, const std::vector<Site>& sites) {
  const bool directed = !instance.symmetric && !instance.fixed_edges.empty();
  if (sites.empty() || directed) return {};
  const std::vector<std::pair<Site, City>> all = free_cities(instance, sites);
  std::vector<std::pair<std::int32_t, std::int32_t>> joined;
  for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
    while (end < all.size() && all[end].first == all[begin].first) ++end;
    if (end - begin <= most_apart) continue;
    for (std::size_t i = begin + 1; i < end; ++i) joined.emplace_back(all[i - 1].second, all[i].second);
  }
  if (joined.empty()) return {};
  Instance same = instance;
  same.symmetric = true;  // as distances between places are
  same.fixed_edges.insert(same.fixed_edges.end(), joined.begin(), joined.end());
  return same;
}

}  // namespace rooftop::routing
