/// A box's elements as a mesh: in any order, and some or all of them cut into tetrahedra.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "box_under_tension.hpp"

namespace elasticity_test {

enum class Kind { hexahedra, tetrahedra, both };

/// A box whose nodes and elements are renumbered at random.
struct Mixed {
  Box box;
  std::vector<std::size_t> number;  // here, of each node of the box
  std::vector<double> coordinates, load, young{1.0};
  std::vector<std::uint8_t> held;
  std::vector<std::int64_t> hexahedra, tetrahedra;

  [[nodiscard]] rooftop::elasticity::Mesh mesh() const {
    using rooftop::elasticity::ElementKind;
    return {coordinates, {{ElementKind::hexahedron, hexahedra}, {ElementKind::tetrahedron, tetrahedra}},
            young,       box.poisson,
            load,        held};
  }
};

inline Mixed mixed(std::array<std::int64_t, 3> nodes, Kind kind) {
  Mixed result{box_under_tension(nodes, Mesh::distorted), {}, {}, {}, {1.0}, {}, {}, {}};
  const Box& box = result.box;
  Random random;
  const auto below = [&](std::size_t count) {
    return static_cast<std::size_t>((random() + 1) / 2 * static_cast<double>(count)) % count;
  };
  result.number.resize(box.count());
  std::iota(result.number.begin(), result.number.end(), std::size_t{0});
  for (std::size_t n = box.count(); n > 1; --n) std::swap(result.number[n - 1], result.number[below(n)]);
  result.coordinates.resize(3 * box.count());
  result.load.resize(3 * box.count());
  result.held.resize(3 * box.count());
  for (std::size_t n = 0; n < box.count(); ++n) {
    for (std::size_t c = 0; c < 3; ++c) {
      const std::size_t to = 3 * result.number[n] + c;
      result.coordinates[to] = box.coordinates[3 * n + c];
      result.held[to] = box.held[3 * n + c];
    }
  }
  std::vector<std::array<std::int64_t, 3>> elements;
  for (std::int64_t k = 0; k + 1 < nodes[2]; ++k) {
    for (std::int64_t j = 0; j + 1 < nodes[1]; ++j) {
      for (std::int64_t i = 0; i + 1 < nodes[0]; ++i) elements.push_back({i, j, k});
    }
  }
  for (std::size_t n = elements.size(); n > 1; --n) std::swap(elements[n - 1], elements[below(n)]);
  for (const auto& [i, j, k] : elements) {
    const auto at = [&, i = i, j = j, k = k](int a, int b, int c) {
      return static_cast<std::int64_t>(result.number[box.node(i + a, j + b, k + c)]);
    };
    const std::array<std::int64_t, 8> corner{at(0, 0, 0), at(1, 0, 0), at(1, 1, 0), at(0, 1, 0),
                                             at(0, 0, 1), at(1, 0, 1), at(1, 1, 1), at(0, 1, 1)};
    if (kind == Kind::hexahedra || (kind == Kind::both && k % 2 == 0)) {
      result.hexahedra.insert(result.hexahedra.end(), corner.begin(), corner.end());
    } else {
      constexpr std::array<std::array<std::size_t, 4>, 6> cut{
          {{0, 1, 2, 6}, {0, 2, 3, 6}, {0, 3, 7, 6}, {0, 7, 4, 6}, {0, 4, 5, 6}, {0, 5, 1, 6}}};
      for (const auto& one : cut) {
        for (const std::size_t c : one) result.tetrahedra.push_back(corner[c]);
      }
    }
  }
  return result;
}

}  // namespace elasticity_test
