/// What all ranks select of one dataset.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ranks.hpp"
#include "rooftop/h5io.hpp"

namespace rooftop::h5io::internal {

/// One selection of one rank.
struct Selection {
  int rank = 0;
  std::size_t number = 0;  ///< among those of its rank
  std::vector<Span> spans;
};

/// Those of all ranks that select something, rank by rank. `own` fit the dataset, which has `dimensions`. Collective.
std::vector<Selection> gather_selections(const Ranks& ranks, const std::vector<std::vector<Span>>& own,
                                         std::size_t dimensions);

/// Elements that `span` selects of those from `begin` on and before `end`.
std::uint64_t elements_in(const Span& span, std::uint64_t begin, std::uint64_t end);

/// Whether any element is in both.
bool overlap(const std::vector<Span>& one, const std::vector<Span>& other);

}  // namespace rooftop::h5io::internal
