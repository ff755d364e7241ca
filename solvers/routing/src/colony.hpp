/// A tour on which ants walk at once in different regions.
#pragma once

#include <vector>

#include "ant.hpp"
#include "array_tour.hpp"
#include "candidates.hpp"
#include "costs.hpp"
#include "lin_kernighan.hpp"

namespace rooftop::routing {

/// A round gives each region of the plane to an ant with a copy of the tour. What the ants changed is then done again
/// on the colony's tour, one change after the other; few no longer fit, since regions share no edge. The regions depend
/// on the number of cities alone, and each has random numbers of its own, so that the number of threads changes
/// nothing.
class Colony {
 public:
  /// `costs` outlives it. `order` is the first tour.
  Colony(const Costs& costs, std::vector<City> order, std::uint64_t seed);

  /// Improves the first tour until no exchange is found or patience is out.
  void improve(const Candidates& candidates, Patience& patience);

  [[nodiscard]] City regions() const { return static_cast<City>(trails_.size()); }
  /// Lets an ant walk in a region; at once for different ones.
  void send(Ant& ant, City region, int walks, double temperature);
  /// Takes over what ants changed since the last time, and goes on to other regions.
  void gather();

  [[nodiscard]] Length length() const { return length_; }
  [[nodiscard]] Length best_length() const { return best_length_; }
  [[nodiscard]] const std::vector<City>& best() const { return best_; }

 private:
  [[nodiscard]] Region region(City number) const;
  void follow(const Trail& trail);
  [[nodiscard]] bool follow(const Exchange& exchange);
  void keep_best();

  const Costs* costs_;
  ArrayTour tour_;
  Length length_, best_length_;
  std::vector<City> best_;
  std::uint64_t seed_, rounds_ = 0;
  std::vector<Trail> trails_;  ///< of each region's ant
};

}  // namespace rooftop::routing
