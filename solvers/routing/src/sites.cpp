#include "sites.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace rooftop::routing {
namespace {

constexpr int curve_bits = 16;

/// How far along Hilbert's curve the cell (x, y) of a square of 2^16 cells a side lies.
std::uint64_t curve_place(std::uint32_t x, std::uint32_t y) {
  constexpr std::uint32_t last = (1U << curve_bits) - 1;
  std::uint64_t place = 0;
  for (std::uint32_t side = 1U << (curve_bits - 1); side > 0; side /= 2) {
    const std::uint32_t right = (x & side) != 0 ? 1 : 0, upper = (y & side) != 0 ? 1 : 0;
    place += std::uint64_t{side} * side * ((3 * right) ^ upper);
    if (upper == 0) {
      if (right == 1) x = last - x, y = last - y;
      std::swap(x, y);
    }
  }
  return place;
}

}  // namespace

std::vector<Site> sites(const Instance& instance) {
  std::vector<Site> all;
  if (instance.metric == Metric::matrix) return all;
  all.reserve(index(instance.cities));
  for (std::size_t i = 0; i < index(instance.cities); ++i) {
    if (instance.metric == Metric::geo) {
      const double latitude = geo_radians(instance.x[i]), longitude = geo_radians(instance.y[i]);
      all.push_back(
          {std::cos(latitude) * std::cos(longitude), std::cos(latitude) * std::sin(longitude), std::sin(latitude)});
    } else {
      all.push_back({instance.x[i], instance.y[i], instance.z.empty() ? 0 : instance.z[i]});
    }
  }
  return all;
}

std::vector<City> along_curve(const std::vector<Site>& sites, City cities) {
  std::vector<City> order(index(cities));
  std::iota(order.begin(), order.end(), 0);
  if (sites.empty()) return order;
  Site low = sites.front(), high = low;
  for (const Site& site : sites) {
    for (std::size_t axis = 0; axis < 2; ++axis) {
      low[axis] = std::min(low[axis], site[axis]);
      high[axis] = std::max(high[axis], site[axis]);
    }
  }
  const double width = std::max(high[0] - low[0], high[1] - low[1]);
  const auto cell = [&](const Site& site, std::size_t axis) {
    constexpr double last = (1U << curve_bits) - 1;
    return width > 0 ? static_cast<std::uint32_t>((site[axis] - low[axis]) / width * last) : 0U;
  };
  std::vector<std::uint64_t> place;
  place.reserve(sites.size());
  for (const Site& site : sites) place.push_back(curve_place(cell(site, 0), cell(site, 1)));
  std::stable_sort(order.begin(), order.end(), [&](City a, City b) { return place[index(a)] < place[index(b)]; });
  return order;
}

}  // namespace rooftop::routing
