// A box that ranks share: its matrix and preconditioner, and the iteration of one process with them.
#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "checked_part.hpp"
#include "iteration.hpp"
#include "shared_multigrid.hpp"

namespace rooftop::elasticity {
namespace {

using running::Limit;

/// What a rank has, in the order of its local grid; nodes of other ranks count as held.
struct LocalValues {
  std::vector<double> load, displacement;
  std::vector<std::uint8_t> held;

  LocalValues(const PartOfBody& body, const Piece& piece, std::span<const double> moved) {
    const auto values = static_cast<std::size_t>(components * piece.grid().nodes());
    load.resize(values);
    displacement.resize(values);
    held.assign(values, 1);
    std::size_t from = 0;
    for_own(piece, [&](std::int64_t node, const auto&) {
      const auto to = static_cast<std::size_t>(components * node);
      for (std::size_t c = 0; c < components; ++c, ++from) {
        load[to + c] = body.load[from];
        displacement[to + c] = moved[from];
        held[to + c] = body.held[from];
      }
    });
  }
};

/// The exact matrix alone where the time is over.
Matrices matrices_of(const SharedBox& box, const OptionsByRanks& options, const Free& free, const Sharing& how) {
  Matrices result;
  std::int64_t inverted = Assembled::none;
  const SharedOperator<double>* exact = nullptr;
  how.ranks.together([&] {
    const Boxes boxes = box.local();
    std::unique_ptr<Operator<double>> local;
    if (boxes.aligned) {
      local = std::make_unique<TensorOperator<double>>(*boxes.aligned, how.threads);
    } else {
      Assembled made = assembled(*boxes.free, how.threads, how.go_on);
      if (made.inverted != Assembled::none) inverted = box.element_in_whole(made.inverted);
      local = std::make_unique<StencilOperator<double>>(std::move(made.matrix));
    }
    auto shared =
        std::make_unique<SharedOperator<double>>(std::move(local), box, how.overlap, how.threads, how.ranks, how.go_on);
    exact = shared.get();
    result.exact = std::move(shared);
  });
  require_none_inverted(how.ranks.least(inverted));
  if (!how.all_go_on()) return result;
  const auto* values = dynamic_cast<const StencilOperator<double>*>(&exact->local());
  if (options.single_values && values != nullptr) {
    how.ranks.together([&] {
      result.rough = std::make_unique<SharedOperator<double>>(
          std::make_unique<StencilOperator<double, float>>(*values, how.threads), box, how.overlap, how.threads,
          how.ranks, how.go_on);
    });
  }
  switch (options.preconditioner) {
    case Preconditioner::none:
      break;
    case Preconditioner::block_jacobi:
      how.ranks.together([&] { result.inverse = block_jacobi(*exact, free, how.threads); });
      break;
    case Preconditioner::chebyshev:
      result.inverse = chebyshev(shared_level(shared_single_precision(box, &exact->local(), how), free, how));
      break;
    case Preconditioner::multigrid:
      result.inverse = shared_multigrid(box, exact->local(), free, how);
      break;
  }
  return result;
}

}  // namespace

Result solve(const PartOfBody& body, const OptionsByRanks& options, std::span<double> displacement, MPI_Comm given) {
  Limit limit(options.seconds, options.stop);
  const Communicator ranks(given);
  const Piece piece = checked_piece(body, options, displacement, ranks);
  const Sharing how(ranks, options, limit);
  const SharedBox box = shared_box(body, piece, how.threads, ranks);
  std::optional<LocalValues> values;
  std::optional<Iteration> iteration;
  ranks.together([&] {
    values.emplace(body, piece, displacement);
    iteration.emplace(piece.grid(), values->load, values->held, options, values->displacement, how.threads, limit);
  });
  Result result = iteration->run(matrices_of(box, options, iteration->free(), how));
  std::size_t to = 0;
  for_own(piece, [&](std::int64_t node, const auto&) {
    for (std::size_t c = 0; c < components; ++c) {
      displacement[to++] = values->displacement[static_cast<std::size_t>(components * node) + c];
    }
  });
  agree(result, ranks);
  return result;
}

}  // namespace rooftop::elasticity
