/// PETSc's matrix of a mesh that lists its tetrahedra. Each rank has a range of nodes, and adds the tetrahedra that
/// touch them to their rows alone, as petsc_assembly.hpp does on a grid.
#pragma once

#include <petscksp.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

#include "element_stiffness.hpp"
#include "petsc_assembly.hpp"

namespace elasticity_solution {

/// A rank's own nodes.
struct Share {
  Index begin, end;

  explicit Share(const Problem& problem)
      : begin(problem.mesh.nodes() * problem.rank / problem.ranks),
        end(problem.mesh.nodes() * (problem.rank + 1) / problem.ranks) {}
  [[nodiscard]] bool has(Index node) const { return node >= begin && node < end; }
  [[nodiscard]] PetscInt count() const { return static_cast<PetscInt>(end - begin); }
};

/// From three values of each node.
inline Vec listed_vector(const Problem& problem, const double* values) {
  const Share own(problem);
  Vec result = nullptr;
  check_petsc(VecCreate(MPI_COMM_WORLD, &result));
  check_petsc(VecSetSizes(result, components * own.count(), PETSC_DETERMINE));
  check_petsc(VecSetBlockSize(result, components));
  check_petsc(VecSetType(result, VECSTANDARD));
  PetscScalar* into = nullptr;
  check_petsc(VecGetArrayWrite(result, &into));
  std::copy(values + components * own.begin, values + components * own.end, into);
  check_petsc(VecRestoreArrayWrite(result, &into));
  return result;
}

/// How many blocks each own row has: own columns and others, and of each those from the diagonal on.
struct RowSizes {
  std::vector<PetscInt> own, others, own_upper, others_upper;
};

inline RowSizes row_sizes(const Problem& problem, const Share& own) {
  const auto rows = static_cast<std::size_t>(own.count());
  const auto row = [&](Index node) { return static_cast<std::size_t>(node - own.begin); };
  const std::span<const Tetrahedron> all = problem.mesh.listed;
  std::vector<std::size_t> first(rows + 1);  // of a node's tetrahedra in `around`
  for (const Tetrahedron& nodes : all) {
    for (const Index node : nodes) {
      if (own.has(node)) ++first[row(node) + 1];
    }
  }
  for (std::size_t r = 0; r < rows; ++r) first[r + 1] += first[r];
  std::vector<std::size_t> around(first.back()), next(first.begin(), first.end() - 1);
  for (std::size_t one = 0; one < all.size(); ++one) {
    for (const Index node : all[one]) {
      if (own.has(node)) around[next[row(node)]++] = one;
    }
  }
  RowSizes result;
  for (auto* sizes : {&result.own, &result.others, &result.own_upper, &result.others_upper}) sizes->assign(rows, 0);
  std::vector<Index> seen(static_cast<std::size_t>(problem.mesh.nodes()), -1);  // by which row last
  for (std::size_t r = 0; r < rows; ++r) {
    const Index node = own.begin + static_cast<Index>(r);
    for (std::size_t at = first[r]; at < first[r + 1]; ++at) {
      for (const Index column : all[around[at]]) {
        Index& by = seen[static_cast<std::size_t>(column)];
        if (by == node) continue;
        by = node;
        ++(own.has(column) ? result.own : result.others)[r];
        if (column >= node) ++(own.has(column) ? result.own_upper : result.others_upper)[r];
      }
    }
  }
  return result;
}

/// Of rows and columns of held displacements the diagonal is left.
inline Mat listed_matrix(const Problem& problem, MatType type) {
  const Share own(problem);
  const RowSizes sizes = row_sizes(problem, own);
  Mat matrix = nullptr;
  check_petsc(MatCreate(MPI_COMM_WORLD, &matrix));
  check_petsc(
      MatSetSizes(matrix, components * own.count(), components * own.count(), PETSC_DETERMINE, PETSC_DETERMINE));
  check_petsc(MatSetBlockSize(matrix, components));
  check_petsc(MatSetType(matrix, type));
  check_petsc(MatXAIJSetPreallocation(matrix, components, sizes.own.data(), sizes.others.data(), sizes.own_upper.data(),
                                      sizes.others_upper.data()));
  check_petsc(MatSetOption(matrix, MAT_NO_OFF_PROC_ENTRIES, PETSC_TRUE));
  if (std::string_view(type) == MATSBAIJ) check_petsc(MatSetOption(matrix, MAT_IGNORE_LOWER_TRIANGULAR, PETSC_TRUE));
  const double* young = problem.young;
  for (const Tetrahedron& nodes : problem.mesh.listed) {
    const double modulus = *young++;
    if (std::ranges::none_of(nodes, [&](Index node) { return own.has(node); })) continue;
    constexpr PetscInt count = 4;
    std::array<PetscInt, count> rows{}, columns{};
    std::array<bool, components * count> held{};
    Corners x{};
    for (std::size_t a = 0; a < count; ++a) {
      columns[a] = static_cast<PetscInt>(nodes[a]);
      rows[a] = own.has(nodes[a]) ? columns[a] : -1;
      std::copy_n(problem.coordinates + components * nodes[a], components, x[a].begin());
      for (std::size_t c = 0; c < components; ++c)
        held[components * a + c] = problem.held[components * nodes[a] + static_cast<Index>(c)] != 0;
    }
    TetrahedronStiffness stiffness = tetrahedron_stiffness(x, {0, 1, 2, 3}, modulus, problem.poisson);
    if (std::ranges::find(held, true) != held.end()) hold(held, stiffness);
    check_petsc(MatSetValuesBlocked(matrix, count, rows.data(), count, columns.data(), stiffness.data(), ADD_VALUES));
  }
  check_petsc(MatAssemblyBegin(matrix, MAT_FINAL_ASSEMBLY));
  check_petsc(MatAssemblyEnd(matrix, MAT_FINAL_ASSEMBLY));
  check_petsc(MatSetOption(matrix, MAT_SYMMETRIC, PETSC_TRUE));
  return matrix;
}

/// Six motions that strain nothing.
inline MatNullSpace listed_modes(const Problem& problem) {
  Vec coordinates = listed_vector(problem, problem.coordinates);
  MatNullSpace modes = nullptr;
  check_petsc(MatNullSpaceCreateRigidBody(coordinates, &modes));
  check_petsc(VecDestroy(&coordinates));
  return modes;
}

}  // namespace elasticity_solution
