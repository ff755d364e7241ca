/// Displacements that others determine, taken out of the equations: u = T v + g, where v has the others, and
/// T^T K T v = T^T (f - K g).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "block_matrix.hpp"
#include "geometry.hpp"
#include "grid.hpp"
#include "mesh_operator.hpp"
#include "operators.hpp"
#include "rigid_motions.hpp"
#include "rooftop/elasticity.hpp"

namespace rooftop::elasticity {

/// Throws InvalidInput where numbers do not fit, and for what is held or depends on what depends on others.
void require_dependences(const Dependences& given, std::span<const std::uint8_t> held, std::int64_t nodes);

class Elimination {
 public:
  /// Of a mesh whose dependences are sound.
  Elimination(const Mesh& mesh, int threads);

  /// Other than 0 where a displacement is held or depends on others.
  [[nodiscard]] std::span<const std::uint8_t> held() const { return held_; }
  /// u = T v
  void expand(const Field<double>& v, Field<double>& u) const;
  /// f becomes T^T f, which is zero where a displacement depends on others.
  void collect(Field<double>& f) const;
  /// T^T K T, with something on the diagonal where a displacement is not free.
  [[nodiscard]] MeshMatrix<double> reduced(const MeshMatrix<double>& matrix, const Free& free) const;
  /// T^T (f - K g), of three values for each node.
  [[nodiscard]] std::vector<double> reduced_load(const Operator<double>& matrix) const;
  /// What moves with the elements in a rigid motion of all, of displacements of nodes that no element has.
  [[nodiscard]] std::vector<MotionsOfOther> motions_of_others(const RigidMotions& motions) const;
  /// The displacement of all nodes, of which those that others determine are not known yet.
  void complete(std::span<double> displacement) const;

 private:
  /// T in blocks: of most nodes, one that is the identity.
  [[nodiscard]] MeshMatrix<double> transformation() const;

  const Mesh& mesh_;
  std::int64_t nodes_;
  int threads_;
  std::vector<std::uint8_t> held_;
};

/// T^T K T by its factors, so that motions without strain have no forces but for rounding of the elements' own.
class ReducedOperator : public Operator<double> {
 public:
  /// `reduced`: of which the diagonal is kept.
  ReducedOperator(std::unique_ptr<Operator<double>> whole, std::shared_ptr<const Elimination> elimination,
                  const MeshMatrix<double>& reduced, int threads);

  double multiply(const Field<double>& x, Field<double>& y, double scale, bool add) const override;
  [[nodiscard]] std::array<double, diagonal_values> diagonal(std::int64_t node) const override {
    return diagonal_[static_cast<std::size_t>(node)];
  }
  [[nodiscard]] const Grid& grid() const override { return whole_->grid(); }
  [[nodiscard]] double bytes() const override;

 private:
  std::unique_ptr<Operator<double>> whole_;
  std::shared_ptr<const Elimination> elimination_;
  std::vector<std::array<double, diagonal_values>> diagonal_;
  int threads_;
  mutable Field<double> moved_, forces_;
};

}  // namespace rooftop::elasticity
