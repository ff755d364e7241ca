/// PETSc's grid of the mesh and its matrix: each rank adds the elements that touch its own nodes, to their rows alone.
#pragma once

#include <petscdmda.h>
#include <petscksp.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

#include "element_stiffness.hpp"

namespace elasticity_solution {

inline void check_petsc(PetscErrorCode error) {
  if (error != 0) throw std::runtime_error("PETSc's error " + std::to_string(error));
}

/// A grid of three values a node, shared in boxes. Returns PETSc's error where there are too few nodes for the ranks.
inline PetscErrorCode make_grid(const Problem& problem, MatType matrix_type, DM* grid) {
  const Mesh& mesh = problem.mesh;
  PetscErrorCode error =
      DMDACreate3d(MPI_COMM_WORLD, DM_BOUNDARY_NONE, DM_BOUNDARY_NONE, DM_BOUNDARY_NONE, DMDA_STENCIL_BOX,
                   static_cast<PetscInt>(mesh.nx), static_cast<PetscInt>(mesh.ny), static_cast<PetscInt>(mesh.nz),
                   PETSC_DECIDE, PETSC_DECIDE, PETSC_DECIDE, components, 1, nullptr, nullptr, nullptr, grid);
  if (error == 0) error = DMSetMatType(*grid, matrix_type);
  if (error == 0) error = DMSetMatrixPreallocateOnly(*grid, PETSC_TRUE);
  if (error == 0) error = DMSetUp(*grid);
  return error;
}

/// The nodes that a rank has, or has copies of, in each direction.
struct Range {
  std::array<PetscInt, 3> begin{}, count{};

