/// A box under tension along z, whose exact displacement is linear: u_z = z / E, u_x = -poisson x / E, u_y likewise.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rooftop/elasticity.hpp"

namespace elasticity_test {

using rooftop::elasticity::Body;
using rooftop::elasticity::Options;
using rooftop::elasticity::Preconditioner;
using rooftop::elasticity::Result;

enum class Mesh { cubes, graded, distorted };

struct Box {
  std::array<std::int64_t, 3> nodes{};
  std::vector<double> coordinates, load, young{1.0}, poisson{0.3};
  std::vector<std::uint8_t> held;

  [[nodiscard]] std::size_t count() const { return static_cast<std::size_t>(nodes[0] * nodes[1] * nodes[2]); }
  [[nodiscard]] std::size_t elements() const {
    return static_cast<std::size_t>((nodes[0] - 1) * (nodes[1] - 1) * (nodes[2] - 1));
  }
  [[nodiscard]] std::size_t node(std::int64_t i, std::int64_t j, std::int64_t k) const {
    return static_cast<std::size_t>((k * nodes[1] + j) * nodes[0] + i);
  }
  /// Component c of a node's exact displacement.
  [[nodiscard]] double exact(std::size_t node, std::size_t c) const {
    return coordinates[3 * node + c] * (c == 2 ? 1 : -poisson[0]) / young[0];
  }
  [[nodiscard]] Body body() const { return {nodes, coordinates, young, poisson, load, held}; }
};

/// Pseudo-random numbers from -1 to 1.
class Random {
 public:
  double operator()() {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<double>(state_ >> 11) / (1LL << 52) - 1;
  }

 private:
  std::uint64_t state_ = 1;
};

/// The faces stay flat, and nodes on them stay there.
inline Box box_under_tension(std::array<std::int64_t, 3> nodes, Mesh mesh) {
  Box box{nodes, {}, {}, {1.0}, {0.3}, {}};
  Random random;
  for (std::int64_t k = 0; k < nodes[2]; ++k) {
    for (std::int64_t j = 0; j < nodes[1]; ++j) {
      for (std::int64_t i = 0; i < nodes[0]; ++i) {
        const std::array<std::int64_t, 3> at{i, j, k};
        for (std::size_t d = 0; d < 3; ++d) {
          auto x = static_cast<double>(at[d]);
          if (mesh == Mesh::graded) x = x * (1 + x / 8);
          const bool inner = at[d] > 0 && at[d] + 1 < nodes[d] && k + 1 < nodes[2];
          if (mesh == Mesh::distorted && inner) x += 0.2 * random();
          box.coordinates.push_back(x);
          box.held.push_back(at[d] == 0 ? 1 : 0);
          box.load.push_back(0);
        }
      }
    }
  }
  const std::int64_t top = nodes[2] - 1;
  for (std::int64_t j = 0; j + 1 < nodes[1]; ++j) {
    for (std::int64_t i = 0; i + 1 < nodes[0]; ++i) {
      const double width = box.coordinates[3 * box.node(i + 1, j, top)] - box.coordinates[3 * box.node(i, j, top)];
      const double depth =
          box.coordinates[3 * box.node(i, j + 1, top) + 1] - box.coordinates[3 * box.node(i, j, top) + 1];
      for (const std::int64_t b : {0, 1}) {
        for (const std::int64_t a : {0, 1}) box.load[3 * box.node(i + a, j + b, top) + 2] += width * depth / 4;
      }
    }
  }
  return box;
}

/// Largest difference of a displacement from the exact one, relative to the largest exact one.
inline double error(const Box& box, const std::vector<double>& displacement) {
  double difference = 0, largest = 0;
  for (std::size_t node = 0; node < box.count(); ++node) {
    for (std::size_t c = 0; c < 3; ++c) {
      difference = std::max(difference, std::abs(displacement[3 * node + c] - box.exact(node, c)));
      largest = std::max(largest, std::abs(box.exact(node, c)));
    }
  }
  return difference / largest;
}

}  // namespace elasticity_test
