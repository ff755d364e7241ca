/// Where searches for tours of the same problem, each in a process of its own, tell one another what they have.
#pragma once

#include <vector>

#include "city.hpp"
#include "rooftop/routing.hpp"

namespace rooftop::routing {

class Meeting {
 public:
  virtual ~Meeting() = default;
  /// Of this search among those that meet, from 0 on: they set out from different tours.
  [[nodiscard]] virtual int number() const = 0;
  /// All searches call it equally often. `order`, of nodes, is the shortest tour so far; true where another search's
  /// stands there now.
  [[nodiscard]] virtual bool meet(Length length, std::vector<City>& order) = 0;
};

/// As solve(), with others: `options` are this search's own.
[[nodiscard]] Solution solve_meeting(const Instance& instance, const Options& options, Meeting& meeting);

}  // namespace rooftop::routing
