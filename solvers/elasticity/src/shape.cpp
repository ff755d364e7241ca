#include "shape.hpp"

#include <cmath>
#include <cstddef>
#include <tuple>

#include "row_maker.hpp"

namespace rooftop::elasticity {
namespace {

/// The last node that is reached from one, and in how many steps.
struct Reached {
  std::int32_t node;
  double steps;
};
Reached farthest(const Pattern& pattern, std::int32_t from) {
  std::vector<bool> seen(static_cast<std::size_t>(pattern.rows()));
  std::vector<std::int32_t> now{from}, next;
  seen[static_cast<std::size_t>(from)] = true;
  double steps = -1;
  std::int32_t last = from;
  for (; !now.empty(); ++steps, now.swap(next)) {
    last = now.back();
    next.clear();
    for (const std::int32_t node : now) {
      for (std::int64_t b = pattern.start.data()[node]; b < pattern.start.data()[node + 1]; ++b) {
        const std::int32_t other = pattern.column.data()[b];
        if (other >= pattern.rows() || seen[static_cast<std::size_t>(other)]) continue;
        seen[static_cast<std::size_t>(other)] = true;
        next.push_back(other);
      }
    }
  }
  return {last, steps};
}

}  // namespace

Shape shape_of(const Pattern& pattern, const std::vector<Point>& at, int threads) {
  Shape result;
  result.box.fill(-HUGE_VAL);
  result.nodes = static_cast<double>(pattern.rows());
  const std::int64_t rows = pattern.rows();
  constexpr std::size_t bounds = std::tuple_size_v<decltype(result.box)>;
  double* const box = result.box.data();
  std::vector<double> length(static_cast<std::size_t>(rows));  // summed up in the order of rows whatever the threads
#pragma omp parallel for num_threads(threads) schedule(static) reduction(max : box[ : bounds])
  for (std::int64_t row = 0; row < rows; ++row) {
    if (pattern.start.data()[row] == pattern.start.data()[row + 1]) continue;  // in no element: it may lie anywhere
    const Point& own = at.data()[row];
    for (std::size_t d = 0; d < components; ++d) {
      box[d] = std::max(box[d], own[d]);
      box[components + d] = std::max(box[components + d], -own[d]);
    }
    double sum = 0;
    for (std::int64_t b = pattern.start.data()[row]; b < pattern.start.data()[row + 1]; ++b) {
      const Point& other = at.data()[pattern.column.data()[b]];
      double square = 0;
      for (std::size_t d = 0; d < components; ++d) square += (other[d] - own[d]) * (other[d] - own[d]);
      sum += std::sqrt(square);
    }
    length.data()[row] = sum;
  }
  for (const double one : length) result.length += one;
  result.edges = static_cast<double>(pattern.blocks());
  if (pattern.rows() > 0) result.steps = farthest(pattern, farthest(pattern, 0).node).steps;
  return result;
}

void Shape::count(const Pattern& pattern, const Clusters& of) {
  const Transposed members = of.members();
  clusters = static_cast<double>(of.count);
  stretch = 1 / std::max(of.least_distance, 1e-30);
  RowMaker maker(of.count);
  for (std::int64_t cluster = 0; cluster < of.count; ++cluster) {
    maker.begin();
    const std::int64_t begin = members.pattern.start.data()[cluster], end = members.pattern.start.data()[cluster + 1];
    if (end - begin > 1) clustered += static_cast<double>(end - begin);
    for (std::int64_t m = begin; m < end; ++m) {
      const std::int32_t row = members.pattern.column.data()[m];
      for (std::int64_t b = pattern.start.data()[row]; b < pattern.start.data()[row + 1]; ++b) {
        const std::int32_t column = pattern.column.data()[b];
        if (column < pattern.rows()) (void)maker.at(of.of.data()[column]);
      }
    }
    pairs += static_cast<double>(maker.columns().size());
    maker.end();
  }
}

double Shape::condition() const {
  double extent = 0;
  for (std::size_t d = 0; d < components; ++d) extent = std::hypot(extent, box[d] + box[components + d]);
  const double along = std::max({steps, length > 0 ? extent / (length / edges) : 0, 1.0});
  const double thick = std::max(nodes / (along * along), 1.0);
  return std::pow(along, 4) / (thick * thick);
}

}  // namespace rooftop::elasticity
