/// The solver of this tree, solvers/elasticity, with any of its preconditioners.
#pragma once

#include <algorithm>
#include <cstddef>
#include <rooftop/elasticity.hpp>
#include <rooftop/rung.hpp>
#include <span>
#include <vector>

#include "problem.hpp"
#include "work.hpp"

namespace elasticity_solution {

namespace library = rooftop::elasticity;

/// What the solver is told of the mesh.
enum class Given : std::uint8_t {
  coordinates,  ///< where each node lies
  cubes,        ///< that all elements are cubes
  elements,     ///< where each node lies and which nodes each element has, as of any mesh
};

class SolutionByLibrary : public rooftop::Rung {
 public:
  void run() override {
    const auto nodes = static_cast<std::size_t>(problem_.mesh.nodes());
    std::fill_n(problem_.displacement, components * nodes, 0.0);
    const std::span<double> displacement{problem_.displacement, components * nodes};
    const library::Result result = elements_.empty() ? library::solve(body_, options_, displacement)
                                                     : library::solve(mesh(), options_, displacement);
    problem_.told->iterations = result.iterations;
    problem_.told->setup_ns = static_cast<std::int64_t>(1e9 * result.setup_seconds);
    problem_.told->kept_bytes = result.bytes;
    problem_.told->product_bytes = result.product_bytes;
    problem_.told->smoother_bytes = result.smoother_bytes;
    problem_.told->sweeps = result.sweeps;
  }

  [[nodiscard]] rooftop::Work work() const override { return solution_work(); }

 protected:
  SolutionByLibrary(const Problem& problem, library::Preconditioner preconditioner, Given given = Given::coordinates)
      : problem_(problem) {
    if (given == Given::cubes && problem.kind != Kind::uniform)
      throw rooftop::Skip("not all elements are the same cube of the same material");
    if (given != Given::elements && !problem.mesh.is_box())
      throw rooftop::Skip("the body is no box, and the solver is told of a box of hexahedra");
    if (given != Given::elements && problem.kind == Kind::tetrahedra)
      throw rooftop::Skip("elements are tetrahedra, and the solver is told of a box of hexahedra");
    const Mesh& mesh = problem.mesh;
    const auto values = static_cast<std::size_t>(components * mesh.nodes());
    body_.nodes = {mesh.nx, mesh.ny, mesh.nz};
    if (given != Given::cubes) body_.coordinates = {problem.coordinates, values};
    body_.young = {problem.young, problem.kind == Kind::jump ? static_cast<std::size_t>(mesh.elements()) : 1};
    body_.poisson = {&problem.poisson, 1};
    body_.load = {problem.load, values};
    body_.held = {problem.held, values};
    options_.preconditioner = preconditioner;
    options_.tolerance = problem.tolerance;
    options_.threads = problem.threads;
    if (given == Given::elements) list_elements();
  }

  library::Options& options() { return options_; }

 private:
  [[nodiscard]] bool tetrahedral() const { return problem_.kind == Kind::tetrahedra || problem_.kind == Kind::listed; }

  /// Each element's nodes in VTK's order: around the bottom, then around the top; those of tetrahedra as they are.
  void list_elements() {
    const Mesh& mesh = problem_.mesh;
    for (const Tetrahedron& nodes : mesh.listed) elements_.insert(elements_.end(), nodes.begin(), nodes.end());
    for (Index k = 0; k + 1 < mesh.nz; ++k) {
      for (Index j = 0; j + 1 < mesh.ny; ++j) {
        for (Index i = 0; i + 1 < mesh.nx; ++i) {
          const auto corner = mesh.corners_of(i, j, k);
          if (problem_.kind == Kind::tetrahedra) {
            for (const auto& one : tetrahedra) {
              for (const std::size_t a : one) elements_.push_back(corner[a]);
            }
          } else {
            for (const std::size_t a : {0, 1, 3, 2, 4, 5, 7, 6}) elements_.push_back(corner[a]);
          }
        }
      }
    }
  }

  [[nodiscard]] library::Mesh mesh() const {
    const auto kind = tetrahedral() ? library::ElementKind::tetrahedron : library::ElementKind::hexahedron;
    return {body_.coordinates, {{kind, elements_}}, body_.young, body_.poisson, body_.load, body_.held};
  }

  const Problem& problem_;
  library::Body body_;
  library::Options options_;
  std::vector<Index> elements_;
};

}  // namespace elasticity_solution
