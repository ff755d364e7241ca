#include "thin_box.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "clusters.hpp"

namespace rooftop::elasticity {
namespace {

// Of the longest side of a box by its shortest. Geometric multigrid takes 15 iterations at 13 and 29 at 26 (40 x 40 x 4
// nodes); a cube takes 6.
constexpr double thin = 15;

using Indices = std::array<std::int64_t, 3>;

/// each(node, where it is) in the order of numbers.
template <class Each>
void for_nodes(const Boxes& box, Each each) {
  const Grid& grid = box.grid();
  for (std::int64_t k = 0, node = 0; k < grid.nz; ++k) {
    for (std::int64_t j = 0; j < grid.ny; ++j) {
      for (std::int64_t i = 0; i < grid.nx; ++i, ++node) {
        if (box.aligned) {
          each(node, Indices{i, j, k},
               Point{box.aligned->at[0].data()[i], box.aligned->at[1].data()[j], box.aligned->at[2].data()[k]});
        } else {
          const double* x = box.free->coordinates.data() + components * node;
          each(node, Indices{i, j, k}, Point{x[0], x[1], x[2]});
        }
      }
    }
  }
}

void append_material(double lame, double shear, BoxAsMesh& to) {
  to.young.push_back(shear * (3 * lame + 2 * shear) / (lame + shear));
  to.poisson.push_back(lame / (2 * (lame + shear)));
}

}  // namespace

Edges edges_of(const Boxes& box) {
  const Grid& grid = box.grid();
  const Indices counts{grid.nx, grid.ny, grid.nz}, steps{1, grid.nx, grid.plane()};
  Edges result{};
  if (box.aligned) {
    for (std::size_t d = 0; d < 3; ++d) {
      result[d] = box.aligned->at[d].back() - box.aligned->at[d].front();
      result[3 + d] = static_cast<double>(counts[d] - 1);
    }
    return result;
  }
  const double* at = box.free->coordinates.data();
  for_nodes(box, [&](std::int64_t node, const Indices& index, const Point& one) {
    for (std::size_t d = 0; d < 3; ++d) {
      if (index[d] + 1 == counts[d]) continue;
      const double* next = at + components * (node + steps[d]);
      result[d] += std::hypot(next[0] - one[0], next[1] - one[1], next[2] - one[2]);
      ++result[3 + d];
    }
  });
  return result;
}

bool is_thin(const Grid& whole, const Edges& edges) {
  const Indices counts{whole.nx, whole.ny, whole.nz};
  std::array<double, 3> sides;
  for (std::size_t d = 0; d < 3; ++d) {
    sides[d] = edges[3 + d] > 0 ? edges[d] / edges[3 + d] * static_cast<double>(counts[d] - 1) : 0;
  }
  return *std::ranges::max_element(sides) > thin * *std::ranges::min_element(sides);
}

BoxAsMesh as_mesh(const Boxes& box) {
  const Grid& grid = box.grid();
  BoxAsMesh result;
  result.coordinates.reserve(static_cast<std::size_t>(components * grid.nodes()));
  result.hexahedra.reserve(static_cast<std::size_t>(8 * grid.elements()));
  for_nodes(box, [&](std::int64_t node, const Indices& index, const Point& place) {
    result.coordinates.insert(result.coordinates.end(), place.begin(), place.end());
    if (index[0] + 1 == grid.nx || index[1] + 1 == grid.ny || index[2] + 1 == grid.nz) return;
    const std::int64_t y = grid.nx, z = grid.plane();
    for (const std::int64_t away : {std::int64_t{0}, std::int64_t{1}, y + 1, y, z, z + 1, z + y + 1, z + y}) {
      result.hexahedra.push_back(node + away);
    }
  });
  if (box.aligned) {
    append_material(box.aligned->material.lame, box.aligned->material.shear, result);
  } else {
    for (std::size_t e = 0; e < box.free->lame.size(); ++e)
      append_material(box.free->lame[e], box.free->shear[e], result);
  }
  return result;
}

}  // namespace rooftop::elasticity
