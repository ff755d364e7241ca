/// What a caller gives, checked, and in the form that matrices are made of.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "geometry.hpp"
#include "rooftop/elasticity.hpp"

namespace rooftop::elasticity {

/// One of them is there.
struct Boxes {
  std::optional<AlignedBox> aligned;
  std::optional<FreeBox> free;

  [[nodiscard]] const Grid& grid() const { return aligned ? aligned->grid : free->grid; }
};

/// Throws InvalidInput for a box of less than 2 nodes in a direction, or of too many.
Grid checked_grid(const std::array<std::int64_t, 3>& nodes);

/// Throws InvalidInput. Inverted elements of a FreeBox are found when its matrix is made.
Boxes check(const Body& body, const Options& options, std::span<const double> displacement, int threads);

}  // namespace rooftop::elasticity
