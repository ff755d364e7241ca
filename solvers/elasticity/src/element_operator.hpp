/// A box of distorted elements, whose matrix is never made.
#pragma once

#include "element_product.hpp"
#include "operators.hpp"

namespace rooftop::elasticity {

/// Keeps where nodes lie, and the material of each element unless it is the same everywhere. Elements must not be
/// inverted.
class ElementOperator : public Operator<double> {
 public:
  ElementOperator(const FreeBox& box, int threads);

  double multiply(const Field<double>& x, Field<double>& y, double scale, bool add) const override;
  /// Integrates the elements of this node, each time.
  [[nodiscard]] std::array<double, diagonal_values> diagonal(std::int64_t node) const override;
  [[nodiscard]] const Grid& grid() const override { return grid_; }
  [[nodiscard]] double bytes() const override;

 private:
  [[nodiscard]] double lame(std::int64_t node) const { return lame_.data()[step_ * node]; }
  [[nodiscard]] double shear(std::int64_t node) const { return shear_.data()[step_ * node]; }

  Grid grid_;
  int threads_;
  std::int64_t step_;  // of materials: 0 if they are the same
  Field<double> at_;
  Array<double> lame_, shear_;                  // of the element that begins at a node
  mutable std::vector<Array<double>> scratch_;  // of each thread
};

}  // namespace rooftop::elasticity
