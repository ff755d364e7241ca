#include "grading.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace rooftop::elasticity {
namespace {

constexpr std::array<std::pair<std::size_t, std::size_t>, 3> pairs{{{0, 1}, {0, 2}, {1, 2}}};

// 20 x 20 x 20 nodes, layers in two directions: 3 steps take 18 iterations at a ratio of 10, and 31 at 100; 6 steps
// take 16 there and 24 at 10 000; 9 steps take 17.
constexpr int usual_steps = 3, more_steps = 6, most_steps = 9;
constexpr double graded = 8, strongly_graded = 2000;

/// The mean length of an element's four edges of each direction.
std::array<double, 3> edges_of(const FreeBox& box, std::int64_t node) {
  const std::array<std::int64_t, 3> steps{1, box.grid.nx, box.grid.plane()};
  std::array<double, 3> result{};
  for (std::size_t d = 0; d < 3; ++d) {
    const std::int64_t one = steps[(d + 1) % 3], other = steps[(d + 2) % 3];
    for (const std::int64_t from : {node, node + one, node + other, node + one + other}) {
      const double *a = box.coordinates.data() + components * from,
                   *b = box.coordinates.data() + components * (from + steps[d]);
      result[d] += std::hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]) / 4;
    }
  }
  return result;
}

Grading grading_of(const AlignedBox& box) {
  std::array<double, 3> longest{}, shortest{};
  for (std::size_t d = 0; d < 3; ++d) {
    shortest[d] = HUGE_VAL;
    for (std::size_t i = 1; i < box.at[d].size(); ++i) {
      longest[d] = std::max(longest[d], box.at[d][i] - box.at[d][i - 1]);
      shortest[d] = std::min(shortest[d], box.at[d][i] - box.at[d][i - 1]);
    }
  }
  Grading result{};
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    const auto [a, b] = pairs[p];
    result[2 * p] = longest[a] / shortest[b];
    result[2 * p + 1] = longest[b] / shortest[a];
  }
  return result;
}

}  // namespace

Grading grading_of(const AnyBox& box) {
  if (box.aligned != nullptr) return grading_of(*box.aligned);
  Grading result{};
  const Grid& grid = box.free->grid;
  for (std::int64_t k = 0; k + 1 < grid.nz; ++k) {
    for (std::int64_t j = 0; j + 1 < grid.ny; ++j) {
      for (std::int64_t i = 0; i + 1 < grid.nx; ++i) {
        const std::array<double, 3> edges = edges_of(*box.free, grid.node(i, j, k));
        for (std::size_t p = 0; p < pairs.size(); ++p) {
          const auto [a, b] = pairs[p];
          result[2 * p] = std::max(result[2 * p], edges[a] / edges[b]);
          result[2 * p + 1] = std::max(result[2 * p + 1], edges[b] / edges[a]);
        }
      }
    }
  }
  return result;
}

int smoothing_steps_of(const Grading& grading) {
  double both = 0;  // ways round
  for (std::size_t p = 0; p < pairs.size(); ++p) both = std::max(both, std::min(grading[2 * p], grading[2 * p + 1]));
  return both > strongly_graded ? most_steps : both > graded ? more_steps : usual_steps;
}

}  // namespace rooftop::elasticity
