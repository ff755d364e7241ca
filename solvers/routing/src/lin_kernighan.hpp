/// Makes a tour shorter by exchanges of up to five edges, around the cities that are waiting.
#pragma once

#include <vector>

#include "array_tour.hpp"
#include "costs.hpp"
#include "neighbours.hpp"

namespace rooftop::routing {

/// Whether to go on, asked now and then.
class Patience {
 public:
  virtual ~Patience() = default;
  [[nodiscard]] virtual bool left() = 0;
};

/// Looks for sequential exchanges, as S. Lin and B. Kernighan did (1973): from a city's edge on, each edge that leaves
/// is followed by a candidate that enters, as long as what has left is longer than what has entered. At each depth what
/// closes the tour best is taken; if nothing does, the search goes deeper behind the few that gain the most.
class LinKernighan {
 public:
  /// All of them outlive this. The tour may be another's copy: what is written over is the caller's to keep or undo.
  LinKernighan(const Costs& costs, const Neighbours& candidates, ArrayTour& tour);

  /// Lets a city wait to be looked at.
  void wake(City city);
  /// Improves around all cities that wait until no exchange is found. Returns how much shorter the tour became; each
  /// exchange is added to `made`, unless that is null, when what the tour keeps of them is forgotten too.
  Length run(std::vector<Exchange>* made, Patience* patience = nullptr);

 private:
  struct Step {
    Length gain;  ///< of what has left over what has entered
    City near, after;
  };

  [[nodiscard]] bool improve(City city);
  [[nodiscard]] bool extend(Length gain);
  [[nodiscard]] bool close(const Step* steps, int count);
  [[nodiscard]] bool leaves(City a, City b) const;
  [[nodiscard]] bool enters(City a, City b) const;
  void end_with(const Step& step);

  const Costs* costs_;
  const Neighbours* candidates_;
  ArrayTour* tour_;
  Exchange exchange_;
  Length closed_ = 0;  ///< gain of the exchange that was found
  ArrayTour::Pieces pieces_;
  std::vector<City> waiting_;
  std::vector<char> waits_;
};

}  // namespace rooftop::routing
