/// No matrix, and a mesh that may be distorted: an element's stress is computed from where its corners lie, at each of
/// its eight points of integration, in each product.
/// Changed from 65-offsets: 24 bytes a node for the mesh, not 984 for half of the matrix, and five times the work.
/// Limit attacked: the memory. Evidence: the time falls although the core has more to do.
/// Source: Kronbichler and Kormann, A generic interface for parallel cell-based finite element operator application,
/// 2012.
// needs: rooftop_elasticity
#include "../../solvers/elasticity/src/element_operator.hpp"
#include "field_steps.hpp"

namespace {

using elasticity::Index;
using elasticity::Mesh;
namespace solver = rooftop::elasticity;

std::unique_ptr<solver::Operator<double>> matrix_of(const elasticity::Problem& problem) {
  const Mesh& mesh = problem.mesh;
  const solver::Material same = solver::material(1, 0.3);
  const auto elements = static_cast<std::size_t>(mesh.elements());
  solver::FreeBox box{elasticity::grid_of(mesh),
                      {},
                      std::vector<double>(elements, same.lame),
                      std::vector<double>(elements, same.shear)};
  for (Index node = 0; node < mesh.nodes(); ++node) {
    const elasticity::Place place = elasticity::place_of(mesh, node);
    for (const Index along : {place.i, place.j, place.k}) box.coordinates.push_back(static_cast<double>(along));
  }
  return std::make_unique<solver::ElementOperator>(box, problem.threads);
}

class Elements : public elasticity::FieldSteps {
 public:
  explicit Elements(const elasticity::Problem& problem) : FieldSteps(problem, matrix_of(problem)) {}

 private:
  // Of an element, in instructions: slopes of three places and three displacements, eight points, three fields of
  // forces, and adding these up. The first of two points that ask for a slope adds to nothing.
  static constexpr double multiply_adds = 6 * 24 + (8 * 59 - 36) + 3 * 10 + 24,
                          lone = 6 * 23 + (8 * 32 + 36) + 3 * 42 + 12;

  [[nodiscard]] double matrix_flops() const override {
    return 2 * multiply_adds * static_cast<double>(problem().mesh.elements());
  }
  [[nodiscard]] double matrix_adds() const override { return lone * static_cast<double>(problem().mesh.elements()); }
};

}  // namespace

ROOFTOP_RUNG(elasticity::Problem, Elements);
