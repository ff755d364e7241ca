#include "verify.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "data.hpp"
#include "lower_bound.hpp"

namespace ants {

double tolerance(std::string_view algorithm) {
  // A nearest neighbour's tour lies some 25 % above the bound, a greedy one 16 %, 2-opt with neighbour lists 5 %,
  // Lin-Kernighan 2 % (Johnson and McGeoch 2002). The bound as computed here is up to 2 % too low.
  // Few months leave ants that may go anywhere far above: the tours of the first month are 70 to 100 % too long.
  if (algorithm == "construction among all") return 1.0;
  if (algorithm == "construction") return 0.40;
  if (algorithm == "local search") return 0.10;
  if (algorithm == "variable depth") return 0.08;
  if (algorithm == "focused") return 0.08;
  if (algorithm == "solver") return 0.06;
  return 0;
}

double excess(const Problem& problem, double bound) {
  return bound > 0 ? static_cast<double>(*problem.length) / bound - 1 : 0;
}

std::string Tours::not_a_tour() const {
  std::vector<std::int64_t> place(tour_.size(), -1);
  for (std::size_t i = 0; i < tour_.size(); ++i) {
    const City city = tour_[i];
    const std::string here = "place " + std::to_string(i) + " of the tour is city " + std::to_string(city);
    if (city < 0 || city >= problem_.cities) return here + ", expected 0 to " + std::to_string(problem_.cities - 1);
    if (place[at(city)] >= 0) return here + ", which is also at place " + std::to_string(place[at(city)]);
    place[at(city)] = static_cast<std::int64_t>(i);
  }
  // n different cities out of n: none is missing.
  return "";
}

rooftop::Verdict Tours::verify(std::string_view algorithm) {
  rooftop::Verdict verdict{.ok = false,
                           .error = std::numeric_limits<double>::quiet_NaN(),
                           .tolerance = tolerance(algorithm),
                           .message = not_a_tour()};
  if (verdict.tolerance == 0) {
    verdict.message = "algorithm '" + std::string(algorithm) + "' has no tolerance";
    return verdict;
  }
  if (!verdict.message.empty()) return verdict;
  // Written once more, as the format defines it, so that a slip in what rungs share would show.
  Length length = 0;
  for (std::size_t i = 0; i < tour_.size(); ++i) {
    const std::size_t a = at(tour_[i]), b = at(tour_[(i + 1) % tour_.size()]);
    length += std::llround(std::hypot(x_[a] - x_[b], y_[a] - y_[b]));
  }
  if (length != length_) {
    verdict.message =
        "the tour's length is " + std::to_string(length) + ", and was said to be " + std::to_string(length_);
    return verdict;
  }
  if (bound_ == 0) bound_ = held_karp_bound(problem_, affordable_ascents(problem_.cities));
  // No tour is shorter than the bound but by the rounding of its sums.
  verdict.error = std::max(static_cast<double>(length) / bound_ - 1, 0.0);
  verdict.ok = verdict.error <= verdict.tolerance;
  if (!verdict.ok) {
    verdict.message = "the tour's length is " + std::to_string(length) + ", more than " +
                      std::to_string(1 + verdict.tolerance) + " times the lower bound " + std::to_string(bound_);
  }
  return verdict;
}

}  // namespace ants
