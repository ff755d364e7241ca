/// Half of the matrix, as the solver keeps it: no indices, a lane for each of the nodes that lie side by side.
/// Changed from 60-symmetric: a box's neighbours are at the same 13 offsets for all nodes, so what a vector of nodes
/// needs lies side by side too; components apart. The last rows of a thread, which add to the next one's, wait for it.
/// Limit attacked: the core, which 60 keeps busy with three values at a time; 4 of 76 bytes for each block. Evidence:
/// the product comes near the memory's speed with half of the bytes. Source: Kreutzer and others 2014 for the lanes,
/// Krotkiewski and Dabrowski, Parallel symmetric sparse matrix-vector product on scalar multi-core CPUs, 2010, for what
/// threads share.
// needs: rooftop_elasticity
#include "field_steps.hpp"

namespace {

using elasticity::components;
using elasticity::Index;
using elasticity::Place;
namespace solver = rooftop::elasticity;

std::unique_ptr<solver::Operator<double>> matrix_of(const elasticity::Problem& problem) {
  const elasticity::Mesh& mesh = problem.mesh;
  auto matrix = std::make_unique<solver::StencilOperator<double>>(elasticity::grid_of(mesh), problem.threads);
#pragma omp parallel for num_threads(problem.threads) schedule(static)
  for (Index node = 0; node < mesh.nodes(); ++node) {
    const Place row = elasticity::place_of(mesh, node);
    double* value = matrix->row(node);
    const auto put = [&](double one) {
      *value = one;
      value += matrix->lanes();
    };
    std::array<double, elasticity::block_values> block{};
    elasticity::fill_block(problem, row, row, block.data());
    for (const std::size_t v : {0, 1, 2, 4, 5, 8}) put(block[v]);
    for (const solver::Offset& away : solver::later) {
      const Place other{row.i + away.dx, row.j + away.dy, row.k + away.dz};
      const bool there = other.i >= 0 && other.i < mesh.nx && other.j >= 0 && other.j < mesh.ny && other.k < mesh.nz;
      block = {};
      if (there) elasticity::fill_block(problem, row, other, block.data());
      for (const double one : block) put(one);
    }
  }
  return matrix;
}

class Offsets : public elasticity::FieldSteps {
 public:
  explicit Offsets(const elasticity::Problem& problem) : FieldSteps(problem, matrix_of(problem)) {}

 private:
  /// Of a symmetric matrix each block is used twice, the diagonal's half once.
  [[nodiscard]] double matrix_flops() const override {
    return 2.0 * elasticity::block_values * (2 * solver::later_neighbours + 1) *
           static_cast<double>(problem().mesh.nodes());
  }
};

}  // namespace

ROOFTOP_RUNG(elasticity::Problem, Offsets);
