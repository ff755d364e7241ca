#include "geometry.hpp"

#include <cstddef>

namespace rooftop::elasticity {
namespace {

Grid coarser_grid(const Grid& fine) { return {coarse_nodes(fine.nx), coarse_nodes(fine.ny), coarse_nodes(fine.nz)}; }

/// Of each node of a line.
std::vector<double> nearness_of(const std::vector<double>& at) {
  std::vector<double> result(at.size(), 0.5);
  for (std::size_t i = 1; i + 1 < at.size(); i += 2) {
    const double length = at[i + 1] - at[i - 1], before = at[i] - at[i - 1];
    if (before > 0 && before < length) result[i] = before / length;
  }
  return result;
}

}  // namespace

Material material(double young, double poisson) {
  return {young * poisson / ((1 + poisson) * (1 - 2 * poisson)), young / (2 * (1 + poisson))};
}

AlignedBox AlignedBox::coarser() const {
  AlignedBox result{coarser_grid(grid), {}, material};
  for (std::size_t d = 0; d < 3; ++d) {
    const auto nodes = static_cast<std::int64_t>(at[d].size());
    for (std::int64_t i = 0; i < coarse_nodes(nodes); ++i) {
      result.at[d].push_back(at[d][static_cast<std::size_t>(fine_node(i, nodes))]);
    }
  }
  return result;
}

/// An element's material is the mean of those that it is made of, each counted by the number of them: an element's
/// stiffness is a sum over its parts.
FreeBox FreeBox::coarser(int threads) const {
  FreeBox result{coarser_grid(grid), {}, {}, {}};
  const Grid& to = result.grid;
  result.coordinates.resize(static_cast<std::size_t>(components * to.nodes()));
  result.lame.resize(static_cast<std::size_t>(to.elements()));
  result.shear.resize(static_cast<std::size_t>(to.elements()));
#pragma omp parallel for num_threads(threads) schedule(static)
  for (std::int64_t k = 0; k < to.nz; ++k) {
    const std::int64_t k0 = fine_node(k, grid.nz), k1 = fine_node(k + 1, grid.nz);
    for (std::int64_t j = 0; j < to.ny; ++j) {
      const std::int64_t j0 = fine_node(j, grid.ny), j1 = fine_node(j + 1, grid.ny);
      for (std::int64_t i = 0; i < to.nx; ++i) {
        const std::int64_t i0 = fine_node(i, grid.nx), i1 = fine_node(i + 1, grid.nx);
        std::copy_n(coordinates.data() + components * grid.node(i0, j0, k0), components,
                    result.coordinates.data() + components * to.node(i, j, k));
        if (i + 1 == to.nx || j + 1 == to.ny || k + 1 == to.nz) continue;
        double lames = 0, shears = 0;
        for (std::int64_t c = k0; c < k1; ++c) {
          for (std::int64_t b = j0; b < j1; ++b) {
            for (std::int64_t a = i0; a < i1; ++a) {
              const std::int64_t element = (c * (grid.ny - 1) + b) * (grid.nx - 1) + a;
              lames += lame.data()[element];
              shears += shear.data()[element];
            }
          }
        }
        const auto count = static_cast<double>((k1 - k0) * (j1 - j0) * (i1 - i0));
        const std::int64_t element = (k * (to.ny - 1) + j) * (to.nx - 1) + i;
        result.lame.data()[element] = lames / count;
        result.shear.data()[element] = shears / count;
      }
    }
  }
  return result;
}

Nearness nearness(const AlignedBox& box) {
  return {nearness_of(box.at[0]), nearness_of(box.at[1]), nearness_of(box.at[2])};
}

/// By the coordinates along the box's first edges, which stand for all lines of a direction.
Nearness nearness(const FreeBox& box) {
  const Grid& grid = box.grid;
  Nearness result;
  for (std::size_t d = 0; d < 3; ++d) {
    const std::int64_t count = d == 0 ? grid.nx : d == 1 ? grid.ny : grid.nz;
    const std::int64_t step = d == 0 ? 1 : d == 1 ? grid.nx : grid.plane();
    std::vector<double> at;
    for (std::int64_t i = 0; i < count; ++i)
      at.push_back(box.coordinates[static_cast<std::size_t>(components * i * step) + d]);
    result[d] = nearness_of(at);
  }
  return result;
}

}  // namespace rooftop::elasticity
