// A box's matrix and a mesh's, each with its preconditioner.
#include <omp.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "check.hpp"
#include "checked_mesh.hpp"
#include "element_kinds.hpp"
#include "elimination.hpp"
#include "iteration.hpp"
#include "mesh_operator.hpp"
#include "moderate_numbers.hpp"
#include "thin_box.hpp"

namespace rooftop::elasticity {
namespace {

using running::Limit;

int threads_of(const Options& options) { return options.threads > 0 ? options.threads : omp_get_max_threads(); }

Matrices matrices_of(const Boxes& boxes, const Options& options, const Free& free, int threads, const GoOn& go_on) {
  Matrices result;
  if (boxes.aligned) {
    result.exact = std::make_unique<TensorOperator<double>>(*boxes.aligned, threads);
  } else {
    auto matrix = std::make_unique<StencilOperator<double>>(assemble(*boxes.free, threads, go_on));
    if (options.single_values && go_on()) {
      result.rough = std::make_unique<StencilOperator<double, float>>(*matrix, threads);
    }
    result.exact = std::move(matrix);
  }
  if (!go_on()) return result;
  const AnyBox box{boxes.aligned ? &*boxes.aligned : nullptr, boxes.free ? &*boxes.free : nullptr};
  switch (options.preconditioner) {
    case Preconditioner::none:
      break;
    case Preconditioner::block_jacobi:
      result.inverse = block_jacobi(*result.exact, free, threads);
      break;
    case Preconditioner::chebyshev:
      result.inverse = chebyshev(box, *result.exact, free, threads, go_on);
      break;
    case Preconditioner::multigrid:
      result.inverse = multigrid(box, *result.exact, free, threads, go_on);
      break;
  }
  return result;
}

/// Of the first node and the last.
RigidMotions motions_between_ends(const Mesh& mesh) {
  const double *first = mesh.coordinates.data(), *last = first + mesh.coordinates.size() - components;
  return {{first[0], first[1], first[2]}, {last[0], last[1], last[2]}};
}

/// Displacements that others determine, and the load on those that are left, which is known once the matrix is.
struct Reduction {
  std::shared_ptr<const Elimination> elimination;
  std::vector<double> load;
};

/// `reduction`: null where no displacement is determined by others.
Matrices matrices_of(const Mesh& mesh, const Options& options, const Free& free, int threads, const GoOn& go_on,
                     Reduction* reduction) {
  const auto elimination = reduction == nullptr ? nullptr : reduction->elimination;
  Matrices result;
  auto matrix = assemble(mesh, threads, go_on);
  const RigidMotions motions = motions_between_ends(mesh);
  MeshMatrix<double> without;
  std::vector<MotionsOfOther> others;
  if (elimination != nullptr && go_on()) {
    without = elimination->reduced(matrix, free);
    others = elimination->motions_of_others(motions);
  }
  const MeshMatrix<double>& reduced = elimination == nullptr ? matrix : without;
  if (go_on()) {
    switch (options.preconditioner) {
      case Preconditioner::none:
      case Preconditioner::block_jacobi:
        break;
      case Preconditioner::chebyshev:
      case Preconditioner::multigrid:
        result.inverse = smoothed_aggregation({reduced, mesh.coordinates, motions, free, spacing_of(mesh), others,
                                               elimination == nullptr ? nullptr : &matrix},
                                              options.preconditioner == Preconditioner::multigrid, threads, go_on);
        break;
    }
  }
  if (options.single_values && go_on()) {
    result.rough = std::make_unique<MeshOperator<float>>(in_single_precision(matrix, threads), threads);
  }
  std::unique_ptr<Operator<double>> exact = std::make_unique<MeshOperator<double>>(std::move(matrix), threads);
  if (elimination != nullptr && go_on()) {
    std::ranges::copy(elimination->reduced_load(*exact), reduction->load.begin());
    const auto wrap = [&](std::unique_ptr<Operator<double>>& one) {
      if (one != nullptr) one = std::make_unique<ReducedOperator>(std::move(one), elimination, without, threads);
    };
    wrap(exact);
    wrap(result.rough);
  }
  if (options.preconditioner == Preconditioner::block_jacobi && go_on()) {
    result.inverse = block_jacobi(*exact, free, threads);
  }
  result.exact = std::move(exact);
  return result;
}

Result solved(const Mesh& mesh, const Options& options, std::span<double> displacement, int threads, Limit& limit) {
  const Grid grid{1, 1, static_cast<std::int64_t>(mesh.coordinates.size()) / components};
  const auto go_on = [&] { return limit.left(); };
  if (mesh.dependences.dependent.empty()) {
    Iteration iteration(grid, mesh.load, mesh.held, options, displacement, threads, limit);
    return iteration.run(matrices_of(mesh, options, iteration.free(), threads, go_on, nullptr));
  }
  Reduction reduction{std::make_shared<const Elimination>(mesh, threads), std::vector<double>(mesh.load.size())};
  for (const std::int64_t number : mesh.dependences.dependent) displacement[static_cast<std::size_t>(number)] = 0;
  Iteration iteration(grid, reduction.load, reduction.elimination->held(), options, displacement, threads, limit);
  Result result = iteration.run(matrices_of(mesh, options, iteration.free(), threads, go_on, &reduction));
  reduction.elimination->complete(displacement);
  return result;
}

Result solve_moderate(const Body& body, const Options& options, std::span<double> displacement) {
  Limit limit(options.seconds, options.stop);
  const int threads = threads_of(options);
  Boxes boxes = check(body, options, displacement, threads);
  if (options.preconditioner == Preconditioner::multigrid && is_thin(boxes.grid(), edges_of(boxes))) {
    const BoxAsMesh mesh = as_mesh(boxes);
    boxes = {};
    return solved(
        {mesh.coordinates, {{ElementKind::hexahedron, mesh.hexahedra}}, mesh.young, mesh.poisson, body.load, body.held},
        options, displacement, threads, limit);
  }
  Iteration iteration(boxes.grid(), body.load, body.held, options, displacement, threads, limit);
  return iteration.run(matrices_of(boxes, options, iteration.free(), threads, [&] { return limit.left(); }));
}

Result solve_moderate(const Mesh& mesh, const Options& options, std::span<double> displacement) {
  Limit limit(options.seconds, options.stop);
  check(mesh, options, displacement);
  return solved(mesh, options, displacement, threads_of(options), limit);
}

}  // namespace

Result solve(const Body& body, const Options& options, std::span<double> displacement) {
  const Units units = units_for(exponents_of(body.coordinates, body.young, body.load, displacement));
  if (changes(units)) {
    ModerateNumbers numbers(units, body.coordinates, body.young, body.load, displacement);
    Result result =
        solve_moderate(Body{body.nodes, numbers.coordinates, numbers.young, body.poisson, numbers.load, body.held},
                       options, numbers.displacement);
    numbers.give(displacement);
    return result;
  }
  return solve_moderate(body, options, displacement);
}

Result solve(const Mesh& mesh, const Options& options, std::span<double> displacement) {
  const std::span<const double> stiffness = mesh.stiffness.empty() ? mesh.young : mesh.stiffness;
  Exponents largest = exponents_of(mesh.coordinates, stiffness, mesh.load, displacement);
  largest.displacement =
      std::max(largest.displacement, exponents_of({}, {}, {}, mesh.dependences.constant).displacement);
  const Units units = units_for(largest);
  if (changes(units)) {
    ModerateNumbers numbers(units, mesh.coordinates, stiffness, mesh.load, displacement);
    Mesh moderate = mesh;
    moderate.coordinates = numbers.coordinates;
    (mesh.stiffness.empty() ? moderate.young : moderate.stiffness) = numbers.young;
    moderate.load = numbers.load;
    const std::vector<double> constants = numbers.displacements(mesh.dependences.constant);
    moderate.dependences.constant = constants;
    Result result = solve_moderate(moderate, options, numbers.displacement);
    numbers.give(displacement);
    return result;
  }
  return solve_moderate(mesh, options, displacement);
}

}  // namespace rooftop::elasticity
