/// Inverses of what a matrix has within each cluster of nodes.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "block_matrix.hpp"
#include "block_rows.hpp"
#include "cholesky.hpp"
#include "clusters.hpp"
#include "narrow_order.hpp"
#include "row_maker.hpp"

namespace rooftop::elasticity {

/// Clusters of few nodes have rows of an inverse, which is dense. Those of many, such as the layers of a boundary
/// layer, have Cholesky's factors, which are as narrow as the cluster is.
template <class Real, int size>
class ClusterInverse {
 public:
  ClusterInverse() = default;
  ClusterInverse(const BlockMatrix<Real, size, size>& matrix, const Clusters& clusters, int threads)
      : is_factored_(static_cast<std::size_t>(matrix.pattern.rows())) {
    const Transposed by_cluster = clusters.members();
    const Pattern& members = by_cluster.pattern;
    std::vector<std::int64_t> few, many;
    for (std::int64_t c = 0; c < clusters.count; ++c) (count_of(members, c) > most_inverted ? many : few).push_back(c);
    make_room(matrix.pattern.rows(), members, clusters);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 64)
    for (std::size_t f = 0; f < few.size(); ++f) invert(matrix, members, few.data()[f]);
    factored_.resize(many.size());
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
    for (std::size_t m = 0; m < many.size(); ++m) factored_.data()[m] = factored(matrix, members, many.data()[m]);
  }

  /// each(row, z) for all rows by threads, where z is that row of the inverse times x, which `each` leaves as it is.
  template <class Each>
  void for_products(const std::vector<Real>& x, int threads, Each each) const {
    const std::int64_t rows = rows_.pattern.rows();
#pragma omp parallel num_threads(threads)
    {
#pragma omp for schedule(dynamic, 256) nowait
      for (std::int64_t row = 0; row < rows; ++row) {
        if (is_factored_.data()[row] == 0) each(row, row_product(rows_, row, x.data()));
      }
      std::vector<double> values;
#pragma omp for schedule(dynamic, 1)
      for (std::size_t f = 0; f < factored_.size(); ++f) {
        const Factored& one = factored_.data()[f];
        values.resize(one.nodes.size() * size);
        for (std::size_t i = 0; i < values.size(); ++i) {
          values.data()[i] = static_cast<double>(x.data()[std::int64_t{size} * one.nodes.data()[i / size] + i % size]);
        }
        one.factor.solve(values);
        for (std::size_t node = 0; node < one.nodes.size(); ++node) {
          std::array<Real, static_cast<std::size_t>(size)> z;
          for (std::size_t i = 0; i < size; ++i) z[i] = static_cast<Real>(values.data()[node * size + i]);
          each(std::int64_t{one.nodes.data()[node]}, z);
        }
      }
    }
  }

  /// Whether each row is a cluster of its own.
  [[nodiscard]] bool each_alone() const { return factored_.empty() && rows_.pattern.blocks() == rows_.pattern.rows(); }
  /// The inverse of a row that is.
  [[nodiscard]] const Block<Real, size, size>& of_one(std::int64_t row) const { return rows_.block.data()[row]; }

  /// The inverse times a matrix.
  template <int width>
  [[nodiscard]] BlockMatrix<Real, size, width> times(const BlockMatrix<Real, size, width>& right, int threads,
                                                     const GoOn& go_on) const {
    std::vector<Solved<width>> solved(factored_.size());
    std::vector<std::pair<std::int32_t, std::int32_t>> place(factored_.empty() ? 0 : is_factored_.size());
#pragma omp parallel num_threads(threads)
    {
      RowMaker maker(right.pattern.columns);
#pragma omp for schedule(dynamic, 1)
      for (std::size_t f = 0; f < factored_.size(); ++f) {
        const Factored& one = factored_.data()[f];
        for (std::size_t node = 0; node < one.nodes.size(); ++node) {
          place.data()[one.nodes.data()[node]] = {static_cast<std::int32_t>(f), static_cast<std::int32_t>(node)};
        }
        if (go_on()) solved.data()[f] = solved_for(one, right, maker);
      }
    }
    return by_rows<Real, size, width>(rows_.pattern.rows(), right.pattern.columns, threads, go_on,
                                      [&](RowMaker& maker, std::int64_t row, auto& blocks) {
                                        if (is_factored_.data()[row] == 0)
                                          return make_row_product(rows_, row, right, maker, blocks);
                                        const auto& [f, node] = place.data()[row];
                                        const Solved<width>& of = solved.data()[f];
                                        for (std::size_t c = 0; c < of.columns.size(); ++c) {
                                          rooftop::elasticity::place(maker, of.columns.data()[c], blocks) =
                                              of.block.data()[static_cast<std::size_t>(node) * of.columns.size() + c];
                                        }
                                      });
  }

