/// The matrix of one element of any kind.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "block_matrix.hpp"
#include "geometry.hpp"
#include "reference_element.hpp"

namespace rooftop::elasticity {

/// Computes matrices of elements of one kind, one after the other.
class ElementMatrix {
 public:
  /// Throws InvalidInput for what is no kind.
  explicit ElementMatrix(ElementKind kind);

  /// Where the element's nodes are: to be set before compute().
  std::array<std::array<double, components>, most_nodes> at{};

  /// Returns the least determinant of the element's map at its points of integration; there is no matrix where it is
  /// not above 0.
  double compute(const Material& of);
  /// The same for a stiffness that depends on directions: 21 values as those of Mesh, or so many for each point.
  double compute(std::span<const double> stiffness);
  /// Of two nodes.
  [[nodiscard]] Block<double, components, components> block(std::size_t row, std::size_t column) const;

 private:
  [[nodiscard]] double* row(std::size_t which) { return values_.data() + which * size_; }
  /// At the points of integration, each(point, weight), with the derivatives in slope_.
  template <class Each>
  double for_points(Each each);
  void add_products(const std::vector<double>& slope, double weight);
  void multiply_by(const Material& of);
  void add_stiffness(std::span<const double> stiffness, double weight);
  void leave_out_modes();

  const ReferenceElement& reference_;
  std::size_t nodes_, size_;  // unknowns: of nodes, then of incompatible modes
  std::vector<double> values_, slope_;
};

}  // namespace rooftop::elasticity
