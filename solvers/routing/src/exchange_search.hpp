/// Looks for an exchange of up to five edges that makes a tour shorter.
#pragma once

#include <array>

#include "arrangements.hpp"
#include "array_tour.hpp"
#include "candidates.hpp"
#include "costs.hpp"

namespace rooftop::routing {

/// What a search works on, and where it is.
struct ExchangeSearch {
  const Costs* costs;
  const Candidates* candidates;
  const ArrayTour* tour;
  const Arrangements* arrangements = &Arrangements::all();
  Exchange exchange{};
  std::array<City, most_exchanged> cuts{};  ///< positions behind which the edges lie that have left
  Length gain = 0;                          ///< of the exchange that was found
};

/// Looks for a sequential exchange, as S. Lin and B. Kernighan did (1973): from either edge of a city on, each edge
/// that leaves is followed by a candidate that enters, as long as what has left is longer than what has entered. At
/// each depth what closes the tour best is taken; if nothing does, the search goes deeper behind the few that gain the
/// most. Whether one was found; it is then in `exchange`.
[[nodiscard]] bool find_exchange(ExchangeSearch& search, City city);

}  // namespace rooftop::routing
