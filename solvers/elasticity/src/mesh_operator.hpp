/// The matrix of a mesh, in rows of blocks.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "aggregation.hpp"
#include "block_matrix.hpp"
#include "operators.hpp"
#include "rooftop/elasticity.hpp"

namespace rooftop::elasticity {

template <class Value>
using MeshMatrix = BlockMatrix<Value, components, components>;

/// Throws InvalidInput where an element is inverted. `go_on` is asked now and then, from any thread; where it says no,
/// the matrix stays unfinished.
MeshMatrix<double> assemble(const Mesh& mesh, int threads, const std::function<bool()>& go_on);
MeshMatrix<float> in_single_precision(const MeshMatrix<double>& matrix, int threads);
/// In single precision, with nothing beside the diagonal where a displacement is held.
MeshMatrix<float> held_matrix(const MeshMatrix<double>& matrix, const Free& free, int threads);
/// Zero where a displacement is held.
Motions<components> rigid_motions_of(const Mesh& mesh, const Free& free);

template <class Value>
class MeshOperator : public Operator<double> {
 public:
  MeshOperator(MeshMatrix<Value> matrix, int threads)
      : matrix_(std::move(matrix)),
        threads_(threads),
        grid_{1, 1, matrix_.pattern.rows()},
        together_(static_cast<std::size_t>(components * grid_.nodes())) {}

  double multiply(const Field<double>& x, Field<double>& y, double scale, bool add) const override;
  [[nodiscard]] std::array<double, diagonal_values> diagonal(std::int64_t node) const override;
  [[nodiscard]] const Grid& grid() const override { return grid_; }
  [[nodiscard]] double bytes() const override {
    return matrix_.bytes() + static_cast<double>(together_.size() * sizeof(double));
  }

 private:
  MeshMatrix<Value> matrix_;
  int threads_;
  Grid grid_;
  mutable std::vector<double> together_;  // x, with a node's components side by side
};

}  // namespace rooftop::elasticity
