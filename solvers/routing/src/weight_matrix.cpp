#include "weight_matrix.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>

#include "node_table.hpp"

namespace rooftop::routing {
namespace {

constexpr std::int32_t most_cities = 30000;  // 3.6 GB

/// A triangle by its rows; a column of one triangle is a row of the other.
struct Triangle {
  bool upper, diagonal;
};

Triangle triangle_of(WeightFormat format) {
  switch (format) {
    case WeightFormat::upper_row:
    case WeightFormat::lower_col:
      return {.upper = true, .diagonal = false};
    case WeightFormat::upper_diag_row:
    case WeightFormat::lower_diag_col:
      return {.upper = true, .diagonal = true};
    case WeightFormat::lower_row:
    case WeightFormat::upper_col:
      return {.upper = false, .diagonal = false};
    default:
      return {.upper = false, .diagonal = true};
  }
}

std::vector<std::int32_t> read_weights(Scanner& scanner, std::size_t count) {
  std::vector<std::int32_t> weights;
  // A number takes at least a digit and a blank: DIMENSION alone makes no memory be taken.
  weights.reserve(std::min(count, scanner.left() / 2 + 1));
  constexpr std::int64_t largest = std::numeric_limits<std::int32_t>::max();
  for (std::size_t i = 0; i < count; ++i) {
    std::int64_t weight = 0;
    if (!scanner.integer(weight, "a distance")) {
      fail_at_end(scanner, Key::edge_weight_section, i, count, "distances");
    }
    if (weight < -largest || weight > largest) {
      scanner.fail("distance " + std::to_string(weight) + "; expected -2147483647 to 2147483647");
    }
    weights.push_back(static_cast<std::int32_t>(weight));
  }
  return weights;
}

std::vector<std::int32_t> unfolded(const std::vector<std::int32_t>& weights, Triangle triangle, std::size_t n) {
  std::vector<std::int32_t> matrix(n * n);
  const std::size_t skip = triangle.diagonal ? 0 : 1;
  auto weight = weights.begin();
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t begin = triangle.upper ? i + skip : 0;
    const std::size_t end = triangle.upper ? n : i + 1 - skip;
    for (std::size_t j = begin; j < end; ++j) {
      matrix[i * n + j] = *weight;
      matrix[j * n + i] = *weight++;
    }
  }
  return matrix;
}

}  // namespace

std::vector<std::int32_t> read_weight_matrix(Scanner& scanner, WeightFormat format, std::int32_t cities) {
  if (cities > most_cities) {
    scanner.fail("a matrix of " + std::to_string(cities) + " cities; expected at most " + std::to_string(most_cities));
  }
  const auto n = static_cast<std::size_t>(cities);
  if (format == WeightFormat::full_matrix) return read_weights(scanner, n * n);
  const Triangle triangle = triangle_of(format);
  return unfolded(read_weights(scanner, triangle.diagonal ? n * (n + 1) / 2 : n * (n - 1) / 2), triangle, n);
}

void require_symmetric(const Scanner& scanner, const std::vector<std::int32_t>& matrix, std::int32_t cities) {
  const auto n = static_cast<std::size_t>(cities);
  constexpr std::size_t block = 64;  // of which two fit the first cache
  for (std::size_t i0 = 0; i0 < n; i0 += block) {
    for (std::size_t j0 = 0; j0 <= i0; j0 += block) {
      for (std::size_t i = i0; i < std::min(i0 + block, n); ++i) {
        for (std::size_t j = j0; j < std::min(j0 + block, i); ++j) {
          const std::int32_t there = matrix[i * n + j], back = matrix[j * n + i];
          if (there == back) continue;
          scanner.fail("TYPE is TSP, but from city " + std::to_string(i + 1) + " to " + std::to_string(j + 1) +
                       " it is " + std::to_string(there) + " and back " + std::to_string(back) +
                       "; expected the same, or TYPE ATSP");
        }
      }
    }
  }
}

}  // namespace rooftop::routing
