#include "rigid_motions.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "rooftop/elasticity.hpp"

namespace rooftop::elasticity {

RigidMotions::RigidMotions(const Point& one, const Point& other) {
  for (std::size_t d = 0; d < components; ++d) {
    middle_[d] = (one[d] + other[d]) / 2;
    size_ = std::max(size_, std::abs(other[d] - one[d]));
  }
  if (!(size_ > 0)) size_ = 1;
}

std::array<std::array<double, RigidMotions::count>, components> RigidMotions::at(const Point& point) const {
  const double x = (point[0] - middle_[0]) / size_, y = (point[1] - middle_[1]) / size_,
               z = (point[2] - middle_[2]) / size_;
  return {{{1, 0, 0, 0, z, -y}, {0, 1, 0, -z, 0, x}, {0, 0, 1, y, -x, 0}}};
}

void RigidMotions::hold(const Point& point, std::size_t component) {
  const auto all = at(point)[component];
  for (std::size_t a = 0; a < count; ++a) {
    for (std::size_t b = 0; b < count; ++b) sums_[a][b] += all[a] * all[b];
  }
}

/// Elimination with the largest pivot each time, of what each motion still moves by what it moved first; what is left
/// at rounding is a motion that nothing holds. A sliver turns about its own axis by so little more than nothing that
/// the first point has to be one that is held.
std::size_t RigidMotions::left() const {
  auto sums = sums_;
  std::array<double, count> before{};
  for (std::size_t a = 0; a < count; ++a) before[a] = sums[a][a];
  const auto share = [&](std::size_t a) { return before[a] > 0 ? sums[a][a] / before[a] : 0; };
  // Of so many summands.
  const double rounding = 1e-14 * std::max(1.0, std::sqrt(before[0] + before[1] + before[2]) / 30);
  for (std::size_t step = 0; step < count; ++step) {
    std::size_t pivot = step;
    for (std::size_t a = step; a < count; ++a) {
      if (share(a) > share(pivot)) pivot = a;
    }
    std::swap(sums[step], sums[pivot]);
    std::swap(before[step], before[pivot]);
    for (auto& row : sums) std::swap(row[step], row[pivot]);
    if (!(share(step) > rounding)) return count - step;
    for (std::size_t a = step + 1; a < count; ++a) {
      const double factor = sums[a][step] / sums[step][step];
      for (std::size_t b = step; b < count; ++b) sums[a][b] -= factor * sums[step][b];
    }
  }
  return 0;
}

void RigidMotions::require_held(const std::string& what) const {
  if (const std::size_t free = left(); free > 0) {
    throw InvalidInput(what + " is free to move in " + std::to_string(free) + (free == 1 ? " way" : " ways") +
                       "; expected displacements held against all six rigid motions");
  }
}

}  // namespace rooftop::elasticity
