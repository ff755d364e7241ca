/// The matrix of a mesh, in rows of blocks. Where processes share it, one has rows of its own nodes, which come first;
/// the columns behind them are nodes of other processes.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "aggregation.hpp"
#include "block_matrix.hpp"
#include "operators.hpp"
#include "rigid_motions.hpp"
#include "rooftop/elasticity.hpp"

namespace rooftop::elasticity {

template <class Value>
using MeshMatrix = BlockMatrix<Value, components, components>;

/// The rows of a mesh's first nodes. `go_on` is asked now and then, from any thread; where it says no, the matrix stays
/// unfinished.
struct AssembledMesh {
  MeshMatrix<double> matrix;
  std::int64_t inverted;  ///< the first element that is, or Assembled::none
};
AssembledMesh assembled(const Mesh& mesh, std::int64_t rows, int threads, const std::function<bool()>& go_on);
/// All rows. Throws InvalidInput where an element is inverted.
MeshMatrix<double> assemble(const Mesh& mesh, int threads, const std::function<bool()>& go_on);
MeshMatrix<float> in_single_precision(const MeshMatrix<double>& matrix, int threads);
/// With nothing beside the diagonal where a displacement is held. Real: float or double.
template <class Real>
MeshMatrix<Real> held_matrix(const MeshMatrix<double>& matrix, const Free& free, int threads);
/// Of nodes at these coordinates. Zero where a displacement is held.
template <class Real>
Motions<Real, components> motions_of(std::span<const double> coordinates, const RigidMotions& motions,
                                     const Free& free);
[[nodiscard]] std::vector<Point> points_of(std::span<const double> coordinates);

template <class Value>
class MeshOperator : public Operator<double> {
 public:
  MeshOperator(MeshMatrix<Value> matrix, int threads)
      : matrix_(std::move(matrix)),
        threads_(threads),
        grid_{1, 1, matrix_.pattern.columns},
        together_(static_cast<std::size_t>(components * grid_.nodes())) {}

  double multiply(const Field<double>& x, Field<double>& y, double scale, bool add) const override {
    collect(x, {0, grid_.nodes()});
    return multiply_rows(x, y, scale, add, {0, rows()});
  }
  /// The same in steps: x of some nodes is taken note of, which products of rows after that are with.
  void collect(const Field<double>& x, const Share& nodes) const;
  double multiply_rows(const Field<double>& x, Field<double>& y, double scale, bool add, const Share& rows) const;
  [[nodiscard]] std::int64_t rows() const { return matrix_.pattern.rows(); }
  /// Zero of a node that has no row.
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
