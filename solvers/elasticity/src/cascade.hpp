/// A box and coarser ones down to one that is solved for directly.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "approximate_inverse.hpp"
#include "level.hpp"

namespace rooftop::elasticity {

/// Whether multigrid makes a coarser box of one: it has more than a few nodes, and a coarser one would have fewer.
bool wants_coarser(const Grid& grid);
/// How often a box smooths before and after each correction, where the finest one does so `finest` times; `depth`: how
/// many boxes are finer.
int smoothing_steps_at(std::size_t depth, int finest);
/// Free displacements of a coarser box: where the nodes that it keeps are free.
void inject(const Coarsenings& by, const Field<float>& from, Field<float>& to);

/// The matrix of a box in single precision. `exact` is that in double precision, or null.
std::unique_ptr<Operator<float>> single_precision(const AnyBox& box, const Operator<double>* exact, int threads,
                                                  const GoOn& go_on);

class Cascade {
 public:
  /// `exact`: the first box' matrix in double precision, or null. `depth`: how many boxes are finer than that one, of
  /// which the finest takes `steps` of smoothing. Where `go_on` says no, the cascade is of no use.
  Cascade(const AnyBox& box, const Operator<double>* exact, const Field<float>& free, std::size_t depth, int steps,
          int threads, const GoOn& go_on);

  /// The finest level: cycle() makes its x an approximate solution for its r.
  [[nodiscard]] Level& finest() { return levels_.front(); }
  void cycle() { cycle(0); }
  [[nodiscard]] double bytes() const;

 private:
  void cycle(std::size_t at);

  std::size_t depth_;
  int steps_;
  std::vector<Level> levels_;
  std::vector<Coarsenings> by_;
  std::optional<Dense> last_;
};

}  // namespace rooftop::elasticity
