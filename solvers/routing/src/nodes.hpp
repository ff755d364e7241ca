/// What a search puts in order: cities, or where a tour enters and leaves what it must not change.
#pragma once

#include <span>
#include <vector>

#include "city.hpp"
#include "rooftop/tsplib.hpp"

namespace rooftop::routing {

/// A node stands for a place. Of a symmetric problem place c is city c, and of an asymmetric one of n cities places c
/// and n + c are where a tour enters and leaves city c: then distances between places are the same in both directions,
/// and nothing leads from an entry to an entry or from an exit to an exit (R. Jonker, T. Volgenant, 1983). Places
/// inside of what every tour has, which are those between fixed edges, have no node; its two ends are mates of each
/// other.
class Nodes {
 public:
  /// `order`: of all cities. Throws InvalidInput where no tour has all fixed edges.
  Nodes(const Instance& instance, const std::vector<City>& order);

  [[nodiscard]] bool directed() const { return directed_; }
  [[nodiscard]] const std::vector<City>& places() const { return places_; }  ///< of nodes
  [[nodiscard]] const std::vector<City>& mates() const { return mates_; }    ///< -1: none. Empty where no node has one.

  /// The cities of a tour of nodes in which mates lie beside one another.
  [[nodiscard]] std::vector<City> cities(const std::vector<City>& tour) const;
  /// The tour of nodes that visits cities in this order, which is one of all cities. Where it lacks what lies between
  /// mates, those come at the first one's place.
  [[nodiscard]] std::vector<City> tour(std::span<const City> cities) const;

 private:
  void fix(City a, City b);
  [[nodiscard]] City beyond(City place, City from) const;

  City all_cities_;
  bool directed_;
  std::vector<City> beside_;  ///< two of each place that are fixed beside it, or -1; empty where there are none
  std::vector<City> places_, mates_;
};

}  // namespace rooftop::routing
