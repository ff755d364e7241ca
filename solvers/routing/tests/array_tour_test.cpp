// Exchanges of edges on an array, held against graphs that are walked through.
// threads: none
#include "array_tour.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "field.hpp"

namespace rooftop::routing {
namespace {

using Edges = std::multiset<std::pair<City, City>>;

Edges edges_of(const ArrayTour& tour) {
  Edges edges;
  for (const City c : tour.order()) edges.insert(std::minmax(c, tour.next(c)));
  return edges;
}

/// Whether the edges are one closed tour of all cities.
bool one_tour(const Edges& edges, City cities) {
  std::vector<std::vector<City>> beside(index(cities));
  for (const auto& [a, b] : edges) beside[index(a)].push_back(b), beside[index(b)].push_back(a);
  City seen = 0, last = -1, city = 0;
  do {
    if (beside[index(city)].size() != 2) return false;
    const City next = beside[index(city)][0] == last ? beside[index(city)][1] : beside[index(city)][0];
    last = city, city = next;
    ++seen;
  } while (city != 0 && seen <= cities);
  return seen == cities;
}

/// Cities and what lies between them.
struct Plane {
  explicit Plane(City cities)
      : instance(in_plane(cities, 1000)), nodes(instance, counted(cities)), costs(instance, nodes) {}

  Instance instance;
  Nodes nodes;
  Costs costs;
};

void expect_costs(const ArrayTour& tour, const Costs& costs) {
  for (const City c : tour.order()) ASSERT_EQ(tour.cost_behind(tour.position(c)), costs(c, tour.next(c)));
}

std::vector<City> shuffled(City cities, std::mt19937& random) {
  std::vector<City> order(index(cities));
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), random);
  return order;
}

/// Edges of the tour that share no end with each other, each either way round.
Exchange some_exchange(const ArrayTour& tour, int edges, std::mt19937& random) {
  Exchange exchange;
  std::vector<City> places(index(tour.cities() / 2));
  std::iota(places.begin(), places.end(), 0);
  std::shuffle(places.begin(), places.end(), random);
  const City shift = static_cast<City>(random() % 2);
  exchange.edges = edges;
  for (int e = 0; e < edges; ++e) {
    const City a = tour.at((2 * places[index(e)] + shift) % tour.cities()), b = tour.next(a);
    const bool swap = random() % 2 == 0;
    exchange.ends[index(2 * e)] = swap ? b : a;
    exchange.ends[index(2 * e + 1)] = swap ? a : b;
  }
  return exchange;
}

Edges exchanged(const ArrayTour& tour, const Exchange& exchange) {
  Edges edges = edges_of(tour);
  for (int end = 0; end < 2 * exchange.edges; ++end) {
    const auto edge = [&](int a, int b) {
      return std::pair<City, City>(std::minmax(exchange.ends[index(a)], exchange.ends[index(b)]));
    };
    if (end % 2 == 0) edges.erase(edges.find(edge(end, end + 1)));
    if (end < exchange.partner(end)) edges.insert(edge(end, exchange.partner(end)));
  }
  return edges;
}

TEST(ArrayTour, TakesExactlyTheExchangesThatLeaveOneTour) {
  std::mt19937 random(1);
  int taken = 0, refused = 0;
  for (int trial = 0; trial < 20'000; ++trial) {
    const int edges = 2 + static_cast<int>(random() % 4);
    const City cities = 2 * edges + static_cast<City>(random() % 30);
    const Plane plane(cities);
    ArrayTour tour(plane.costs, shuffled(cities, random));
    const Exchange exchange = some_exchange(tour, edges, random);
    const Edges before = edges_of(tour), after = exchanged(tour, exchange);
    ArrayTour::Pieces pieces;
    ASSERT_EQ(tour.joins(exchange, pieces), one_tour(after, cities));
    if (!tour.joins(exchange, pieces)) {
      ++refused;
      continue;
    }
    ++taken;
    tour.begin();
    tour.apply(pieces);
    ASSERT_EQ(edges_of(tour), after);
    for (City p = 0; p < cities; ++p) ASSERT_EQ(tour.position(tour.at(p)), p);
    expect_costs(tour, plane.costs);
    tour.undo();
    ASSERT_EQ(edges_of(tour), before);
    expect_costs(tour, plane.costs);
  }
  EXPECT_GT(taken, 1000);
  EXPECT_GT(refused, 1000);
}

TEST(ArrayTour, UndoesManyExchangesAtOnce) {
  std::mt19937 random(2);
  const Plane plane(101);
  ArrayTour tour(plane.costs, shuffled(101, random));
  const std::vector<City> before = tour.order();
  tour.begin();
  for (int i = 0; i < 500; ++i) {
    ArrayTour::Pieces pieces;
    if (tour.joins(some_exchange(tour, 2 + i % 4, random), pieces)) tour.apply(pieces);
  }
  EXPECT_NE(tour.order(), before);
  expect_costs(tour, plane.costs);
  tour.undo();
  EXPECT_EQ(tour.order(), before);
  expect_costs(tour, plane.costs);
}

TEST(ArrayTour, BuildsDoubleBridges) {
  std::mt19937 random(3);
  for (int trial = 0; trial < 1000; ++trial) {
    const City cities = 8 + static_cast<City>(random() % 40);
    const Plane plane(cities);
    ArrayTour tour(plane.costs, shuffled(cities, random));
    std::set<City> cuts;
    while (cuts.size() < 4) cuts.insert(static_cast<City>(random() % static_cast<unsigned>(cities)));
    Exchange bridge;
    bridge.edges = 4;
    bridge.double_bridge = true;
    int end = 0;
    for (const City cut : cuts) {
      bridge.ends[index(end++)] = tour.at(cut);
      bridge.ends[index(end++)] = tour.next(tour.at(cut));
    }
    const Edges after = exchanged(tour, bridge);
    ArrayTour::Pieces pieces;
    ASSERT_TRUE(tour.joins(bridge, pieces));
    tour.apply(pieces);
    ASSERT_EQ(edges_of(tour), after);
  }
}

}  // namespace
}  // namespace rooftop::routing
