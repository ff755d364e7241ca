/// A body that every rank has whole, cut into the ranks' parts, and displacements put together again.
#pragma once

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "box_under_tension.hpp"
#include "rooftop/elasticity_mpi.hpp"

namespace elasticity_test {

using rooftop::elasticity::OptionsByRanks;
using rooftop::elasticity::PartOfBody;
using rooftop::elasticity::PartOfBox;
using rooftop::elasticity::Parts;

struct World {
  int rank = 0, size = 1;
  World() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
  }
};

/// Adds values that the nodes, or elements, of a rank's part have.
template <class Value>
void cut(const std::vector<Value>& whole, const std::array<std::int64_t, 3>& counts,
         const std::array<std::int64_t, 3>& first, const std::array<std::int64_t, 3>& own, std::int64_t each,
         std::vector<Value>& part) {
  for (std::int64_t k = 0; k < own[2]; ++k) {
    for (std::int64_t j = 0; j < own[1]; ++j) {
      const auto from = whole.begin() + each * (((first[2] + k) * counts[1] + first[1] + j) * counts[0] + first[0]);
      part.insert(part.end(), from, from + each * own[0]);
    }
  }
}

/// This rank's part of a box.
struct PartHere {
  std::array<std::int64_t, 3> nodes{};
  Parts parts{};
  PartOfBox own{};
  std::vector<double> coordinates, load, young, poisson, displacement;
  std::vector<std::uint8_t> held;

  PartHere(const Box& box, const Parts& cut_into, const std::vector<double>& moved)
      : nodes(box.nodes), parts(cut_into), own(rooftop::elasticity::part_of(box.nodes, cut_into, World().rank)) {
    const std::array<std::int64_t, 3> elements{nodes[0] - 1, nodes[1] - 1, nodes[2] - 1};
    if (!box.coordinates.empty()) cut(box.coordinates, nodes, own.first, own.nodes, 3, coordinates);
    cut(box.load, nodes, own.first, own.nodes, 3, load);
    cut(box.held, nodes, own.first, own.nodes, 3, held);
    cut(moved, nodes, own.first, own.nodes, 3, displacement);
    for (auto [all, here] : {std::pair{&box.young, &young}, std::pair{&box.poisson, &poisson}}) {
      if (all->size() == 1) {
        *here = *all;
      } else {
        cut(*all, elements, own.first, own.elements, 1, *here);
      }
    }
  }

  [[nodiscard]] PartOfBody body() const { return {nodes, parts, coordinates, young, poisson, load, held}; }

  /// The displacement of the whole box, on every rank.
  [[nodiscard]] std::vector<double> whole() const {
    std::vector<double> result(static_cast<std::size_t>(3 * nodes[0] * nodes[1] * nodes[2]));
    auto from = displacement.begin();
    for (std::int64_t k = 0; k < own.nodes[2]; ++k) {
      for (std::int64_t j = 0; j < own.nodes[1]; ++j) {
        const std::int64_t line = ((own.first[2] + k) * nodes[1] + own.first[1] + j) * nodes[0] + own.first[0];
        std::copy_n(from, 3 * own.nodes[0], result.begin() + 3 * line);
        from += 3 * own.nodes[0];
      }
    }
    MPI_Allreduce(MPI_IN_PLACE, result.data(), static_cast<int>(result.size()), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return result;
  }
};

/// Every division of so many ranks that gives each of them a node.
inline std::vector<Parts> divisions(const std::array<std::int64_t, 3>& nodes, int ranks) {
  std::vector<Parts> result;
  for (int x = 1; x <= ranks; ++x) {
    for (int y = 1; x * y <= ranks; ++y) {
      if (ranks % (x * y) != 0) continue;
      const Parts parts{x, y, ranks / (x * y)};
      if (parts[0] <= nodes[0] && parts[1] <= nodes[1] && parts[2] <= nodes[2]) result.push_back(parts);
    }
  }
  return result;
}

inline double largest_difference(const std::vector<double>& one, const std::vector<double>& other) {
  double difference = 0, largest = 0;
  for (std::size_t i = 0; i < one.size(); ++i) {
    difference = std::max(difference, std::abs(one[i] - other[i]));
    largest = std::max(largest, std::abs(other[i]));
  }
  return largest > 0 ? difference / largest : difference;
}

/// What all ranks are told of a part of a box or a mesh, which has to be one and the same.
template <class Part>
std::string refusal(const Part& part, const OptionsByRanks& options, const std::vector<double>& first) {
  std::vector<double> displacement = first;
  std::string said = "accepted";
  try {
    static_cast<void>(rooftop::elasticity::solve(part, options, displacement, MPI_COMM_WORLD));
  } catch (const rooftop::elasticity::InvalidInput& error) {
    said = error.what();
  }
  EXPECT_EQ(displacement, first);
  std::array<char, 256> of_first{};
  said.copy(of_first.data(), of_first.size() - 1);
  MPI_Bcast(of_first.data(), static_cast<int>(of_first.size()), MPI_CHAR, 0, MPI_COMM_WORLD);
  EXPECT_EQ(said, of_first.data());
  return said;
}

}  // namespace elasticity_test
