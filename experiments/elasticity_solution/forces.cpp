#include "forces.hpp"

#include <array>
#include <cmath>
#include <cstddef>

namespace elasticity_solution {
namespace {

using Vector = std::array<double, 3>;
using Matrix = std::array<Vector, 3>;  // rows
using OfCorners = std::array<Vector, corners>;

/// Derivatives of the eight shape functions on the unit cube, at its eight points of integration.
std::array<OfCorners, corners> shape_derivatives() {
  std::array<OfCorners, corners> result{};
  const double near = (1 - 1 / std::sqrt(3.0)) / 2;
  for (std::size_t point = 0; point < corners; ++point) {
    for (std::size_t a = 0; a < corners; ++a) {
      for (std::size_t d = 0; d < 3; ++d) {
        double derivative = (a >> d & 1U) != 0 ? 1 : -1;
        for (std::size_t other = 0; other < 3; ++other) {
          if (other == d) continue;
          derivative *= (a >> other & 1U) == (point >> other & 1U) ? 1 - near : near;
        }
        result[point][a][d] = derivative;
      }
    }
  }
  return result;
}

/// sum of value_a (x) derivative_a: how a field of corner values changes along the unit cube's directions.
Matrix gradient(const OfCorners& value, const OfCorners& derivative) {
  Matrix result{};
  for (std::size_t a = 0; a < corners; ++a) {
    for (std::size_t r = 0; r < 3; ++r) {
      for (std::size_t c = 0; c < 3; ++c) result[r][c] += value[a][r] * derivative[a][c];
    }
  }
  return result;
}

/// Cofactors: the inverse, transposed, times the determinant.
Matrix cofactors(const Matrix& m) {
  Matrix result{};
  for (std::size_t r = 0; r < 3; ++r) {
    const std::size_t r1 = (r + 1) % 3, r2 = (r + 2) % 3;
    for (std::size_t c = 0; c < 3; ++c) {
      const std::size_t c1 = (c + 1) % 3, c2 = (c + 2) % 3;
      result[r][c] = m[r1][c1] * m[r2][c2] - m[r1][c2] * m[r2][c1];
    }
  }
  return result;
}

double determinant(const Matrix& m, const Matrix& cofactor) {
  return m[0][0] * cofactor[0][0] + m[0][1] * cofactor[0][1] + m[0][2] * cofactor[0][2];
}

/// Hooke's law on the symmetric part of a displacement's gradient.
Matrix stress(const Matrix& gradient, double young, double poisson) {
  const double shear = young / (2 * (1 + poisson));
  const double pressure =
      young * poisson / ((1 + poisson) * (1 - 2 * poisson)) * (gradient[0][0] + gradient[1][1] + gradient[2][2]);
  Matrix result{};
  for (std::size_t r = 0; r < 3; ++r) {
    for (std::size_t c = 0; c < 3; ++c) result[r][c] = shear * (gradient[r][c] + gradient[c][r]);
    result[r][r] += pressure;
  }
  return result;
}

/// Of an element's eight corners, or of the four of a tetrahedron, which then are the first.
template <std::size_t count>
OfCorners gathered(const double* values, const std::array<Index, count>& nodes) {
  OfCorners result{};
  for (std::size_t a = 0; a < count; ++a) {
    for (std::size_t c = 0; c < 3; ++c) result[a][c] = values[components * nodes[a] + static_cast<Index>(c)];
  }
  return result;
}

/// Calls visit(element, nodes of its corners) for all elements: layers of elements of even k on all threads, then those
/// of odd k, so that no two threads add to one node.
template <class Visit>
void for_elements(const Problem& problem, Visit visit) {
  const Mesh& mesh = problem.mesh;
  [[maybe_unused]] const int threads = problem.threads * problem.ranks;  // other ranks wait while this one verifies
  for (const Index parity : {0, 1}) {
#pragma omp parallel for num_threads(threads) schedule(static)
    for (Index k = parity; k < mesh.nz - 1; k += 2) {
      for (Index j = 0; j + 1 < mesh.ny; ++j) {
        for (Index i = 0; i + 1 < mesh.nx; ++i) visit(mesh.element(i, j, k), mesh.corners_of(i, j, k));
      }
    }
  }
}

/// What stresses at one point of integration ask of the reference element's directions. `place` and `along` are how
/// coordinates and displacements change along them, `weight` is that of the point.
Matrix flux(const Matrix& place, const Matrix& along, double young, double poisson, double weight) {
  const Matrix cofactor = cofactors(place);
  const double volume = determinant(place, cofactor);
  Matrix change{}, result{};  // du/dx, and the stress turned back to the reference element's directions
  for (std::size_t r = 0; r < 3; ++r) {
    for (std::size_t c = 0; c < 3; ++c) {
      for (std::size_t d = 0; d < 3; ++d) change[r][c] += along[r][d] * cofactor[c][d];
      change[r][c] /= volume;
    }
  }
  const Matrix tension = stress(change, young, poisson);
  for (std::size_t r = 0; r < 3; ++r) {
    for (std::size_t d = 0; d < 3; ++d) {
      for (std::size_t c = 0; c < 3; ++c) result[r][d] += tension[r][c] * cofactor[c][d] * weight;
    }
  }
  return result;
}

/// How a linear field changes along a tetrahedron's edges from its first corner.
Matrix along_edges(const OfCorners& value, const std::array<std::size_t, 4>& corner) {
  Matrix result{};
  for (std::size_t r = 0; r < 3; ++r) {
    for (std::size_t d = 0; d < 3; ++d) result[r][d] = value[corner[d + 1]][r] - value[corner[0]][r];
  }
  return result;
}

constexpr double six = 6;  // tetrahedra of three edges' parallelepiped

using FourCorners = std::array<std::size_t, 4>;

constexpr FourCorners first_four{0, 1, 2, 3};  // corners of a tetrahedron that is no part of an element

void add_tetrahedron(const OfCorners& x, const OfCorners& u, const FourCorners& corner, double young, double poisson,
                     OfCorners& force) {
  const Matrix asked = flux(along_edges(x, corner), along_edges(u, corner), young, poisson, 1 / six);
  for (std::size_t r = 0; r < 3; ++r) {
    for (std::size_t d = 0; d < 3; ++d) force[corner[d + 1]][r] += asked[r][d], force[corner[0]][r] -= asked[r][d];
  }
}

double volume_of(const Matrix& place) { return determinant(place, cofactors(place)); }

template <std::size_t count>
void add(const OfCorners& force, const std::array<Index, count>& nodes, std::vector<double>& total) {
  for (std::size_t a = 0; a < count; ++a) {
    for (std::size_t c = 0; c < 3; ++c) total[static_cast<std::size_t>(components * nodes[a]) + c] += force[a][c];
  }
}

}  // namespace

std::vector<double> forces(const Problem& problem, const double* displacement) {
  const auto derivatives = shape_derivatives();
  std::vector<double> result(static_cast<std::size_t>(components * problem.mesh.nodes()));
  for_elements(problem, [&](Index element, const std::array<Index, corners>& nodes) {
    const OfCorners x = gathered(problem.coordinates, nodes), u = gathered(displacement, nodes);
    const double young = problem.young[element];
    OfCorners force{};
    if (problem.kind == Kind::tetrahedra) {
      for (const auto& corner : tetrahedra) add_tetrahedron(x, u, corner, young, problem.poisson, force);
    } else {
      for (const OfCorners& derivative : derivatives) {
        const Matrix asked =
            flux(gradient(x, derivative), gradient(u, derivative), young, problem.poisson, 1.0 / corners);
        for (std::size_t a = 0; a < corners; ++a) {
          for (std::size_t r = 0; r < 3; ++r) {
            for (std::size_t d = 0; d < 3; ++d) force[a][r] += asked[r][d] * derivative[a][d];
          }
        }
      }
    }
    add(force, nodes, result);
  });
  const double* young = problem.young;
  for (const Tetrahedron& nodes : problem.mesh.listed) {
    const OfCorners x = gathered(problem.coordinates, nodes), u = gathered(displacement, nodes);
    OfCorners force{};
    add_tetrahedron(x, u, first_four, *young++, problem.poisson, force);
    add(force, nodes, result);
  }
  return result;
}

std::vector<double> volumes(const Problem& problem) {
  const auto derivatives = shape_derivatives();
  std::vector<double> result(static_cast<std::size_t>(problem.mesh.nodes()));
  for_elements(problem, [&](Index, const std::array<Index, corners>& nodes) {
    const OfCorners x = gathered(problem.coordinates, nodes);
    if (problem.kind == Kind::tetrahedra) {
      for (const auto& corner : tetrahedra) {
        const double share = volume_of(along_edges(x, corner)) / six / 4;
        for (const std::size_t a : corner) result[static_cast<std::size_t>(nodes[a])] += share;
      }
      return;
    }
    double all = 0;
    for (const OfCorners& derivative : derivatives) all += volume_of(gradient(x, derivative)) / corners;
    for (const Index node : nodes) result[static_cast<std::size_t>(node)] += all / corners;
  });
  for (const Tetrahedron& nodes : problem.mesh.listed) {
    const double share = volume_of(along_edges(gathered(problem.coordinates, nodes), first_four)) / six / 4;
    for (const Index node : nodes) result[static_cast<std::size_t>(node)] += share;
  }
  return result;
}

}  // namespace elasticity_solution
