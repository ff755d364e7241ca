/// How a level of aggregation is made from the one before.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "aggregation.hpp"
#include "block_matrix.hpp"
#include "interpolation.hpp"
#include "row_maker.hpp"
#include "stage.hpp"

namespace rooftop::elasticity {

constexpr float weak = 0.02F;  // neighbours that matter so little are in no aggregate together

/// How much each block counts, by the Frobenius norm relative to those of the two diagonal blocks; nothing beside the
/// rows' own columns.
template <class Real, int size>
std::vector<float> strengths(const BlockMatrix<Real, size, size>& matrix, int threads) {
  const Pattern& pattern = matrix.pattern;
  const auto norm = [&](std::int64_t b) {
    Real sum = 0;
    for (const Real v : matrix.block.data()[b].value) sum += v * v;
    return std::sqrt(sum);
  };
  std::vector<Real> own(static_cast<std::size_t>(pattern.columns));
  std::vector<float> result(pattern.column.size());
  for_rows(pattern.rows(), threads, [&](std::int64_t row) {
    for (std::int64_t b = pattern.start.data()[row]; b < pattern.start.data()[row + 1]; ++b) {
      if (pattern.column.data()[b] == row) own.data()[row] = norm(b);
    }
  });
  for_rows(pattern.rows(), threads, [&](std::int64_t row) {
    for (std::int64_t b = pattern.start.data()[row]; b < pattern.start.data()[row + 1]; ++b) {
      const Real both = std::sqrt(own.data()[row]) * std::sqrt(own.data()[pattern.column.data()[b]]);
      result.data()[b] = both > 0 ? static_cast<float>(norm(b) / both) : 0;
    }
  });
  return result;
}

/// Motions of the nodes of an aggregate, made orthonormal (Gram and Schmidt, twice): those of the aggregate are how
/// they were mixed. A motion that depends on others is left out.
template <class Real, int size>
void orthonormal(const Transposed& members, std::int64_t aggregate, const Motions<Real, size>& motions,
                 Motions<Real, size>& columns, Block<Real, rigid_motions, rigid_motions>& mixed) {
  // Of squares: a column through a thin plate turns by so little more than it moves.
  constexpr double nothing = sizeof(Real) == sizeof(float) ? 1e-8 : 1e-22;
  const std::int64_t begin = members.pattern.start.data()[aggregate], end = members.pattern.start.data()[aggregate + 1];
  std::vector<Block<double, size, rigid_motions>> q(static_cast<std::size_t>(end - begin));
  for (std::size_t i = 0; i < q.size(); ++i) {
    const auto node = static_cast<std::size_t>(members.pattern.column[static_cast<std::size_t>(begin) + i]);
    for (std::size_t v = 0; v < q[i].value.size(); ++v) q[i].value[v] = static_cast<double>(motions[node].value[v]);
  }
  const auto dot = [&](std::size_t a, std::size_t b) {
    double sum = 0;
    for (const auto& block : q) {
      for (std::size_t r = 0; r < size; ++r) sum += block(r, a) * block(r, b);
    }
    return sum;
  };
  for (std::size_t c = 0; c < rigid_motions; ++c) {
    const double before = dot(c, c);
    for (int again = 0; again < 2; ++again) {
      for (std::size_t earlier = 0; earlier < c; ++earlier) {
        const double part = dot(earlier, c);
        mixed(earlier, c) += static_cast<Real>(part);
        for (auto& block : q) {
          for (std::size_t r = 0; r < size; ++r) block(r, c) -= part * block(r, earlier);
        }
      }
    }
    const double square = dot(c, c);
    const bool there = square > nothing * before && square > 0;
    const double length = there ? std::sqrt(square) : 0;
    mixed(c, c) = static_cast<Real>(length);
    for (auto& block : q) {
      for (std::size_t r = 0; r < size; ++r) block(r, c) = there ? block(r, c) / length : 0;
    }
  }
  for (std::size_t i = 0; i < q.size(); ++i) {
    const auto node = static_cast<std::size_t>(members.pattern.column[static_cast<std::size_t>(begin) + i]);
    for (std::size_t v = 0; v < q[i].value.size(); ++v) columns[node].value[v] = static_cast<Real>(q[i].value[v]);
  }
}

/// What is known of a level's nodes until the next one is made.
template <class Real, int size>
struct Nodes {
  Motions<Real, size> motions;
  std::vector<Point> at;
  Clusters clusters;
  Pattern near;  ///< neighbours that may be in one aggregate; no rows: all that the matrix has
};

/// Nodes in aggregates.
template <class Real, int size>
struct Aggregated {
  Aggregates aggregates;
  Motions<Real, size> columns;          // of each node, orthonormal in its aggregate
  Motions<Real, rigid_motions> coarse;  // of the aggregates
};

/// Aggregates of whole clusters. What counts is how much clusters hold each other where all of their nodes move alike:
/// the sums of blocks, in which what a cluster holds within is nothing.
template <class Real, int size>
Aggregates aggregates_of(const BlockMatrix<Real, size, size>& matrix, const Nodes<Real, size>& nodes, int threads) {
  const Clusters& clusters = nodes.clusters;
  if (!clusters.any() && nodes.near.rows() == 0) return aggregate(matrix.pattern, strengths(matrix, threads), weak);
  const Transposed members = clusters.members();
  const auto is_near = [&](std::int64_t row, std::int32_t column) {
    if (nodes.near.rows() == 0) return true;
    const auto *begin = nodes.near.column.data() + nodes.near.start.data()[row],
               *end = nodes.near.column.data() + nodes.near.start.data()[row + 1];
    return std::find(begin, end, column) != end;
  };
  const auto sums = by_rows<Real, size, size>(
      clusters.count, clusters.count, threads, [] { return true; },
      [&](RowMaker& maker, std::int64_t cluster, auto& blocks) {
        (void)place(maker, static_cast<std::int32_t>(cluster), blocks);
        for (std::int64_t m = members.pattern.start.data()[cluster]; m < members.pattern.start.data()[cluster + 1];
             ++m) {
          const std::int32_t row = members.pattern.column.data()[m];
          for (std::int64_t b = matrix.pattern.start.data()[row]; b < matrix.pattern.start.data()[row + 1]; ++b) {
            const std::int32_t column = matrix.pattern.column.data()[b];
            if (column >= matrix.pattern.rows() || !is_near(row, column)) continue;
            auto& sum = place(maker, clusters.of.data()[column], blocks);
            for (std::size_t v = 0; v < size * size; ++v) sum.value[v] += matrix.block.data()[b].value[v];
          }
        }
      });
  const Aggregates found = aggregate(sums.pattern, strengths(sums, threads), weak);
  Aggregates result{{}, found.count};
  for (const std::int32_t cluster : clusters.of) result.of.push_back(found.of.data()[cluster]);
  return result;
}

template <class Real, int size>
Aggregated<Real, size> aggregated(const BlockMatrix<Real, size, size>& matrix, const Nodes<Real, size>& nodes,
                                  int threads) {
  Aggregated<Real, size> result{aggregates_of(matrix, nodes, threads), {}, {}};
  Pattern membership;
  membership.columns = result.aggregates.count;
  for (const std::int32_t aggregate : result.aggregates.of) {
    if (aggregate != Aggregates::none) membership.column.push_back(aggregate);
    membership.start.push_back(membership.blocks());
  }
  const Transposed members = transpose(membership);
  result.coarse.resize(static_cast<std::size_t>(result.aggregates.count));
  result.columns.resize(static_cast<std::size_t>(matrix.pattern.rows()));
  for_rows(result.aggregates.count, threads, [&](std::int64_t one) {
    orthonormal(members, one, nodes.motions, result.columns, result.coarse.data()[one]);
  });
  return result;
}

/// The middle of each aggregate's nodes.
inline std::vector<Point> middles(const Aggregates& aggregates, const std::vector<Point>& at) {
  std::vector<Point> result(static_cast<std::size_t>(aggregates.count));
  std::vector<double> counts(result.size());
  for (std::size_t node = 0; node < aggregates.of.size(); ++node) {
    if (aggregates.of[node] == Aggregates::none) continue;
    const auto aggregate = static_cast<std::size_t>(aggregates.of[node]);
    ++counts[aggregate];
    for (std::size_t d = 0; d < components; ++d) result[aggregate][d] += at[node][d];
  }
  for (std::size_t one = 0; one < result.size(); ++one) {
    for (double& value : result[one]) value /= std::max(counts[one], 1.0);
  }
  return result;
}

/// Which aggregates have nodes that are neighbours; `aggregates` knows those of all columns.
inline Pattern neighbours_of(const Aggregates& aggregates, const Pattern& nodes, int threads) {
  Pattern membership;
  membership.columns = aggregates.count;
  for (std::int64_t row = 0; row < nodes.rows(); ++row) {
    const std::int32_t own = aggregates.of.data()[row];
    if (own != Aggregates::none) membership.column.push_back(own);
    membership.start.push_back(membership.blocks());
  }
  const Transposed members = transpose(membership);
  return by_rows<float, 1, 1>(
             aggregates.count, aggregates.count, threads, [] { return true; },
             [&](RowMaker& maker, std::int64_t one, auto& blocks) {
               for (std::int64_t m = members.pattern.start.data()[one]; m < members.pattern.start.data()[one + 1];
                    ++m) {
                 const std::int32_t row = members.pattern.column.data()[m];
                 for (std::int64_t b = nodes.start.data()[row]; b < nodes.start.data()[row + 1]; ++b) {
                   const std::int32_t column = nodes.column.data()[b];
                   if (aggregates.of.data()[column] == Aggregates::none) continue;
                   (void)place(maker, aggregates.of.data()[column], blocks);
                 }
               }
             })
      .pattern;
}

/// Aggregates' columns, which are known for all columns of the matrix, as a matrix: how aggregates move nodes.
template <class Real, int size>
BlockMatrix<Real, size, rigid_motions> tentative(const Aggregated<Real, size>& nodes) {
  BlockMatrix<Real, size, rigid_motions> result;
  result.pattern.columns = nodes.aggregates.count;
  for (std::size_t node = 0; node < nodes.columns.size(); ++node) {
    if (nodes.aggregates.of[node] != Aggregates::none) {
      result.pattern.column.push_back(nodes.aggregates.of[node]);
      result.block.push_back(nodes.columns[node]);
    }
    result.pattern.start.push_back(result.pattern.blocks());
  }
  return result;
}

/// The coarser matrix: up^T matrix up, from the rows that `matrix` has. `known`: interpolation with rows for all of its
/// columns. Aggregates of none of its rows have no row. A row is made at once, up^T matrix first, so that what is
/// between stays in the cache.
template <class Real, int size>
BlockMatrix<Real, rigid_motions, rigid_motions> coarser_matrix(const BlockMatrix<Real, size, rigid_motions>& up,
                                                               const Transposed& down,
                                                               const BlockMatrix<Real, size, size>& matrix,
                                                               const BlockMatrix<Real, size, rigid_motions>& known,
                                                               int threads, const GoOn& go_on) {
  const Pattern& rows = down.pattern;
  std::vector<std::optional<RowMaker>> between(static_cast<std::size_t>(threads));
  return by_rows<Real, rigid_motions, rigid_motions>(
      rows.rows(), rows.rows(), threads, go_on, [&](RowMaker& maker, std::int64_t row, auto& blocks) {
        const std::int64_t begin = rows.start.data()[row], end = rows.start.data()[row + 1];
        if (begin == end) return;
        std::optional<RowMaker>& nodes = between.data()[omp_get_thread_num()];
        if (!nodes) nodes.emplace(matrix.pattern.columns);
        nodes->begin();
        for (std::int64_t t = begin; t < end; ++t) nodes->take_columns(matrix.pattern, rows.column.data()[t]);
        WideRow<Real, size> left(*nodes);
        for (std::int64_t t = begin; t < end; ++t) {
          add_transposed_row(row_of(matrix, rows.column.data()[t]), up.block.data()[down.block.data()[t]],
                             left.blocks());
        }
        const std::vector<std::int32_t>& columns = nodes->columns();
        (void)maker.at(static_cast<std::int32_t>(row));
        for (const std::int32_t node : columns) maker.take_columns(known.pattern, node);
        WideRow<Real, rigid_motions> sum(maker);
        for (std::size_t i = 0; i < columns.size(); ++i) {
          add_wide_product(left.at(i), row_of(known, columns.data()[i]), sum.blocks());
        }
        sum.give(blocks);
        nodes->end();
      });
}

/// The nodes of the coarser level. Where interpolation is of a higher degree, aggregates that only meet through it are
/// no neighbours.
template <class Real, int size>
Nodes<Real, rigid_motions> coarser_nodes(const Pattern& pattern, const Nodes<Real, size>& fine,
                                         Aggregated<Real, size>& by, int degree, int threads) {
  Nodes<Real, rigid_motions> result;
  result.motions = std::move(by.coarse);
  result.at = middles(by.aggregates, fine.at);
  if (degree > 1) result.near = neighbours_of(by.aggregates, fine.near.rows() > 0 ? fine.near : pattern, threads);
  return result;
}

/// Makes a stage's way to a coarser one, and that one's matrix and nodes.
template <class Real, int size>
std::pair<Stage<Real, rigid_motions>, Nodes<Real, rigid_motions>> coarsen(Stage<Real, size>& fine,
                                                                          const Nodes<Real, size>& nodes, int degree,
                                                                          int threads, const GoOn& go_on) {
  Aggregated<Real, size> by = aggregated(fine.matrix, nodes, threads);
  Interpolation<Real, size> interpolation(fine, tentative(by), degree, threads, go_on);
  auto added = interpolation.step(interpolation.start());
  for (int step = 1; step < degree; ++step) added = interpolation.step(added);
  fine.up = interpolation.take();
  fine.down = transpose(fine.up.pattern);
  Stage<Real, rigid_motions> next;
  next.matrix = coarser_matrix(fine.up, fine.down, fine.matrix, fine.up, threads, go_on);
  return {std::move(next), coarser_nodes(fine.matrix.pattern, nodes, by, degree, threads)};
}

}  // namespace rooftop::elasticity
