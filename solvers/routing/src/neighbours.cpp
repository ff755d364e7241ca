#include "neighbours.hpp"

#include <algorithm>
#include <array>
#include <nanoflann.hpp>
#include <numeric>
#include <utility>

namespace rooftop::routing {
namespace {

constexpr City searched = 40;  ///< of the nearest, among which quadrants are looked through
constexpr City of_each_quadrant = 2;

/// Sites as nanoflann asks for them.
struct Cloud {
  const std::vector<Site>* sites;

  [[nodiscard]] std::size_t kdtree_get_point_count() const { return sites->size(); }
  [[nodiscard]] double kdtree_get_pt(std::size_t i, std::size_t axis) const { return (*sites)[i][axis]; }
  template <class Box>
  bool kdtree_get_bbox(Box&) const {
    return false;
  }
};
using Index = nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<double, Cloud>, Cloud, 3, City>;

int quadrant(const Site& from, const Site& to) {
  const double dx = to[0] - from[0], dy = to[1] - from[1];
  if (dx > 0) return dy >= 0 ? 0 : 3;
  if (dx < 0) return dy > 0 ? 1 : 2;
  return dy > 0 ? 0 : 2;
}

/// Which of the near cities are taken, in their order.
void choose(const std::vector<Site>& sites, City city, const City* near, City count, City width, City* chosen) {
  std::array<City, 4> taken{};
  std::array<bool, searched> take{};
  City all = 0;
  for (City k = 0; k < count && all < width; ++k) {
    City& here = taken[index(quadrant(sites[index(city)], sites[index(near[k])]))];
    if (here == of_each_quadrant) continue;
    ++here, ++all;
    take[index(k)] = true;
  }
  for (City k = 0; k < count && all < width; ++k) {
    if (!take[index(k)]) take[index(k)] = true, ++all;
  }
  for (City k = 0, at = 0; k < count; ++k) {
    if (take[index(k)]) chosen[at++] = near[k];
  }
}

/// From the rows of costs, those left out that may not be joined.
std::vector<City> nearest_by_cost(const Costs& costs, City width, int threads, Patience& patience) {
  const City n = costs.cities();
  std::vector<City> nearest(index(n) * index(width));
#pragma omp parallel num_threads(threads)
  {
    std::vector<std::pair<Cost, City>> row(index(n));
    Asking asking(patience, 8);
#pragma omp for
    for (City c = 0; c < n; ++c) {
      if (!asking.left()) continue;
      row.clear();
      for (City other = 0; other < n; ++other) {
        if (other != c && costs.may_join(c, other)) row.emplace_back(costs(c, other), other);
      }
      const City found = std::min(width, static_cast<City>(row.size()));
      std::partial_sort(row.begin(), row.begin() + found, row.end());
      for (City k = 0; k < width; ++k) {
        nearest[index(c) * index(width) + index(k)] = row[index(std::min(k, found - 1))].second;
      }
    }
  }
  return nearest;
}

}  // namespace

std::vector<City> nearest_sites(const std::vector<Site>& sites, City width, int threads, Patience& patience) {
  const auto n = static_cast<City>(sites.size());
  const City found = std::min(width, n - 1);
  std::vector<City> nearest(index(n) * index(width));
  if (found < 1) return nearest;
  const Cloud cloud{&sites};
  const Index tree(3, cloud, nanoflann::KDTreeSingleIndexAdaptorParams(16));
#pragma omp parallel num_threads(threads)
  {
    std::vector<City> cities(index(found) + 1);
    std::vector<double> squares(index(found) + 1);
    Asking asking(patience, 64);
#pragma omp for schedule(dynamic, 256)
    for (City c = 0; c < n; ++c) {
      if (!asking.left()) continue;
      tree.knnSearch(sites[index(c)].data(), index(found) + 1, cities.data(), squares.data());
      // Where several cities lie at one place, the city itself may be anywhere among them, or missing.
      City* const row = nearest.data() + index(c) * index(width);
      City at = 0;
      for (City k = 0; k <= found && at < found; ++k) {
        if (cities[index(k)] != c) row[at++] = cities[index(k)];
      }
      std::fill(row + at, row + width, row[at - 1]);
    }
  }
  return nearest;
}

Neighbours near_neighbours(const Costs& costs, const std::vector<Site>& sites, City width, int threads,
                           Patience& patience) {
  const City n = costs.cities();
  Neighbours neighbours{std::min(width, n - 1), {}};
  width = neighbours.width;
  const City count = std::min(searched, n - 1);
  if (sites.empty()) {
    neighbours.city = nearest_by_cost(costs, width, threads, patience);
  } else {
    const std::vector<City> near = nearest_sites(sites, count, threads, patience);
    neighbours.city.resize(index(n) * index(width));
    for (City c = 0; c < n; ++c) {
      choose(sites, c, near.data() + index(c) * index(count), count, width,
             neighbours.city.data() + index(c) * index(width));
    }
  }
  Asking asking(patience, 256);
  for (City c = 0; c < n && asking.left(); ++c) {
    City* const row = neighbours.city.data() + index(c) * index(width);
    std::stable_sort(row, row + width, [&](City a, City b) { return costs(c, a) < costs(c, b); });
  }
  return neighbours;
}

}  // namespace rooftop::routing
