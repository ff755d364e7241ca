/// Random cities in a plane, and all that a search needs of them.
#pragma once

#include <numeric>
#include <random>
#include <vector>

#include "candidates.hpp"
#include "costs.hpp"
#include "first_tours.hpp"
#include "neighbours.hpp"
#include "nodes.hpp"
#include "sites.hpp"
#include "spanning_tree.hpp"
#include "tolls.hpp"

namespace rooftop::routing {

inline Instance in_plane(City cities, double width) {
  std::mt19937 random(static_cast<std::uint32_t>(cities));
  std::uniform_real_distribution<double> place(0, width);
  Instance instance;
  instance.cities = cities;
  for (City i = 0; i < cities; ++i) instance.x.push_back(place(random)), instance.y.push_back(place(random));
  return instance;
}

inline std::vector<City> counted(City cities) {
  std::vector<City> order(index(cities));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

inline std::vector<Site> sites_of(const Instance& instance, const Nodes& nodes) {
  const std::vector<Site> all = sites(instance);
  std::vector<Site> there;
  for (const City city : nodes.places()) there.push_back(all[index(city)]);
  return there;
}

/// All that a race needs of an instance.
struct Field {
  explicit Field(const Instance& instance, bool with_sites = true)
      : nodes(instance, counted(instance.cities)),
        costs(instance, nodes),
        there(with_sites ? sites_of(instance, nodes) : std::vector<Site>{}),
        near(near_neighbours(costs, there, 12, 1)),
        graph(symmetric(costs, near)),
        tolls(find_tolls(graph)),
        candidates(alpha_candidates(costs, graph, tolls, 6, 1)) {}

  [[nodiscard]] Terrain terrain() const { return {costs, near, tolls, there}; }

  Nodes nodes;
  Costs costs;
  std::vector<Site> there;
  Neighbours near;
  Graph graph;
  std::vector<double> tolls;
  Candidates candidates;
};

}  // namespace rooftop::routing
