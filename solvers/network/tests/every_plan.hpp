// Small networks, and all their plans one by one: what the solver is held against.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "rooftop/network.hpp"

namespace network_test {

using Point = std::vector<double>;

/// Recomputed from paths alone; throws std::logic_error for a path that is broken or does not fit its shipment.
struct Bill {
  Point values;
  std::int64_t overload_kg;
};
Bill bill(const rooftop::network::Problem& problem, const std::vector<rooftop::network::Path>& paths);

/// Whether a is no worse than b in all objectives and better in one, beyond rounding.
bool dominates(const Point& a, const Point& b);

/// All points within the capacities that no other dominates, over all plans of paths that visit no node twice.
std::vector<Point> whole_front(const rooftop::network::Problem& problem);

/// The points of a front, in its order.
std::vector<Point> values_of(const rooftop::network::Solution& found);

/// A random network of so many nodes in which every node reaches every other; figures are whole numbers.
rooftop::network::Problem random_problem(std::uint64_t seed, std::int32_t nodes, std::int32_t chords,
                                         std::int32_t shipments, std::int32_t months);

}  // namespace network_test
