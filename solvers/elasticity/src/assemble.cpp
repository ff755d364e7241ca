#include <atomic>
#include <cstddef>
#include <string>
#include <utility>

#include "operators.hpp"
#include "rooftop/elasticity.hpp"

namespace rooftop::elasticity {
namespace {

/// A pair of corners of an element: whose row has their block, where it is there, and whether it is transposed.
struct Place {
  int corner;
  int first;  // value of the row
  bool transposed;
};

std::array<Place, corner_pairs> places() {
  std::array<Place, corner_pairs> result{};
  std::size_t pair = 0;
  for (int a = 0; a < corners; ++a) {
    for (int b = a; b < corners; ++b, ++pair) {
      if (a == b) {
        result[pair] = {a, 0, false};
        continue;
      }
      const auto between = [](int from, int to) {
        return Offset{(to & 1) - (from & 1), (to >> 1 & 1) - (from >> 1 & 1), (to >> 2) - (from >> 2)};
      };
      for (std::size_t o = 0; o < later.size(); ++o) {
        const int first = diagonal_values + static_cast<int>(o) * components * components;
        const auto is = [&](const Offset& d) {
          return d.dx == later[o].dx && d.dy == later[o].dy && d.dz == later[o].dz;
        };
        if (is(between(a, b))) result[pair] = {a, first, false};
        if (is(between(b, a))) result[pair] = {b, first, true};
      }
    }
  }
  return result;
}

/// Adds the blocks of an element, whose corners' nodes are given.
void add(const ElementsResult& from, std::size_t element, const std::array<std::int64_t, corners>& nodes,
         StencilOperator<double>& to) {
  static const std::array<Place, corner_pairs> where = places();
  const std::int64_t lanes = to.lanes();
  for (std::size_t pair = 0; pair < where.size(); ++pair) {
    const Place& place = where[pair];
    const auto& block = from.blocks[pair];
    double* row = to.row(nodes[static_cast<std::size_t>(place.corner)]) + place.first * lanes;
    if (place.first == 0) {
      constexpr std::array<std::size_t, diagonal_values> upper{0, 1, 2, 4, 5, 8};
      for (std::size_t v = 0; v < upper.size(); ++v)
        row[static_cast<std::int64_t>(v) * lanes] += block[upper[v]][element];
    } else {
      for (std::int64_t r = 0; r < components; ++r) {
        for (std::int64_t c = 0; c < components; ++c) {
          const std::int64_t value = place.transposed ? components * c + r : components * r + c;
          row[(components * r + c) * lanes] += block[static_cast<std::size_t>(value)][element];
        }
      }
    }
  }
}

constexpr std::int64_t none = Assembled::none;

/// Adds a line of elements; returns the first that is inverted, or none.
std::int64_t add_line(const FreeBox& box, std::int64_t j, std::int64_t k, StencilOperator<double>& to) {
  const Grid& grid = box.grid;
  std::int64_t inverted = none;
  ElementsJob job{};
  ElementsResult result;
  for (std::int64_t begin = 0; begin < grid.nx - 1; begin += elements_at_once) {
    const std::int64_t count = std::min<std::int64_t>(elements_at_once, grid.nx - 1 - begin);
    const auto first = (k * (grid.ny - 1) + j) * (grid.nx - 1) + begin;
    const auto node = [&](std::int64_t corner, std::int64_t element) {
      return grid.node(begin + element + (corner & 1), j + (corner >> 1 & 1), k + (corner >> 2));
    };
    for (std::int64_t e = 0; e < elements_at_once; ++e) {
      const std::int64_t element = std::min(e, count - 1);  // those that are too many repeat the last one
      for (std::int64_t a = 0; a < corners; ++a) {
        for (std::int64_t c = 0; c < components; ++c) {
          job.at[static_cast<std::size_t>(a)][static_cast<std::size_t>(c)][static_cast<std::size_t>(e)] =
              box.coordinates.data()[components * node(a, element) + c];
        }
      }
      job.lame[static_cast<std::size_t>(e)] = box.lame.data()[first + element];
      job.shear[static_cast<std::size_t>(e)] = box.shear.data()[first + element];
    }
    integrate(job, result);
    for (std::int64_t e = 0; e < count; ++e) {
      std::array<std::int64_t, corners> nodes;
      for (std::size_t a = 0; a < nodes.size(); ++a) nodes[a] = node(static_cast<std::int64_t>(a), e);
      if (!(result.least[static_cast<std::size_t>(e)] > 0)) inverted = std::min(inverted, first + e);
      add(result, static_cast<std::size_t>(e), nodes, to);
    }
  }
  return inverted;
}

}  // namespace

Assembled assembled(const FreeBox& box, int threads, const std::function<bool()>& go_on) {
  StencilOperator<double> matrix(box.grid, threads, go_on);
  const std::int64_t layers = box.grid.nz - 1;
  std::int64_t inverted = none;
  std::atomic<bool> wanted{true};
  // Two layers of elements that are not neighbours have no node in common.
  for (const std::int64_t odd : {0, 1}) {
#pragma omp parallel for num_threads(threads) schedule(static) reduction(min : inverted)
    for (std::int64_t layer = odd; layer < layers; layer += 2) {
      for (std::int64_t j = 0; j < box.grid.ny - 1; ++j) {
        if (!wanted.load(std::memory_order_relaxed)) break;
        if (!go_on()) wanted.store(false, std::memory_order_relaxed);
        inverted = std::min(inverted, add_line(box, j, layer, matrix));
      }
    }
  }
  return {std::move(matrix), inverted};
}

void require_none_inverted(std::int64_t element) {
  if (element == none) return;
  throw InvalidInput("element " + std::to_string(element) +
                     " is inverted or flat: expected a positive Jacobian determinant at its points of integration");
}

StencilOperator<double> assemble(const FreeBox& box, int threads, const std::function<bool()>& go_on) {
  Assembled result = assembled(box, threads, go_on);
  require_none_inverted(result.inverted);
  return std::move(result.matrix);
}

}  // namespace rooftop::elasticity
