/// An ant that walks within a region of the tour.
#pragma once

#include <vector>

#include "array_tour.hpp"
#include "lin_kernighan.hpp"
#include "random.hpp"
#include "region.hpp"

namespace rooftop::routing {

/// What one walk changed, and how much longer (above 0) or shorter the tour became by it.
struct Change {
  Length longer;
  int exchanges;  ///< of the trail's
};

/// Changes that an ant made, one behind the other.
struct Trail {
  std::vector<Change> changes;
  std::vector<Exchange> exchanges;

  void clear() { changes.clear(), exchanges.clear(); }
};

class Ant {
 public:
  Ant(const Costs& costs, const Candidates& candidates, City cities);

  [[nodiscard]] ArrayTour& tour() { return tour_; }
  /// Walks so often: breaks four edges from a city of the region on, repairs it, and keeps what it did if the tour is
  /// shorter, or longer by what the temperature, in units of cost, allows. What it keeps is added to the trail.
  void walk(int walks, const Region& region, double temperature, Random& random, Trail& trail);

 private:
  /// Swaps three short pieces that lie one behind the other, and tells how much longer the tour became.
  void break_edges(City start, Random& random, Trail& trail, Length& longer);

  const Costs* costs_;
  ArrayTour tour_;
  LinKernighan search_;
};

}  // namespace rooftop::routing
