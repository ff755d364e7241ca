// A mesh that ranks share: its matrix and preconditioner, and the iteration of one process with them.
#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "checked_mesh_part.hpp"
#include "iteration.hpp"
#include "moderate_by_ranks.hpp"
#include "shared_aggregation.hpp"
#include "shared_mesh_operator.hpp"
#include "sharing.hpp"

namespace rooftop::elasticity {
namespace {

using running::Limit;

/// What a rank has, of its own nodes and of copies, which count as held.
struct LocalValues {
  std::vector<double> load, displacement;
  std::vector<std::uint8_t> held;

  LocalValues() = default;
  LocalValues(const MeshPart& part, std::span<const double> moved)
      : load(part.mesh.load.begin(), part.mesh.load.end()),
        displacement(moved.begin(), moved.end()),
        held(part.mesh.held.begin(), part.mesh.held.end()) {
    const auto values = static_cast<std::size_t>(components * part.all());
    load.resize(values);
    displacement.resize(values);
    held.resize(values, 1);
  }
};

MeshMatrix<double> own_rows(const MeshPart& part, const Sharing& how) {
  MeshMatrix<double> result;
  std::int64_t inverted = Assembled::none;
  how.ranks.together([&] {
    AssembledMesh made = assembled(part.mesh, part.own, how.threads, how.go_on);
    if (made.inverted != Assembled::none) inverted = part.elements[static_cast<std::size_t>(made.inverted)];
    result = std::move(made.matrix);
  });
  require_none_inverted(how.ranks.least(inverted));
  return result;
}

/// With what the owners of copies have.
Free with_copies(const Free& own, const MeshPart& part, const Sharing& how) {
  Free result;
  std::optional<Halo<float>> halo;
  how.ranks.together([&] {
    result = Free(own.grid(), how.threads);
    halo.emplace(part.neighbours, how.ranks);
  });
  for (int c = 0; c < components; ++c) std::copy_n(own[c], part.own, result[c]);
  halo->exchange(result);
  return result;
}

/// The exact matrix alone where the time is over.
Matrices matrices_of(const MeshPart& part, const OptionsByRanks& options, const Free& free, const Sharing& how) {
  Matrices result;
  MeshMatrix<double> matrix = own_rows(part, how);
  const bool in_time = how.all_go_on();
  if (in_time && options.preconditioner >= Preconditioner::chebyshev) {
    const Free known = with_copies(free, part, how);
    const bool coarser = options.preconditioner == Preconditioner::multigrid;
    result.inverse = shared_aggregation(matrix, known, coarser, part, how);
  }
  how.ranks.together([&] {
    if (in_time && options.single_values) {
      result.rough =
          std::make_unique<SharedMeshOperator<float>>(in_single_precision(matrix, how.threads), part.neighbours, how);
    }
    result.exact = std::make_unique<SharedMeshOperator<double>>(std::move(matrix), part.neighbours, how);
    if (in_time && options.preconditioner == Preconditioner::block_jacobi) {
      result.inverse = block_jacobi(*result.exact, free, how.threads);
    }
  });
  return result;
}

Result solve_moderate(const PartOfMesh& mesh, const OptionsByRanks& options, std::span<double> displacement,
                      MPI_Comm given) {
  Limit limit(options.seconds, options.stop);
  const Communicator ranks(given);
  const MeshPart part = checked_mesh_part(mesh, options, displacement, ranks);
  const Sharing how(ranks, options, limit);
  LocalValues values;
  std::optional<Iteration> iteration;
  ranks.together([&] {
    values = LocalValues(part, displacement);
    iteration.emplace(Grid{1, 1, part.all()}, values.load, values.held, options, values.displacement, how.threads,
                      limit);
  });
  Result result = iteration->run(matrices_of(part, options, iteration->free(), how));
  std::copy_n(values.displacement.begin(), displacement.size(), displacement.begin());
  agree(result, ranks);
  return result;
}

}  // namespace

Result solve(const PartOfMesh& mesh, const OptionsByRanks& options, std::span<double> displacement, MPI_Comm given) {
  return solve_in_moderate_numbers(mesh, options, displacement, given, solve_moderate);
}

}  // namespace rooftop::elasticity
