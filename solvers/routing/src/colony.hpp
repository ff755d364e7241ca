/// Ants that walk at once in different regions of one tour.
#pragma once

#include <vector>

#include "ant.hpp"
#include "array_tour.hpp"
#include "costs.hpp"
#include "neighbours.hpp"

namespace rooftop::routing {

/// A round gives each region of the plane to an ant with a copy of the tour. What the ants changed is then done again
/// on the colony's tour, one change after the other; few no longer fit, since regions share no edge. The regions depend
/// on the number of cities alone, and each has random numbers of its own, so that the number of threads changes
/// nothing.
class Colony {
 public:
  /// `costs` and `candidates` outlive it. `order` is the first tour.
  Colony(const Costs& costs, const Neighbours& candidates, std::vector<City> order, std::uint64_t seed, int threads);

  /// Improves the first tour until no exchange is found or patience is out.
  void improve(Patience* patience);
  /// Lets ants walk `walks` times in all, or a round's number of times where that is less. Returns how often.
  std::int64_t round(std::int64_t walks, double temperature);

  [[nodiscard]] const std::vector<City>& best() const { return best_; }
  [[nodiscard]] Length best_length() const { return best_length_; }

 private:
  [[nodiscard]] Region region(City part, City offset) const;
  void follow(const Trail& trail);
  [[nodiscard]] bool follow(const Exchange& exchange);
  void keep_best();

  const Costs* costs_;
  const Neighbours* candidates_;
  ArrayTour tour_;
  Length length_, best_length_;
  std::vector<City> best_;
  std::uint64_t seed_, rounds_ = 0;
  City parts_;
  std::vector<Ant> ants_;  ///< one for each thread
  std::vector<Trail> trails_;
};

}  // namespace rooftop::routing
