/// Edges that a short tour is likely to have, by Helsgaun's alpha-nearness.
#pragma once

#include <array>
#include <vector>

#include "costs.hpp"
#include "patience.hpp"
#include "spanning_tree.hpp"

namespace rooftop::routing {

inline constexpr City most_candidates = 8;

/// Of one city, in a line of the caches. Beyond the width the last one again.
struct alignas(64) CandidateRow {
  std::array<City, most_candidates> city;
  std::array<Cost, most_candidates> cost;
};

struct Candidates {
  City width;
  std::vector<CandidateRow> of;
};

/// Of each city's neighbours in the graph, the `width` (at most `most_candidates`) of smallest alpha: by how much the
/// shortest 1-tree grows that must have the edge, once each city has a toll for which that tree is nearly a tour. Where
/// patience ran out, some rows are of no use.
[[nodiscard]] Candidates alpha_candidates(const Costs& costs, const Graph& graph, const std::vector<double>& tolls,
                                          City width, int threads, Patience& patience = endless);

}  // namespace rooftop::routing
