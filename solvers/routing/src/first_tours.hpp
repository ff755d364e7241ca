/// First tours that go wrong at different places.
#pragma once

#include <cstdint>
#include <vector>

#include "costs.hpp"
#include "neighbours.hpp"
#include "patience.hpp"
#include "sites.hpp"

namespace rooftop::routing {

/// What first tours are made of. Everything outlives this.
struct Terrain {
  const Costs& costs;
  const Neighbours& near;
  const std::vector<double>& tolls;
  const std::vector<Site>& sites;  ///< in the order of `costs`, or empty
};

/// The tour of a number from 0 on: by cost and tolls, by what it saves against ways over a hub, by cost alone, and from
/// number 3 on the same with costs that are a little off and other hubs. Where patience runs out, what is left is put
/// together as greedy_tour() says.
[[nodiscard]] std::vector<City> first_tour(int number, const Terrain& terrain, std::uint64_t seed, int threads,
                                           Patience& patience = endless);

}  // namespace rooftop::routing
