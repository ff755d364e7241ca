/// The matrix of a mesh that ranks share.
#pragma once

#include <array>
#include <cstdint>
#include <utility>

#include "communicator.hpp"
#include "halo.hpp"
#include "mesh_operator.hpp"
#include "sharing.hpp"

namespace rooftop::elasticity {

/// Of the first nodes, how many have no copy among their neighbours: their rows need no other rank.
template <class Value>
std::int64_t inner_rows(const MeshMatrix<Value>& matrix) {
  const Pattern& pattern = matrix.pattern;
  for (std::int64_t row = 0; row < pattern.rows(); ++row) {
    for (std::int64_t b = pattern.start.data()[row]; b < pattern.start.data()[row + 1]; ++b) {
      if (pattern.column.data()[b] >= pattern.rows()) return row;
    }
  }
  return pattern.rows();
}

/// Products with rows of this rank's own nodes. Copies are fetched first; or, to overlap, while rows are multiplied
/// that do not need them.
template <class Value>
class SharedMeshOperator : public Operator<double> {
 public:
  SharedMeshOperator(MeshMatrix<Value> own_rows, std::vector<Neighbour> neighbours, const Sharing& how)
      : ranks_(how.ranks),
        first_(how.overlap ? inner_rows(own_rows) : 0),
        local_(std::move(own_rows), how.threads),
        halo_(std::move(neighbours), how.ranks) {}

  double multiply(const Field<double>& x, Field<double>& y, double scale, bool add) const override {
    const std::int64_t own = local_.rows();
    halo_.start(x);
    local_.collect(x, {0, own});
    double sum = local_.multiply_rows(x, y, scale, add, {0, first_});
    halo_.finish(x);
    local_.collect(x, {own, grid().nodes()});
    sum += local_.multiply_rows(x, y, scale, add, {first_, own});
    return add ? 0 : ranks_.sum(sum);
  }
  [[nodiscard]] std::array<double, diagonal_values> diagonal(std::int64_t node) const override {
    return local_.diagonal(node);
  }
  [[nodiscard]] const Grid& grid() const override { return local_.grid(); }
  [[nodiscard]] double bytes() const override { return local_.bytes(); }
  [[nodiscard]] double sum_of_all(double own) const override { return ranks_.sum(own); }
  [[nodiscard]] int largest_of_all(int own) const override { return ranks_.largest(own); }

 private:
  const Communicator& ranks_;
  std::int64_t first_;  // rows that are multiplied while messages are under way
  MeshOperator<Value> local_;
  mutable Halo<double> halo_;
};

}  // namespace rooftop::elasticity
