/// The levels of aggregation whose unknowns are motions of aggregates, down to the one that is solved directly.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "aggregation.hpp"
#include "coarser_stage.hpp"
#include "direct_solution.hpp"
#include "stage.hpp"

namespace rooftop::elasticity {

constexpr std::int64_t fewest_unknowns = 600;  // more are not solved for directly
/// Multiplications that factoring the last level may take: where bending counts, each level that is left out saves
/// iterations.
constexpr double work_of_bulk = 1e8, work_of_plates = 2e9;

template <class Real>
class CoarseStages {
 public:
  CoarseStages(Stage<Real, rigid_motions> first, Nodes<Real, rigid_motions> nodes, const Smoothing& how, int threads,
               const GoOn& go_on);

  [[nodiscard]] Stage<Real, rigid_motions>& first() { return stages_.front(); }
  /// first().x becomes an approximate solution for first().r, which changes.
  void cycle() { cycle(0); }
  [[nodiscard]] double bytes() const;

 private:
  void cycle(std::size_t depth);

  int threads_;
  std::vector<Stage<Real, rigid_motions>> stages_;
  std::optional<DirectSolution> last_;
};

}  // namespace rooftop::elasticity
