// Between a box and the coarser one that is made from it.
#include <cstddef>
#include <vector>

#include "level.hpp"

namespace rooftop::elasticity {
namespace {

/// A line of nodes with its weight.
struct Weighted {
  std::int64_t line;
  float weight;
};

/// Lines of the fine direction that a coarse one sums up, at most three; returns how many.
int summed(std::int64_t coarse, const Coarsening& by, std::array<Weighted, 3>& result) {
  const std::int64_t at = by.kept.data()[coarse];
  const auto near = [&](std::int64_t node) { return static_cast<float>(by.near.data()[node]); };
  int count = 0;
  result[static_cast<std::size_t>(count++)] = {at, 1};
  if (at > 0 && !by.keeps(at - 1)) result[static_cast<std::size_t>(count++)] = {at - 1, near(at - 1)};
  if (coarse + 1 < by.nodes() && !by.keeps(at + 1)) {
    result[static_cast<std::size_t>(count++)] = {at + 1, 1 - near(at + 1)};
  }
  return count;
}

/// Lines of the coarse direction that a fine one is between, at most two; returns how many.
int between(std::int64_t fine, const Coarsening& by, std::array<Weighted, 2>& result) {
  const std::int64_t before = by.before.data()[fine];
  const auto weight = static_cast<float>(by.near.data()[fine]);
  result[0] = {before, 1 - weight};
  if (by.keeps(fine)) return 1;
  result[1] = {before + 1, weight};
  return 2;
}

/// Clears a line and calls add(where it starts in the box, weight) for each that is summed up to it.
template <std::size_t most, class Add>
void for_lines(const std::array<Weighted, most>& planes, int planes_here, const std::array<Weighted, most>& lines,
               int lines_here, const Grid& box, std::vector<float>& line, Add add) {
  std::fill(line.begin(), line.end(), 0.0F);
  for (int p = 0; p < planes_here; ++p) {
    for (int l = 0; l < lines_here; ++l) {
      const Weighted &plane = planes[static_cast<std::size_t>(p)], &one = lines[static_cast<std::size_t>(l)];
      add(box.node(0, one.line, plane.line), plane.weight * one.weight);
    }
  }
}

template <std::size_t most>
float weighted_sum(const std::array<Weighted, most>& nodes, int nodes_here, const std::vector<float>& line) {
  float sum = 0;
  for (int n = 0; n < nodes_here; ++n) {
    const Weighted& one = nodes[static_cast<std::size_t>(n)];
    sum += one.weight * line[static_cast<std::size_t>(one.line)];
  }
  return sum;
}

}  // namespace

void restrict_residual(const Field<float>& residual, const Field<float>& free, int threads, const Coarsenings& by,
                       const Range& of, Field<float>& coarse) {
  const Grid &from = residual.grid(), &to = coarse.grid();
#pragma omp parallel num_threads(threads)
  {
    std::vector<float> line(static_cast<std::size_t>(from.nx));
    const Share own = share_of(of.count(2));
    for (std::int64_t K = of.begin[2] + own.begin; K < of.begin[2] + own.end; ++K) {
      std::array<Weighted, 3> planes, lines, nodes;
      const int planes_here = summed(K, by[2], planes);
      for (std::int64_t J = of.begin[1]; J < of.end[1]; ++J) {
        const int lines_here = summed(J, by[1], lines);
        for (int c = 0; c < components; ++c) {
          for_lines(planes, planes_here, lines, lines_here, from, line, [&](std::int64_t start, float weight) {
            const float *r = residual[c] + start, *w = free[c] + start;
            float* sum = line.data();
            for (std::int64_t i = 0; i < from.nx; ++i) sum[i] += w[i] > 0 ? weight * r[i] : 0;
          });
          float* out = coarse[c] + to.node(0, J, K);
          for (std::int64_t I = of.begin[0]; I < of.end[0]; ++I) {
            const int nodes_here = summed(I, by[0], nodes);
            out[I] = weighted_sum(nodes, nodes_here, line);
          }
        }
      }
    }
  }
}

void interpolate(const Field<float>& coarse, const Coarsenings& by, Level& fine) {
  const Grid &from = coarse.grid(), &to = fine.grid();
#pragma omp parallel num_threads(fine.threads())
  {
    std::vector<float> line(static_cast<std::size_t>(from.nx));
    const Share own = share_of(to.nz);
    for (std::int64_t k = own.begin; k < own.end; ++k) {
      std::array<Weighted, 2> planes, lines, nodes;
      const int planes_here = between(k, by[2], planes);
      for (std::int64_t j = 0; j < to.ny; ++j) {
        const int lines_here = between(j, by[1], lines);
        for (int c = 0; c < components; ++c) {
          for_lines(planes, planes_here, lines, lines_here, from, line, [&](std::int64_t start, float weight) {
            const float* x = coarse[c] + start;
            float* sum = line.data();
            for (std::int64_t i = 0; i < from.nx; ++i) sum[i] += weight * x[i];
          });
          const std::int64_t start = to.node(0, j, k);
          const float* w = fine.inverse()[c] + start;
          float* out = fine.d()[c] + start;
          for (std::int64_t i = 0; i < to.nx; ++i) {
            const int nodes_here = between(i, by[0], nodes);
            out[i] = w[i] > 0 ? weighted_sum(nodes, nodes_here, line) : 0;
          }
        }
      }
    }
  }
}

}  // namespace rooftop::elasticity