  [[nodiscard]] double bytes() const {
    double sum = rows_.bytes() + static_cast<double>(is_factored_.size());
    for (const Factored& one : factored_) {
      sum += one.factor.bytes() + static_cast<double>(one.nodes.size() * sizeof(std::int32_t));
    }
    return sum;
  }

 private:
  static constexpr std::int64_t most_inverted =
      32;  // nodes: their inverse takes no more than the rows of the matrix do
  static constexpr double least = sizeof(Real) == sizeof(float) ? 1e-6 : 1e-13;  // pivots by what they were

  struct Factored {
    std::vector<std::int32_t> nodes;  // in the factor's order
    Cholesky factor{Envelope({}), least};
  };
  /// The inverse of a cluster times its rows of a matrix: a block for each of its nodes and each column.
  template <int width>
  struct Solved {
    std::vector<std::int32_t> columns;
    std::vector<Block<Real, size, width>> block;
  };

  static std::int64_t count_of(const Pattern& members, std::int64_t cluster) {
    return members.start.data()[cluster + 1] - members.start.data()[cluster];
  }

  /// The pattern of rows_: nothing for nodes of large clusters.
  void make_room(std::int64_t rows, const Pattern& members, const Clusters& clusters) {
    rows_.pattern.columns = rows;
    for (std::int64_t row = 0; row < rows; ++row) {
      const std::int64_t cluster = clusters.of.data()[row], count = count_of(members, cluster);
      is_factored_.data()[row] = count > most_inverted ? 1 : 0;
      if (count <= most_inverted) {
        const auto first = members.column.begin() + members.start.data()[cluster];
        rows_.pattern.column.insert(rows_.pattern.column.end(), first, first + count);
      }
      rows_.pattern.start.push_back(rows_.pattern.blocks());
    }
    rows_.block.resize(rows_.pattern.column.size());
  }

  /// each(i, j, block) for what the matrix has between the i-th and the j-th node of a cluster.
  template <class Each>
  static void for_blocks(const BlockMatrix<Real, size, size>& matrix, const Pattern& members, std::int64_t cluster,
                         Each each) {
    const std::int32_t* nodes = members.column.data() + members.start.data()[cluster];
    const std::int64_t count = count_of(members, cluster);
    for (std::int64_t i = 0; i < count; ++i) {
      for (std::int64_t b = matrix.pattern.start.data()[nodes[i]]; b < matrix.pattern.start.data()[nodes[i] + 1]; ++b) {
        const std::int32_t column = matrix.pattern.column.data()[b];
        const std::int32_t* found = std::lower_bound(nodes, nodes + count, column);
        if (found != nodes + count && *found == column) each(i, found - nodes, matrix.block.data()[b]);
      }
    }
  }

