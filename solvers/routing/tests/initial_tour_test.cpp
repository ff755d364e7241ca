// Tours that a search is given to begin with: it has them as they are, finds none that is longer, and refuses what is
// none.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "nodes.hpp"
#include "rooftop/routing.hpp"

namespace rooftop::routing {
namespace {

std::vector<City> shuffled(City cities, std::uint32_t seed) {
  std::vector<City> order(index(cities));
  std::iota(order.begin(), order.end(), 0);
  std::mt19937 random(seed);
  std::shuffle(order.begin(), order.end(), random);
  return order;
}

Instance in_plane(City cities, double width) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> place(0, width);
  Instance instance;
  instance.cities = cities;
  for (City i = 0; i < cities; ++i) instance.x.push_back(place(random)), instance.y.push_back(place(random));
  return instance;
}

Instance directed(City cities) {
  std::mt19937 random(7);
  std::uniform_int_distribution<Cost> cost(1, 1'000);
  Instance instance;
  instance.cities = cities;
  instance.symmetric = false;
  instance.metric = Metric::matrix;
  for (City i = 0; i < cities * cities; ++i) instance.matrix.push_back(cost(random));
  return instance;
}

/// Makes every third edge of a tour a fixed one, from `first` on.
void fix_some(Instance& instance, const std::vector<City>& tour, std::size_t first) {
  for (std::size_t i = first; i < tour.size(); i += 3) {
    instance.fixed_edges.emplace_back(tour[i], tour[(i + 1) % tour.size()]);
    if (i + 2 < tour.size()) instance.fixed_edges.emplace_back(tour[i + 1], tour[i + 2]);
  }
}

/// The same closed tour begins with city 0, and goes to the smaller of its two neighbours where directions are the
/// same.
std::vector<City> canonical(std::vector<City> order, bool symmetric) {
  std::rotate(order.begin(), std::find(order.begin(), order.end(), 0), order.end());
  if (symmetric && order[1] > order.back()) std::reverse(order.begin() + 1, order.end());
  return order;
}

Solution solved(const Instance& instance, std::span<const City> initial, std::int64_t iterations, double seconds = 10) {
  Options options;
  options.iterations = iterations;
  options.seconds = seconds;
  options.threads = 2;
  options.initial = initial;
  Solution solution = solve(instance, options);
  EXPECT_EQ(solution.length, length(instance, solution.order));
  EXPECT_EQ(solution.history.back().length, solution.length);
  EXPECT_LE(solution.length, length(instance, initial));
  EXPECT_EQ(solution.history.front().length, length(instance, initial));
  EXPECT_EQ(solution.order.front(), 0);
  return solution;
}

TEST(InitialTour, NodesVisitItsCitiesInItsOrder) {
  for (const bool symmetric : {true, false}) {
    for (std::size_t first = 0; first < 4; ++first) {
      const std::vector<City> tour = shuffled(13, static_cast<std::uint32_t>(first));
      Instance instance = symmetric ? in_plane(13, 1'000) : directed(13);
      if (first < 3) fix_some(instance, tour, first);
      const Nodes nodes(instance, shuffled(13, 9));
      for (std::size_t turn = 0; turn < tour.size(); ++turn) {
        std::vector<City> turned = tour;
        std::rotate(turned.begin(), turned.begin() + static_cast<std::ptrdiff_t>(turn), turned.end());
        EXPECT_EQ(canonical(nodes.cities(nodes.tour(turned)), symmetric), canonical(tour, symmetric));
      }
    }
  }
}

TEST(InitialTour, NoLongerOneIsFound) {
  for (const City cities : {3, 8, 9, 40, 600}) {
    for (const bool symmetric : {true, false}) {
      Instance instance = symmetric ? in_plane(cities, 10'000) : directed(cities);
      const std::vector<City> tour = shuffled(cities, 3);
      solved(instance, tour, 20);
      solved(instance, tour, 0, 1e-9);  // no time for a search
      const Solution good = solved(instance, tour, 1'000);
      solved(instance, good.order, 1);
      if (cities < 9) continue;
      fix_some(instance, tour, 1);
      solved(instance, tour, 20);
    }
  }
}

TEST(InitialTour, CitiesOfAPlaceMayStandApartInIt) {
  Instance instance = in_plane(60, 3);  // some nine in each place
  for (std::vector<double>* axis : {&instance.x, &instance.y}) {
    for (double& value : *axis) value = std::floor(value) * 100;
  }
  EXPECT_LT(solved(instance, shuffled(60, 1), 100).length, 1'000);  // nine places, 100 apart
}

TEST(InitialTour, WhatIsNoneIsRefused) {
  Instance instance = in_plane(4, 100);
  instance.fixed_edges = {{3, 1}};
  const auto complaint = [&](const std::vector<City>& order) {
    Options options;
    options.initial = order;
    try {
      static_cast<void>(solve(instance, options));
    } catch (const InvalidInput& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(complaint({0, 1, 2}), "the initial tour has 3 cities; expected 4");
  EXPECT_EQ(complaint({0, 1, 2, 4}), "the initial tour has city 4; expected 0 to 3");
  EXPECT_EQ(complaint({0, 1, -1, 2}), "the initial tour has city -1; expected 0 to 3");
  EXPECT_EQ(complaint({0, 1, 2, 1}), "the initial tour has city 1 twice; expected each of 4 once");
  EXPECT_EQ(complaint({0, 1, 2, 3}), "the initial tour lacks the fixed edge 4 2");
  EXPECT_EQ(complaint({0, 1, 3, 2}), "");
}

}  // namespace
}  // namespace rooftop::routing
