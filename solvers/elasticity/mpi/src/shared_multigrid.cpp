#include "shared_multigrid.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "cascade.hpp"
#include "grading.hpp"

namespace rooftop::elasticity {
namespace {

constexpr std::int64_t fewest_shared = 1000;  // nodes: boxes with fewer are whole on every rank

bool is_shared(const Piece& piece) { return piece.whole().nodes() >= fewest_shared && piece.all_have_nodes(); }

/// A box, and what leads to the next coarser one.
struct SharedLevel {
  Level level;
  const SharedOperator<float>* matrix;  // the level's
  Free free;                            // at nodes of other ranks, too
  Coarsenings by;                       // from the local grid to what is known of the coarser box
  Range own;                            // nodes of that which are this rank's
};

Field<float> empty(const Grid& grid, const Sharing& how) {
  std::optional<Field<float>> result;
  how.ranks.together([&] { result.emplace(grid, how.threads); });
  return std::move(*result);
}

Free copy(const Free& from, const Sharing& how) {
  Free result = empty(from.grid(), how);
  for (int c = 0; c < components; ++c) std::copy_n(from[c], from.grid().nodes(), result[c]);
  return result;
}

/// Free displacements of a coarser box, of this rank's nodes.
Free coarser(const Free& free, const Piece& fine, const Piece& coarse, const Coarsenings& by, const Sharing& how) {
  Free result = empty(coarse.grid(), how);
  const std::array<std::int64_t, 3> first = fine.all_in_whole().begin;
  for_own(coarse, [&](std::int64_t node, const std::array<std::int64_t, 3>& where) {
    std::array<std::int64_t, 3> from{};
    for (std::size_t d = 0; d < 3; ++d) from[d] = by[d].kept[static_cast<std::size_t>(where[d])] - first[d];
    for (int c = 0; c < components; ++c) result[c][node] = free[c][free.grid().node(from[0], from[1], from[2])];
  });
  return result;
}

void clear(Field<float>& field, int threads) {
#pragma omp parallel num_threads(threads)
  {
    const Share own = share_of(field.grid().nodes());
    for (int c = 0; c < components; ++c) std::fill(field[c] + own.begin, field[c] + own.end, 0.0F);
  }
}

class SharedMultigrid : public ApproximateInverse {
 public:
  SharedMultigrid(const SharedBox& box, const Operator<double>& exact, const Free& own_free, const Sharing& how)
      : ranks_(how.ranks) {
    const SharedBox* at = &box;
    const Operator<double>* known = &exact;
    std::optional<SharedBox> kept;
    Grading grading{};
    how.ranks.together([&] { grading = grading_of(any(box.local())); });
    how.ranks.largest(std::span<double>(grading));
    steps_ = smoothing_steps_of(grading);
    Free free = copy(own_free, how);
    while (is_shared(at->piece) && how.all_go_on()) {
      auto matrix = shared_single_precision(*at, known, how);
      const SharedOperator<float>* const alias = matrix.get();
      Level level = shared_level(std::move(matrix), free, how);
      const Coarsenings by = at->coarsenings(how.ranks);
      SharedBox next = at->coarser(by, how.threads, how.ranks);
      Free next_free = coarser(free, at->piece, next.piece, by, how);
      alias->halo().exchange(free);
      // Of a box that is not shared, all is known.
      const Range here = is_shared(next.piece) ? next.piece.all_in_whole() : all_of(next.piece.whole());
      Range own = next.piece.own_in_whole();
      for (std::size_t d = 0; d < 3; ++d) own.begin[d] -= here.begin[d], own.end[d] -= here.begin[d];
      levels_.push_back({std::move(level), alias, std::move(free), at->piece.local(by, here), own});
      free = std::move(next_free);
      kept = std::move(next);
      at = &*kept;
      known = nullptr;
    }
    if (!how.all_go_on()) return;
    const Boxes whole = at->gathered(how.ranks);
    const Free all = gathered(at->piece, free, how.ranks);
    // Each rank does the same, and none waits for another.
    how.ranks.together(
        [&] { rest_.emplace(any(whole), nullptr, all, levels_.size(), steps_, how.threads, how.go_on); });
    piece_ = at->piece;
  }

  void apply(const Field<double>& r, double norm, Field<double>& z) override {
    if (levels_.empty()) return apply_whole(r, norm, z);
    take(r, norm, levels_.front().level);
    cycle(0);
    give(levels_.front().level, norm, z);
  }

