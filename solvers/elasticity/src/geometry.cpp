#include "geometry.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace rooftop::elasticity {
namespace {

/// Two elements become one where that is no longer than `most` and the plane between them need not be kept.
Coarsening coarsen(const std::vector<double>& at, const std::vector<bool>& keep, double most) {
  Coarsening result;
  const std::size_t nodes = at.size();
  for (std::size_t i = 0; i < nodes;) {
    result.kept.push_back(static_cast<std::int64_t>(i));
    const auto which = static_cast<std::int64_t>(result.kept.size()) - 1;
    result.before.push_back(which);
    result.near.push_back(0);
    const bool both = i + 2 < nodes && at[i + 2] - at[i] <= most && !(i + 1 < keep.size() && keep[i + 1]);
    if (both) {
      result.before.push_back(which);
      result.near.push_back((at[i + 1] - at[i]) / (at[i + 2] - at[i]));
    }
    i += both ? 2 : 1;
  }
  return result;
}

/// Planes that have several times the interfaces of the mean one: a coarser element would reach over a jump of the
/// material. Where many planes have as many, none is better than another.
std::vector<bool> planes_to_keep(const std::vector<double>& interfaces) {
  double mean = 0;
  for (const double share : interfaces) mean += share;
  if (interfaces.size() < 3 || mean == 0) return {};
  mean /= static_cast<double>(interfaces.size() - 2);
  std::vector<bool> result(interfaces.size());
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = interfaces[i] >= 2 * mean;
  return result;
}

Coarsenings coarsen_to(const std::array<std::vector<double>, 3>& at, const Interfaces& interfaces, double most) {
  constexpr double most_more = 1.5;  // times as many nodes as without: a direction must still become coarser
  Coarsenings result;
  for (std::size_t d = 0; d < result.size(); ++d) {
    const Coarsening by_length = coarsen(at[d], {}, most), kept = coarsen(at[d], planes_to_keep(interfaces[d]), most);
    const bool many = static_cast<double>(kept.nodes()) > most_more * static_cast<double>(by_length.nodes());
    result[d] = many ? by_length : kept;
  }
  return result;
}

double nodes_of(const Coarsenings& by) {
  double result = 1;
  for (const Coarsening& one : by) result *= static_cast<double>(one.nodes());
  return result;
}

Grid coarser_grid(const Coarsenings& by) { return {by[0].nodes(), by[1].nodes(), by[2].nodes()}; }

}  // namespace

/// Short elements are joined first, in whichever direction they are: points smooth well only where elements are about
/// as long as they are wide. Where few are as short, those twice as long are taken, and so on: one that was left over
/// where an odd number of elements became coarser is no reason for a box of its own.
Coarsenings coarsen(const std::array<std::vector<double>, 3>& at, const Interfaces& interfaces) {
  constexpr double slack = 1.5;  // so that elements of nearly one length are joined at once
  // Of the nodes: more are too many for a coarser box. With 0.7, a box graded 1:10 would have long elements joined with
  // the first short ones, and take 8 iterations, not 6.
  constexpr double enough = 0.8;
  double shortest = HUGE_VAL, longest = 0, nodes = 1;
  for (const auto& line : at) {
    nodes *= static_cast<double>(line.size());
    longest = std::max(longest, line.back() - line.front());
    for (std::size_t i = 1; i < line.size(); ++i) shortest = std::min(shortest, line[i] - line[i - 1]);
  }
  for (double most = 2 * slack * shortest;; most *= 2) {
    Coarsenings result = coarsen_to(at, interfaces, most);
    if (nodes_of(result) <= enough * nodes) return result;
    if (most < longest) continue;
    return nodes_of(result) < nodes ? result : coarsen_to(at, {}, most);
  }
}

bool differ(const Material& a, const Material& b) {
  constexpr double factor = 3;
  const auto apart = [](double x, double y) { return x > factor * y || y > factor * x; };
  return apart(a.lame, b.lame) || apart(a.shear, b.shear);
}

Material material(double young, double poisson) {
  return {young * poisson / ((1 + poisson) * (1 - 2 * poisson)), young / (2 * (1 + poisson))};
}