  void invert(const BlockMatrix<Real, size, size>& matrix, const Pattern& members, std::int64_t cluster) {
    const auto count = static_cast<std::size_t>(count_of(members, cluster)), wide = size * count;
    std::vector<double> full(wide * wide);
    for_blocks(matrix, members, cluster, [&](std::int64_t i, std::int64_t j, const auto& block) {
      for (std::size_t v = 0; v < size * size; ++v) {
        full[(size * static_cast<std::size_t>(i) + v / size) * wide + size * static_cast<std::size_t>(j) + v % size] =
            static_cast<double>(block.value[v]);
      }
    });
    elasticity::invert(full, wide, least);
    const std::int32_t* nodes = members.column.data() + members.start.data()[cluster];
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = 0; j < count; ++j) {
        auto& block = rows_.block.data()[rows_.pattern.start.data()[nodes[i]] + static_cast<std::int64_t>(j)];
        for (std::size_t v = 0; v < size * size; ++v) {
          block.value[v] = static_cast<Real>(full[(size * i + v / size) * wide + size * j + v % size]);
        }
      }
    }
  }

  static Factored factored(const BlockMatrix<Real, size, size>& matrix, const Pattern& members, std::int64_t cluster) {
    const std::int64_t count = count_of(members, cluster);
    Pattern within;
    within.columns = count;
    for_blocks(matrix, members, cluster, [&](std::int64_t i, std::int64_t j, const auto&) {
      while (within.rows() < i) within.start.push_back(within.blocks());
      within.column.push_back(static_cast<std::int32_t>(j));
    });
    while (within.rows() < count) within.start.push_back(within.blocks());
    const std::vector<std::int32_t> order = narrow_order(within);
    std::vector<std::int64_t> at(order.size());
    Factored result;
    for (std::size_t i = 0; i < order.size(); ++i) {
      at[static_cast<std::size_t>(order[i])] = static_cast<std::int64_t>(i);
      result.nodes.push_back(members.column.data()[members.start.data()[cluster] + order[i]]);
    }
    Envelope envelope(first_columns(within, order, size));
    for_blocks(matrix, members, cluster, [&](std::int64_t i, std::int64_t j, const auto& block) {
      for (std::int64_t v = 0; v < size * size; ++v) {
        const std::int64_t row = size * at.data()[i] + v / size, column = size * at.data()[j] + v % size;
        if (column > row) continue;
        envelope.row(row)[column - envelope.first(row)] = static_cast<double>(block.value.data()[v]);
      }
    });
    result.factor = Cholesky(std::move(envelope), least, SmallPivot::left_out);
    return result;
  }

  template <int width>
  static Solved<width> solved_for(const Factored& one, const BlockMatrix<Real, size, width>& right, RowMaker& maker) {
    Solved<width> result;
    const Pattern& pattern = right.pattern;
    maker.begin();
    const auto for_values = [&](auto each) {
      for (std::size_t i = 0; i < one.nodes.size(); ++i) {
        const std::int32_t node = one.nodes.data()[i];
        for (std::int64_t b = pattern.start.data()[node]; b < pattern.start.data()[node + 1]; ++b) {
          each(i, maker.at(pattern.column.data()[b]), right.block.data()[b]);
        }
      }
    };
    for_values([](std::size_t, std::size_t, const auto&) {});
    result.columns = maker.columns();
    const std::size_t columns = result.columns.size(), rows = one.nodes.size() * size;
    std::vector<double> values(columns * width * rows);  // one right-hand side after the other
    for_values([&](std::size_t i, std::size_t column, const Block<Real, size, width>& block) {
      for (std::size_t v = 0; v < block.value.size(); ++v) {
        values.data()[(column * width + v % width) * rows + i * size + v / width] = static_cast<double>(block.value[v]);
      }
    });
    maker.end();
    for (std::size_t side = 0; side < columns * width; ++side) {
      one.factor.solve(std::span(values).subspan(side * rows, rows));
    }
    result.block.resize(one.nodes.size() * columns);
    for (std::size_t i = 0; i < one.nodes.size(); ++i) {
      for (std::size_t column = 0; column < columns; ++column) {
        auto& block = result.block.data()[i * columns + column];
        for (std::size_t v = 0; v < block.value.size(); ++v) {
          block.value[v] = static_cast<Real>(values.data()[(column * width + v % width) * rows + i * size + v / width]);
        }
      }
    }
    return result;
  }

  BlockMatrix<Real, size, size> rows_;
  std::vector<std::uint8_t> is_factored_;  // of each row: whether its cluster is
  std::vector<Factored> factored_;
};

}  // namespace rooftop::elasticity
