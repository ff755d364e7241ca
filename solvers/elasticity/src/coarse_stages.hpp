/// The levels of aggregation whose unknowns are motions of aggregates, down to the one that is solved directly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "aggregation.hpp"
#include "cholesky.hpp"
#include "stage.hpp"

namespace rooftop::elasticity {

constexpr std::int64_t fewest_unknowns = 600;  // more are not solved for directly

/// The factors of a level's matrix; none where it is too large.
template <int size>
std::optional<Cholesky> factored(const Stage<size>& stage) {
  const std::int64_t unknowns = stage.rows() * size;
  if (unknowns > 4 * fewest_unknowns) return {};
  std::vector<double> full(static_cast<std::size_t>(unknowns * unknowns), 0.0);
  for (std::int64_t row = 0; row < stage.rows(); ++row) {
    for (std::int64_t b = stage.matrix.pattern.start.data()[row]; b < stage.matrix.pattern.start.data()[row + 1]; ++b) {
      for (std::int64_t v = 0; v < size * size; ++v) {
        const std::int64_t r = size * row + v / size, c = size * stage.matrix.pattern.column.data()[b] + v % size;
        full.data()[r * unknowns + c] = static_cast<double>(stage.matrix.block.data()[b].value.data()[v]);
      }
    }
  }
  return Cholesky(std::move(full));
}

class CoarseStages {
 public:
  /// `motions` are those of the first level's nodes.
  CoarseStages(Stage<rigid_motions> first, Motions<rigid_motions> motions, int threads, const GoOn& go_on);

  [[nodiscard]] Stage<rigid_motions>& first() { return stages_.front(); }
  /// first().x becomes an approximate solution for first().r, which changes.
  void cycle() { cycle(0); }
  [[nodiscard]] double bytes() const;

 private:
  void cycle(std::size_t depth);

  int threads_;
  std::vector<Stage<rigid_motions>> stages_;
  std::optional<Cholesky> last_;
};

}  // namespace rooftop::elasticity