Coarsenings AlignedBox::coarsenings() const { return coarsen(at); }

AlignedBox AlignedBox::coarser(const Coarsenings& by) const {
  AlignedBox result{coarser_grid(by), {}, material};
  for (std::size_t d = 0; d < 3; ++d) {
    for (const std::int64_t node : by[d].kept) result.at[d].push_back(at[d][static_cast<std::size_t>(node)]);
  }
  return result;
}

/// By the mean lengths of edges between two planes of nodes.
Coarsenings FreeBox::coarsenings() const {
  const std::array<std::int64_t, 3> counts{grid.nx, grid.ny, grid.nz}, steps{1, grid.nx, grid.plane()};
  std::array<std::vector<double>, 3> at;
  for (std::size_t d = 0; d < 3; ++d) at[d].assign(static_cast<std::size_t>(counts[d]), 0.0);
  for (std::int64_t n = 0; n < grid.nodes(); ++n) {
    const std::array<std::int64_t, 3> where{n % grid.nx, n / grid.nx % grid.ny, n / grid.plane()};
    for (std::size_t d = 0; d < 3; ++d) {
      if (where[d] + 1 == counts[d]) continue;
      double square = 0;
      for (std::int64_t c = 0; c < components; ++c) {
        const double along =
            coordinates.data()[components * (n + steps[d]) + c] - coordinates.data()[components * n + c];
        square += along * along;
      }
      at[d][static_cast<std::size_t>(where[d] + 1)] += std::sqrt(square);
    }
  }
  for (std::size_t d = 0; d < 3; ++d) {
    const auto lines = static_cast<double>(grid.nodes() / counts[d]);
    for (std::size_t i = 1; i < at[d].size(); ++i) at[d][i] = at[d][i - 1] + at[d][i] / lines;
  }
  return coarsen(at, interfaces());
}

Interfaces FreeBox::interfaces() const {
  const std::array<std::int64_t, 3> counts{grid.nx - 1, grid.ny - 1, grid.nz - 1},
      steps{1, counts[0], counts[0] * counts[1]};
  Interfaces result;
  for (std::size_t d = 0; d < 3; ++d) result[d].assign(static_cast<std::size_t>(counts[d] + 1), 0.0);
  const auto material_of = [&](std::int64_t e) { return Material{lame.data()[e], shear.data()[e]}; };
  for (std::int64_t e = 0; e < grid.elements(); ++e) {
    const std::array<std::int64_t, 3> where{e % counts[0], e / counts[0] % counts[1], e / steps[2]};
    for (std::size_t d = 0; d < 3; ++d) {
      if (where[d] == 0 || !differ(material_of(e), material_of(e - steps[d]))) continue;
      result[d][static_cast<std::size_t>(where[d])] +=
          static_cast<double>(counts[d]) / static_cast<double>(grid.elements());
    }
  }
  return result;
}

/// An element's material is the mean of those that it is made of, each counted by the number of them: an element's
/// stiffness is a sum over its parts.
FreeBox FreeBox::coarser(const Coarsenings& by, int threads) const {
  FreeBox result{coarser_grid(by), {}, {}, {}};
  const Grid& to = result.grid;
  result.coordinates.resize(static_cast<std::size_t>(components * to.nodes()));
  result.lame.resize(static_cast<std::size_t>(to.elements()));
  result.shear.resize(static_cast<std::size_t>(to.elements()));
#pragma omp parallel for num_threads(threads) schedule(static)
  for (std::int64_t k = 0; k < to.nz; ++k) {
    // Behind the last node there is no element.
    const auto from = [&](std::size_t d, std::int64_t node) { return by[d].kept.data()[node]; };
    const auto until = [&](std::size_t d, std::int64_t node) { return from(d, std::min(node + 1, by[d].nodes() - 1)); };
    const std::int64_t k0 = from(2, k), k1 = until(2, k);
    for (std::int64_t j = 0; j < to.ny; ++j) {
      const std::int64_t j0 = from(1, j), j1 = until(1, j);
      for (std::int64_t i = 0; i < to.nx; ++i) {
        const std::int64_t i0 = from(0, i), i1 = until(0, i);
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

}  // namespace rooftop::elasticity