  [[nodiscard]] double bytes() const override {
    double sum = rest_ ? rest_->bytes() : 0;
    for (const SharedLevel& one : levels_) sum += one.level.bytes() + one.free.bytes();
    return sum;
  }

 private:
  /// Where all boxes are whole on every rank.
  void apply_whole(const Field<double>& r, double norm, Field<double>& z) {
    Level& level = rest_->finest();
    clear(level.r(), level.threads());
    const auto in_whole = [&](const std::array<std::int64_t, 3>& where) {
      return level.grid().node(where[0], where[1], where[2]);
    };
    for_own(*piece_, [&](std::int64_t node, const std::array<std::int64_t, 3>& where) {
      for (int c = 0; c < components; ++c) level.r()[c][in_whole(where)] = static_cast<float>(r[c][node] / norm);
    });
    solve_rest();
    for_own(*piece_, [&](std::int64_t node, const std::array<std::int64_t, 3>& where) {
      for (int c = 0; c < components; ++c) z[c][node] = norm * static_cast<double>(level.x()[c][in_whole(where)]);
    });
  }

  void solve_rest() {
    Level& level = rest_->finest();
    // Each rank has put in its own nodes, and zeros elsewhere.
    const auto nodes = static_cast<std::size_t>(level.grid().nodes());
    for (int c = 0; c < components; ++c) ranks_.sum(std::span(level.r()[c], nodes));
    rest_->cycle();
  }

  /// As Cascade::cycle().
  void cycle(std::size_t depth) {
    SharedLevel& one = levels_[depth];
    Level& level = one.level;
    const bool last = depth + 1 == levels_.size();
    Level& coarse = last ? rest_->finest() : levels_[depth + 1].level;
    const int steps = smoothing_steps_at(depth, steps_);
    level.relax(steps, true, true);
    one.matrix->halo().exchange(level.r());
    clear(coarse.r(), coarse.threads());
    restrict_residual(level.r(), one.free, level.threads(), one.by, one.own, coarse.r());
    if (last) {
      solve_rest();
    } else {
      cycle(depth + 1);
      levels_[depth + 1].matrix->halo().exchange(coarse.x());
    }
    interpolate(coarse.x(), one.by, level);
    level.correct();
    level.relax(steps, false, false);
  }

  const Communicator& ranks_;
  int steps_ = 0;  // of smoothing, of the finest box
  std::vector<SharedLevel> levels_;
  std::optional<Cascade> rest_;  // whole on every rank
  std::optional<Piece> piece_;   // of its finest box
};

}  // namespace

std::unique_ptr<SharedOperator<float>> shared_single_precision(const SharedBox& box, const Operator<double>* exact,
                                                               const Sharing& how) {
  std::int64_t inverted = Assembled::none;
  std::unique_ptr<SharedOperator<float>> result;
  how.ranks.together([&] {
    std::unique_ptr<Operator<float>> local;
    const auto* values = dynamic_cast<const StencilOperator<double>*>(exact);
    const Boxes boxes = box.local();
    if (boxes.aligned || values != nullptr) {
      local = single_precision(any(boxes), values, how.threads, how.go_on);
    } else {
      const Assembled made = assembled(*boxes.free, how.threads, how.go_on);
      if (made.inverted != Assembled::none) inverted = box.element_in_whole(made.inverted);
      local = std::make_unique<StencilOperator<float>>(made.matrix, how.threads);
    }
    result =
        std::make_unique<SharedOperator<float>>(std::move(local), box, how.overlap, how.threads, how.ranks, how.go_on);
  });
  require_none_inverted(how.ranks.least(inverted));
  return result;
}

Level shared_level(std::unique_ptr<SharedOperator<float>> matrix, const Free& free, const Sharing& how) {
  std::optional<Level> result;
  how.ranks.together([&] { result.emplace(std::move(matrix), free, how.threads); });
  result->prepare(how.all_go_on);
  return std::move(*result);
}

std::unique_ptr<ApproximateInverse> shared_multigrid(const SharedBox& box, const Operator<double>& exact,
                                                     const Free& free, const Sharing& how) {
  return std::make_unique<SharedMultigrid>(box, exact, free, how);
}

}  // namespace rooftop::elasticity
