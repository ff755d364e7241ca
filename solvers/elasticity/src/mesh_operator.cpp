#include "mesh_operator.hpp"

#include <cstddef>

#include "block_rows.hpp"

namespace rooftop::elasticity {

namespace {

template <class Real>
MeshMatrix<Real> in_precision(const MeshMatrix<double>& matrix, int threads) {
  MeshMatrix<Real> result{matrix.pattern, Blocks<Real, components, components>(matrix.block.size())};
#pragma omp parallel for num_threads(threads) schedule(static)
  for (std::int64_t b = 0; b < matrix.pattern.blocks(); ++b) {
    for (std::size_t v = 0; v < components * components; ++v) {
      result.block.data()[b].value[v] = static_cast<Real>(matrix.block.data()[b].value[v]);
    }
  }
  return result;
}

}  // namespace

MeshMatrix<float> in_single_precision(const MeshMatrix<double>& matrix, int threads) {
  return in_precision<float>(matrix, threads);
}

template <class Real>
MeshMatrix<Real> held_matrix(const MeshMatrix<double>& matrix, const Free& free, int threads) {
  MeshMatrix<Real> result = in_precision<Real>(matrix, threads);
#pragma omp parallel for num_threads(threads) schedule(static)
  for (std::int64_t row = 0; row < result.pattern.rows(); ++row) {
    for (std::int64_t b = result.pattern.start.data()[row]; b < result.pattern.start.data()[row + 1]; ++b) {
      const std::int64_t column = result.pattern.column.data()[b];
      for (int r = 0; r < components; ++r) {
        for (int c = 0; c < components; ++c) {
          const bool both = free[r][row] > 0 && free[c][column] > 0;
          if (!both && !(row == column && r == c)) {
            result.block.data()[b](static_cast<std::size_t>(r), static_cast<std::size_t>(c)) = 0;
          }
        }
      }
    }
  }
  return result;
}

template MeshMatrix<float> held_matrix(const MeshMatrix<double>& matrix, const Free& free, int threads);
template MeshMatrix<double> held_matrix(const MeshMatrix<double>& matrix, const Free& free, int threads);

template <class Real>
Motions<Real, components> motions_of(std::span<const double> coordinates, const RigidMotions& motions,
                                     const Free& free) {
  Motions<Real, components> result(coordinates.size() / components);
  for (std::size_t node = 0; node < result.size(); ++node) {
    const auto all = motions.at({coordinates[3 * node], coordinates[3 * node + 1], coordinates[3 * node + 2]});
    for (std::size_t c = 0; c < components; ++c) {
      const bool is_free = free[static_cast<int>(c)][static_cast<std::int64_t>(node)] > 0;
      for (std::size_t m = 0; is_free && m < RigidMotions::count; ++m) {
        result[node](c, m) = static_cast<Real>(all[c][m]);
      }
    }
  }
  return result;
}

template Motions<float, components> motions_of(std::span<const double>, const RigidMotions&, const Free&);
template Motions<double, components> motions_of(std::span<const double>, const RigidMotions&, const Free&);

std::vector<Point> points_of(std::span<const double> coordinates) {
  std::vector<Point> result;
  for (std::size_t i = 0; i < coordinates.size(); i += components) {
    result.push_back({coordinates[i], coordinates[i + 1], coordinates[i + 2]});
  }
  return result;
}

template <class Value>
void MeshOperator<Value>::collect(const Field<double>& x, const Share& nodes) const {
#pragma omp parallel for num_threads(threads_) schedule(static)
  for (std::int64_t n = nodes.begin; n < nodes.end; ++n) {
    for (int c = 0; c < components; ++c) together_.data()[components * n + c] = x[c][n];
  }
}

template <class Value>
double MeshOperator<Value>::multiply_rows(const Field<double>& x, Field<double>& y, double scale, bool add,
                                          const Share& rows) const {
  double dot = 0;
#pragma omp parallel for num_threads(threads_) schedule(static) reduction(+ : dot)
  for (std::int64_t row = rows.begin; row < rows.end; ++row) {
    // A motion of all nodes has no forces: differences to the row's own node lose fewer digits than displacements do,
    // as many as there are nodes across the body, and the diagonal counts for nothing.
    const double* own = together_.data() + std::int64_t{components} * row;
    std::array<double, components> sum;
    multiply_row(row_of(matrix_, row), together_.data(), own, sum.data());
    dot += x[0][row] * sum[0] + x[1][row] * sum[1] + x[2][row] * sum[2];
    y[0][row] = (add ? y[0][row] : 0) + scale * sum[0];
    y[1][row] = (add ? y[1][row] : 0) + scale * sum[1];
    y[2][row] = (add ? y[2][row] : 0) + scale * sum[2];
  }
  return dot;
}

template <class Value>
std::array<double, diagonal_values> MeshOperator<Value>::diagonal(std::int64_t node) const {
  const Pattern& pattern = matrix_.pattern;
  if (node >= rows()) return {};
  for (std::int64_t b = pattern.start.data()[node]; b < pattern.start.data()[node + 1]; ++b) {
    const auto& a = matrix_.block.data()[b];
    if (pattern.column.data()[b] == node) return {a(0, 0), a(0, 1), a(0, 2), a(1, 1), a(1, 2), a(2, 2)};
  }
  return {};
}

template class MeshOperator<double>;
template class MeshOperator<float>;

}  // namespace rooftop::elasticity
