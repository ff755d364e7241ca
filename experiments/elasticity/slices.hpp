/// Rows of blocks in slices of as many nodes as a vector has lanes: a lane for each row.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <rooftop/aligned.hpp>

#include "assembly.hpp"

namespace elasticity {

/// Kreutzer and others, A unified sparse matrix data format, 2014 (SELL-C), with blocks for entries. Rows that have
/// fewer neighbours than the longest one of their slice are filled up with blocks of zeros in their own column.
template <int lanes>
class Slices {
 public:
  explicit Slices(const Problem& problem)
      : nodes_(problem.mesh.nodes()), start_(static_cast<std::size_t>((nodes_ + lanes - 1) / lanes + 1)) {
    Index slot = 0;
    for (std::size_t slice = 0; slice + 1 < start_.size(); ++slice) {
      start_[slice] = slot;
      Index longest = 0;
      for (Index node = static_cast<Index>(slice) * lanes; node < end_of(static_cast<Index>(slice)); ++node) {
        Index count = 0;
        for_neighbours(problem.mesh, place_of(problem.mesh, node), [&](const Place&, Index) { ++count; });
        longest = std::max(longest, count);
      }
      slot += longest;
    }
    start_[start_.size() - 1] = slot;
    column_ = rooftop::AlignedArray<std::int32_t>(static_cast<std::size_t>(lanes * slot));
    value_ = rooftop::AlignedArray<double>(static_cast<std::size_t>(lanes * block_values * slot));
  }

  /// Fills the slices of nodes from `begin`, a multiple of lanes, to before `end`.
  void fill(const Problem& problem, Index begin, Index end) {
    for (Index slice = begin / lanes; slice * lanes < end; ++slice) {
      const Index first = start_.data()[slice], slots = start_.data()[slice + 1] - first;
      std::fill_n(value_.data() + first * lanes * block_values, slots * lanes * block_values, 0.0);
      for (Index lane = 0; lane < lanes; ++lane) {
        const Index node =
            std::min(slice * lanes + lane, nodes_ - 1);  // lanes behind the last node repeat it, with zeros
        for (Index slot = first; slot < first + slots; ++slot) set_column(slot, lane, node);
        if (node == slice * lanes + lane) fill_lane(problem, first, lane, node);
      }
    }
  }

  /// y = A x in the rows of nodes from `begin`, a multiple of lanes, to before `end`; returns x·y there.
  double multiply(const double* x, double* y, Index begin, Index end) const {
    std::array<double, lanes> dots{};
    for (Index slice = begin / lanes; slice * lanes < end; ++slice) {
      std::array<double, lanes> sum0{}, sum1{}, sum2{};
      for (Index slot = start_.data()[slice]; slot < start_.data()[slice + 1]; ++slot) {
        const std::int32_t* column = column_.data() + slot * lanes;
        const double* a = value_.data() + slot * lanes * block_values;
        for (int v = 0; v < lanes * block_values; v += line) __builtin_prefetch(a + ahead + v);
        for (int l = 0; l < lanes; ++l) {
          const double x0 = x[column[l]], x1 = x[column[l] + 1], x2 = x[column[l] + 2];
          sum0[l] += a[l] * x0 + a[lanes + l] * x1 + a[2 * lanes + l] * x2;
          sum1[l] += a[3 * lanes + l] * x0 + a[4 * lanes + l] * x1 + a[5 * lanes + l] * x2;
          sum2[l] += a[6 * lanes + l] * x0 + a[7 * lanes + l] * x1 + a[8 * lanes + l] * x2;
        }
      }
      for (Index l = 0; l < std::min<Index>(lanes, end_of(slice) - slice * lanes); ++l) {
        const double* in = x + components * (slice * lanes + l);
        double* out = y + components * (slice * lanes + l);
        const auto lane = static_cast<std::size_t>(l);
        out[0] = sum0[lane], out[1] = sum1[lane], out[2] = sum2[lane];
        dots[lane] += in[0] * out[0] + in[1] * out[1] + in[2] * out[2];
      }
    }
    double sum = 0;
    for (const double one : dots) sum += one;
    return sum;
  }

  [[nodiscard]] double bytes() const {
    return static_cast<double>(start_.size() * sizeof(Index) + column_.size() * sizeof(std::int32_t) +
                               value_.size() * sizeof(double));
  }

 private:
  static constexpr int line = 8;     // doubles in a line of the caches
  static constexpr int ahead = 256;  // doubles: the processor's own prefetching stops at the end of a page of 4 KiB

  [[nodiscard]] Index end_of(Index slice) const { return std::min((slice + 1) * lanes, nodes_); }

  /// Of the first of a node's three values, so that a product need not multiply.
  void set_column(Index slot, Index lane, Index node) {
    column_.data()[slot * lanes + lane] = static_cast<std::int32_t>(components * node);
  }

  void fill_lane(const Problem& problem, Index slot, Index lane, Index node) {
    const Place row = place_of(problem.mesh, node);
    for_neighbours(problem.mesh, row, [&](const Place& place, Index neighbour) {
      std::array<double, block_values> block{};
      fill_block(problem, row, place, block.data());
      set_column(slot, lane, neighbour);
      for (Index v = 0; v < block_values; ++v) {
        value_.data()[(slot * block_values + v) * lanes + lane] = block[static_cast<std::size_t>(v)];
      }
      ++slot;
    });
  }

  Index nodes_;
  rooftop::AlignedArray<Index> start_;          // a slice's first slot
  rooftop::AlignedArray<std::int32_t> column_;  // lanes for each slot
  rooftop::AlignedArray<double> value_;         // 9 x lanes for each slot
};

}  // namespace elasticity
