/// The matrix by rows of blocks in one array: compressed sparse rows whose entries are 3 x 3.
#pragma once

#include <cstddef>
#include <cstdint>
#include <rooftop/aligned.hpp>

#include "assembly.hpp"

namespace elasticity {

struct BlockRows {
  rooftop::AlignedArray<std::int64_t> start;   ///< nodes + 1 values: a row's first block
  rooftop::AlignedArray<std::int32_t> column;  ///< a node for each block
  rooftop::AlignedArray<double> value;         ///< 9 for each block

  /// Numbers the blocks. What fill() has not written lies on no memory node yet.
  explicit BlockRows(const Problem& problem)
      : start(static_cast<std::size_t>(problem.mesh.nodes() + 1)),
        column(static_cast<std::size_t>(block_count(problem.mesh))),
        value(static_cast<std::size_t>(block_values * block_count(problem.mesh))) {
    const Mesh& mesh = problem.mesh;
    std::int64_t block = 0;
    for (Index node = 0; node < mesh.nodes(); ++node) {
      start[static_cast<std::size_t>(node)] = block;
      for_neighbours(mesh, place_of(mesh, node), [&](const Place&, Index) { ++block; });
    }
    start[static_cast<std::size_t>(mesh.nodes())] = block;
  }

  /// Fills the rows of nodes from `begin` to before `end`.
  void fill(const Problem& problem, Index begin, Index end) {
    for (Index node = begin; node < end; ++node) {
      const Place row = place_of(problem.mesh, node);
      auto block = static_cast<std::size_t>(start[static_cast<std::size_t>(node)]);
      for_neighbours(problem.mesh, row, [&](const Place& place, Index neighbour) {
        column[block] = static_cast<std::int32_t>(neighbour);
        fill_block(problem, row, place, &value[block * block_values]);
        ++block;
      });
    }
  }

  /// y = A x in the rows of nodes from `begin` to before `end`.
  void multiply(const double* x, double* y, Index begin, Index end) const {
    for (Index node = begin; node < end; ++node) {
      double sum0 = 0, sum1 = 0, sum2 = 0;
      for (std::int64_t block = start.data()[node]; block < start.data()[node + 1]; ++block) {
        const double* a = value.data() + block_values * block;
        const double* in = x + std::int64_t{components} * column.data()[block];
        sum0 += a[0] * in[0] + a[1] * in[1] + a[2] * in[2];
        sum1 += a[3] * in[0] + a[4] * in[1] + a[5] * in[2];
        sum2 += a[6] * in[0] + a[7] * in[1] + a[8] * in[2];
      }
      double* out = y + components * node;
      out[0] = sum0, out[1] = sum1, out[2] = sum2;
    }
  }

  [[nodiscard]] double bytes() const {
    return static_cast<double>(start.size() * sizeof(std::int64_t) + column.size() * sizeof(std::int32_t) +
                               value.size() * sizeof(double));
  }
};

}  // namespace elasticity
