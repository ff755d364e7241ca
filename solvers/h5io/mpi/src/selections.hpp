/// The selections of all ranks in one dataset.
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
  std::size_t number = 0;  ///< index among the selections of its rank
  std::vector<Span> spans;
};

/// Whether a selection has any elements.
bool selects(const std::vector<Span>& spans);

/// Returns the non-empty selections of all ranks, in the order of ranks. `own`: this rank's selections, which must fit
/// the dataset of `dimensions` dimensions. Collective.
std::vector<Selection> gather_selections(const Ranks& ranks, const std::vector<std::vector<Span>>& own,
                                         std::size_t dimensions);

/// Returns how many of the elements from `begin` to `end - 1` a span selects.
std::uint64_t elements_in(const Span& span, std::uint64_t begin, std::uint64_t end);

/// Whether two selections have an element in common.
bool overlap(const std::vector<Span>& one, const std::vector<Span>& other);

}  // namespace rooftop::h5io::internal
