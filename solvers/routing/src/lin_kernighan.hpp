/// Makes a tour shorter around the cities that are waiting.
#pragma once

#include <vector>

#include "array_tour.hpp"
#include "candidates.hpp"
#include "costs.hpp"
#include "exchange_search.hpp"
#include "patience.hpp"

namespace rooftop::routing {

class LinKernighan {
 public:
  /// All of them outlive this.
  LinKernighan(const Costs& costs, const Candidates& candidates, ArrayTour& tour);

  /// Lets a city wait to be looked at.
  void wake(City city);
  /// Improves around all cities that wait until no exchange is found or patience is out. Returns how much shorter the
  /// tour became; what it keeps for undo is forgotten.
  Length run(Patience& patience);

  struct Repaired {
    Length shorter;
    bool back;  ///< the tour is the one that was broken
  };
  /// Improves a tour in which no exchange was found before it was broken, by the last exchange of `made`, to which each
  /// that is found is added.
  Repaired repair(std::vector<Exchange>& made);

 private:
  [[nodiscard]] City take();
  [[nodiscard]] bool improve(City city);
  void let_nobody_wait();

  ArrayTour* tour_;
  ExchangeSearch search_;
  std::vector<City> waiting_;
  std::vector<char> waits_;
};

}  // namespace rooftop::routing
