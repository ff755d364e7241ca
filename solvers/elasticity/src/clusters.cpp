#include "clusters.hpp"

#include <cmath>
#include <numeric>

#include "joined_nodes.hpp"

namespace rooftop::elasticity {
namespace {

constexpr double near = 0.4;          // of the longest edge of a node: of a cube it is 0.58
constexpr double of_layers = 0.2;     // likewise, of layers that lie close
constexpr double longest = 2;         // longest edges: a cluster is no longer
constexpr float inseparable = 0.75F;  // of the diagonal's blocks: two neighbours in a regular mesh have half of that
constexpr float one_body = 0.97F;     // of a sliver, whose nodes have hardly anything from other elements

double distance(const Point& one, const Point& other) {
  const double dx = one[0] - other[0], dy = one[1] - other[1], dz = one[2] - other[2];
  return std::sqrt(dx * dx + dy * dy + dz * dz);
}

/// Where a cluster is, and with which edges.
struct Extent {
  Point low, high;
  double edge;  // the shortest of its nodes' longest ones
  std::int64_t count;

  [[nodiscard]] Extent with(const Extent& other) const {
    Extent result = *this;
    for (std::size_t d = 0; d < components; ++d) {
      result.low[d] = std::min(low[d], other.low[d]);
      result.high[d] = std::max(high[d], other.high[d]);
    }
    result.edge = std::min(edge, other.edge);
    result.count += other.count;
    return result;
  }
};

struct Edge {
  std::int32_t one, other;
  std::int32_t rank;  // those of about the same length are in the order of nodes
  bool layers;        // as short as those between layers
};

}  // namespace

Transposed Clusters::members() const {
  Pattern membership;
  membership.columns = count;
  membership.column = of;
  while (membership.rows() < membership.blocks()) membership.start.push_back(membership.rows() + 1);
  return transpose(membership);
}

Clusters no_clusters(std::int64_t rows) {
  Clusters result{std::vector<std::int32_t>(static_cast<std::size_t>(rows)), rows};
  std::iota(result.of.begin(), result.of.end(), 0);
  return result;
}

/// Short edges first, two clusters become one while that is small.
Clusters clusters_of(const Pattern& pattern, const std::vector<float>& strength, const std::vector<Point>& at,
                     const Clustering& how, int threads) {
  const std::int64_t rows = pattern.rows();
  std::vector<Extent> extents(static_cast<std::size_t>(rows));
  const auto for_neighbours = [&](std::int64_t row, auto visit) {
    for (std::int64_t b = pattern.start.data()[row]; b < pattern.start.data()[row + 1]; ++b) {
      const std::int32_t other = pattern.column.data()[b];
      if (other != row) visit(other, distance(at.data()[row], at.data()[other]), strength.data()[b]);
    }
  };
#pragma omp parallel for num_threads(threads) schedule(static)
  for (std::int64_t row = 0; row < rows; ++row) {
    double edge = 0;
    for_neighbours(row, [&](std::int32_t, double length, float) { edge = std::max(edge, length); });
    extents.data()[row] = {at.data()[row], at.data()[row], edge, 1};
  }
  std::vector<std::vector<Edge>> parts(static_cast<std::size_t>(threads));
  std::vector<double> least_of_part(parts.size(), 1);
  in_team(threads, [&] {
    std::vector<Edge>& own = parts.data()[omp_get_thread_num()];
    double& own_least = least_of_part.data()[omp_get_thread_num()];
    const Share share_of_rows = share_of(rows);
    for (std::int64_t row = share_of_rows.begin; row < share_of_rows.end; ++row) {
      for_neighbours(row, [&](std::int32_t other, double length, float strong) {
        if (other < row || other >= rows || !(strong > 0)) return;
        const double share = length / (how.spacing * std::min(extents.data()[row].edge, extents.data()[other].edge));
        if (!(share < near) && !(strong > inseparable)) return;
        // The share of two nodes in one place is 0, which has no logarithm.
        const double octave = 4 * std::log2(std::max(share, 1e-30));
        own.push_back(
            {static_cast<std::int32_t>(row), other, static_cast<std::int32_t>(std::floor(octave)), share < of_layers});
        own_least = std::min(own_least, strong > one_body ? 0 : share);
      });
    }
  });
  const double least = std::ranges::min(least_of_part);
  std::vector<Edge> edges;
  for (const auto& part : parts) edges.insert(edges.end(), part.begin(), part.end());
  std::ranges::stable_sort(edges, {}, &Edge::rank);
  JoinedNodes joined(static_cast<std::size_t>(rows));
  for (const Edge& edge : edges) {
    const std::size_t one = joined.of(static_cast<std::size_t>(edge.one)),
                      other = joined.of(static_cast<std::size_t>(edge.other));
    if (one == other) continue;
    const Extent both = extents[one].with(extents[other]);
    if (both.count > (edge.layers ? how.most_of_layers : how.most) ||
        distance(both.low, both.high) > longest * both.edge)
      continue;
    joined.join(one, other);
    extents[joined.of(one)] = both;
  }
  Clusters result{std::vector<std::int32_t>(static_cast<std::size_t>(rows), -1), 0, least};
  for (std::size_t row = 0; row < result.of.size(); ++row) {
    std::int32_t& number = result.of[joined.of(row)];
    if (number < 0) number = static_cast<std::int32_t>(result.count++);
    result.of[row] = number;
  }
  return result;
}

void invert(std::vector<double>& matrix, std::size_t rows, double least) {
  const std::size_t n = rows;
  std::vector<double> diagonal(n);
  for (std::size_t p = 0; p < n; ++p) diagonal[p] = matrix[p * n + p];
  std::vector<bool> left_out(n);
  for (std::size_t p = 0; p < n; ++p) {
    const double pivot = matrix[p * n + p];
    if (!(pivot > least * diagonal[p])) {
      left_out[p] = true;
      for (std::size_t i = 0; i < n; ++i) matrix[p * n + i] = matrix[i * n + p] = 0;
      continue;
    }
    // The exchange of one unknown with its force: symmetric but for a sign between those that are done and others.
    const double factor = 1 / pivot;
    matrix[p * n + p] = 1;
    for (std::size_t c = 0; c < n; ++c) matrix[p * n + c] *= factor;
    for (std::size_t r = 0; r < n; ++r) {
      if (r == p || left_out[r]) continue;
      const double times = matrix[r * n + p];
      if (times == 0) continue;
      matrix[r * n + p] = 0;
      for (std::size_t c = 0; c < n; ++c) matrix[r * n + c] -= times * matrix[p * n + c];
    }
  }
  for (std::size_t r = 0; r < n; ++r) {
    for (std::size_t c = 0; c < r; ++c) {
      matrix[r * n + c] = matrix[c * n + r] = (matrix[r * n + c] + matrix[c * n + r]) / 2;
    }
  }
}

}  // namespace rooftop::elasticity
