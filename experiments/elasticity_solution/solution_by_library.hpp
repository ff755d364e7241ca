/// The solver of this tree, solvers/elasticity, with any of its preconditioners.
#pragma once

#include <algorithm>
#include <cstddef>
#include <rooftop/elasticity.hpp>
#include <rooftop/rung.hpp>
#include <span>

#include "problem.hpp"
#include "work.hpp"

namespace elasticity_solution {

namespace library = rooftop::elasticity;

/// What the solver is told of the mesh.
enum class Given : std::uint8_t {
  coordinates,  ///< where each node lies
  cubes,        ///< that all elements are cubes
};

class SolutionByLibrary : public rooftop::Rung {
 public:
  void run() override {
    const auto nodes = static_cast<std::size_t>(problem_.mesh.nodes());
    std::fill_n(problem_.displacement, components * nodes, 0.0);
    const library::Result result = library::solve(body_, options_, {problem_.displacement, components * nodes});
    problem_.told->iterations = result.iterations;
    problem_.told->setup_ns = static_cast<std::int64_t>(1e9 * result.setup_seconds);
  }

  [[nodiscard]] rooftop::Work work() const override { return least_work(problem_); }

 protected:
  SolutionByLibrary(const Problem& problem, library::Preconditioner preconditioner, Given given = Given::coordinates)
      : problem_(problem) {
    if (given == Given::cubes && problem.kind != Kind::uniform)
      throw rooftop::Skip("not all elements are the same cube of the same material");
    const Mesh& mesh = problem.mesh;
    const auto values = static_cast<std::size_t>(components * mesh.nodes());
    body_.nodes = {mesh.nx, mesh.ny, mesh.nz};
    if (given == Given::coordinates) body_.coordinates = {problem.coordinates, values};
    body_.young = {problem.young, problem.kind == Kind::jump ? static_cast<std::size_t>(mesh.elements()) : 1};
    body_.poisson = {&problem.poisson, 1};
    body_.load = {problem.load, values};
    body_.held = {problem.held, values};
    options_.preconditioner = preconditioner;
    options_.tolerance = problem.tolerance;
    options_.threads = problem.threads;
  }

 private:
  const Problem& problem_;
  library::Body body_;
  library::Options options_;
};

}  // namespace elasticity_solution
