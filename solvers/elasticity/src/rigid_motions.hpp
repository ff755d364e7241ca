/// The six motions of a body that strain nothing, and whether something holds it against all of them.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>

#include "grid.hpp"

namespace rooftop::elasticity {

class RigidMotions {
 public:
  static constexpr std::size_t count = 6;
  using Point = std::array<double, components>;

  /// Points count from the middle between two of the body, in units of their distance, so that all motions are alike.
  RigidMotions(const Point& one, const Point& other);

  /// Displacements at a point: by components, then by motions.
  [[nodiscard]] std::array<std::array<double, count>, components> at(const Point& point) const;
  /// Takes note that a component is held at a point.
  void hold(const Point& point, std::size_t component);
  /// What has been taken note of: sums, to be added to those of other parts of the body.
  [[nodiscard]] std::span<double> sums() { return {sums_.front().data(), count * count}; }
  /// In how many ways the body is free to move.
  [[nodiscard]] std::size_t left() const;
  /// Throws InvalidInput where it is free to move.
  void require_held(const std::string& what) const;

 private:
  Point middle_{};
  double size_ = 0;
  std::array<std::array<double, count>, count> sums_{};
};

}  // namespace rooftop::elasticity