  [[nodiscard]] bool has(const std::array<PetscInt, 3>& at) const {
    for (std::size_t d = 0; d < 3; ++d) {
      if (at[d] < begin[d] || at[d] >= begin[d] + count[d]) return false;
    }
    return true;
  }
  [[nodiscard]] PetscInt number(const std::array<PetscInt, 3>& at) const {
    return ((at[2] - begin[2]) * count[1] + at[1] - begin[1]) * count[0] + at[0] - begin[0];
  }
};

inline Range own_nodes(DM grid) {
  Range r;
  check_petsc(DMDAGetCorners(grid, &r.begin[0], &r.begin[1], &r.begin[2], &r.count[0], &r.count[1], &r.count[2]));
  return r;
}

inline Range own_and_next_nodes(DM grid) {
  Range r;
  check_petsc(DMDAGetGhostCorners(grid, &r.begin[0], &r.begin[1], &r.begin[2], &r.count[0], &r.count[1], &r.count[2]));
  return r;
}

/// Coarser grids get theirs from it.
inline void set_coordinates(const Problem& problem, DM grid) {
  DM of_coordinates = nullptr;
  Vec coordinates = nullptr;
  check_petsc(DMGetCoordinateDM(grid, &of_coordinates));
  check_petsc(DMCreateGlobalVector(of_coordinates, &coordinates));
  const Range own = own_nodes(grid);
  PetscScalar* values = nullptr;
  check_petsc(VecGetArrayWrite(coordinates, &values));
  PetscScalar* next = values;
  for (PetscInt k = 0; k < own.count[2]; ++k) {
    for (PetscInt j = 0; j < own.count[1]; ++j) {
      const Index first = problem.mesh.node(own.begin[0], own.begin[1] + j, own.begin[2] + k);
      next = std::copy_n(problem.coordinates + components * first, components * own.count[0], next);
    }
  }
  check_petsc(VecRestoreArrayWrite(coordinates, &values));
  check_petsc(DMSetCoordinates(grid, coordinates));
  check_petsc(VecDestroy(&coordinates));
}

/// The matrix of the grid or of a coarser one, on which Young's modulus must be 1 in all elements. Where all elements
/// are cubes, one is integrated. Of rows and columns of held displacements the diagonal is left.
inline void fill_matrix(const Problem& problem, DM grid, Mat matrix) {
  std::array<PetscInt, 3> nodes{};
  check_petsc(DMDAGetInfo(grid, nullptr, &nodes[0], &nodes[1], &nodes[2], nullptr, nullptr, nullptr, nullptr, nullptr,
                          nullptr, nullptr, nullptr, nullptr));
  const bool finest = nodes[0] == problem.mesh.nx && nodes[1] == problem.mesh.ny && nodes[2] == problem.mesh.nz;
  const Range own = own_nodes(grid), all = own_and_next_nodes(grid);
  Vec coordinates = nullptr;
  check_petsc(DMGetCoordinatesLocal(grid, &coordinates));
  const PetscScalar* place = nullptr;
  check_petsc(VecGetArrayRead(coordinates, &place));
  check_petsc(MatSetOption(matrix, MAT_NO_OFF_PROC_ENTRIES, PETSC_TRUE));
  PetscBool one_rank = PETSC_FALSE;  // whose matrix of numbers expects whole rows at once from a grid
  check_petsc(PetscObjectTypeCompare(reinterpret_cast<PetscObject>(matrix), MATSEQAIJ, &one_rank));
  if (one_rank) check_petsc(MatSetOption(matrix, MAT_SORTED_FULL, PETSC_FALSE));
  const auto first = [&](std::size_t d) { return std::max<PetscInt>(own.begin[d] - 1, 0); };
  const auto last = [&](std::size_t d) { return std::min(own.begin[d] + own.count[d] - 1, nodes[d] - 2); };
  // Adds what an element, or a tetrahedron of it, has at some of its corners.
  const auto add = [&]<std::size_t n, std::size_t size>(const std::array<std::size_t, n>& some, const auto& at,
                                                        double young, std::array<double, size> stiffness) {
    std::array<PetscInt, n> rows{}, columns{};
    std::array<bool, components * n> held{};
    for (std::size_t a = 0; a < n; ++a) {
      const auto& node = at[some[a]];
      columns[a] = all.number(node);
      rows[a] = own.has(node) ? columns[a] : -1;
      for (std::size_t d = 0; d < components; ++d) held[components * a + d] = holds(problem.kind, node, d);
    }
    if (young != 1) {
      for (double& value : stiffness) value *= young;
    }
    if (std::ranges::find(held, true) != held.end()) hold(held, stiffness);
    constexpr auto count = static_cast<PetscInt>(n);
    check_petsc(
        MatSetValuesBlockedLocal(matrix, count, rows.data(), count, columns.data(), stiffness.data(), ADD_VALUES));
  };
  constexpr std::array<std::size_t, corners> whole{0, 1, 2, 3, 4, 5, 6, 7};
  Stiffness of_one{};
  bool integrated = false;
  for (PetscInt k = first(2); k <= last(2); ++k) {
    for (PetscInt j = first(1); j <= last(1); ++j) {
      for (PetscInt i = first(0); i <= last(0); ++i) {
        std::array<std::array<PetscInt, components>, corners> at{};
        Corners x{};
        for (std::size_t a = 0; a < corners; ++a) {
          const auto c = static_cast<PetscInt>(a);
          at[a] = {i + (c & 1), j + (c >> 1 & 1), k + (c >> 2)};
          const auto number = static_cast<std::ptrdiff_t>(all.number(at[a]));
          std::copy_n(place + components * number, components, x[a].begin());
        }
        const double young = finest ? problem.young[problem.mesh.element(i, j, k)] : 1;
        if (problem.kind == Kind::tetrahedra) {
          for (const auto& some : tetrahedra) add(some, at, young, tetrahedron_stiffness(x, some, 1, problem.poisson));
          continue;
        }
        if (!integrated || !problem.cubes()) of_one = element_stiffness(x, 1, problem.poisson), integrated = true;
        add(whole, at, young, of_one);
      }
    }
  }
  check_petsc(VecRestoreArrayRead(coordinates, &place));
  check_petsc(MatAssemblyBegin(matrix, MAT_FINAL_ASSEMBLY));
  check_petsc(MatAssemblyEnd(matrix, MAT_FINAL_ASSEMBLY));
  check_petsc(MatSetOption(matrix, MAT_SYMMETRIC, PETSC_TRUE));
}

/// Six motions of the grid that strain nothing.
inline MatNullSpace rigid_body_modes(DM grid) {
  Vec coordinates = nullptr;
  MatNullSpace modes = nullptr;
  check_petsc(DMGetCoordinates(grid, &coordinates));
  check_petsc(MatNullSpaceCreateRigidBody(coordinates, &modes));
  return modes;
}

}  // namespace elasticity_solution
