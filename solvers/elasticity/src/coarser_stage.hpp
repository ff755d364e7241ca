/// How a level of aggregation is made from the one before.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "aggregation.hpp"
#include "block_matrix.hpp"
#include "stage.hpp"

namespace rooftop::elasticity {

constexpr float weak = 0.02F;  // neighbours that matter so little are in no aggregate together

/// How much each block counts, by the Frobenius norm relative to those of the two diagonal blocks; nothing beside the
/// rows' own columns.
template <int size>
std::vector<float> strengths(const BlockMatrix<float, size, size>& matrix, int threads) {
  const Pattern& pattern = matrix.pattern;
  const auto norm = [&](std::int64_t b) {
    float sum = 0;
    for (const float v : matrix.block.data()[b].value) sum += v * v;
    return std::sqrt(sum);
  };
  std::vector<float> own(static_cast<std::size_t>(pattern.columns)), result(pattern.column.size());
  for_rows(pattern.rows(), threads, [&](std::int64_t row) {
    for (std::int64_t b = pattern.start.data()[row]; b < pattern.start.data()[row + 1]; ++b) {
      if (pattern.column.data()[b] == row) own.data()[row] = norm(b);
    }
  });
  for_rows(pattern.rows(), threads, [&](std::int64_t row) {
    for (std::int64_t b = pattern.start.data()[row]; b < pattern.start.data()[row + 1]; ++b) {
      const float both = own.data()[row] * own.data()[pattern.column.data()[b]];
      result.data()[b] = both > 0 ? norm(b) / std::sqrt(both) : 0;
    }
  });
  return result;
}

/// Motions of the nodes of an aggregate, made orthonormal (Gram and Schmidt, twice): those of the aggregate are how
/// they were mixed. A motion that depends on others is left out.
template <int size>
void orthonormal(const Transposed& members, std::int64_t aggregate, const Motions<size>& motions,
                 std::vector<Block<float, size, rigid_motions>>& columns,
                 Block<float, rigid_motions, rigid_motions>& mixed) {
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
        mixed(earlier, c) += static_cast<float>(part);
        for (auto& block : q) {
          for (std::size_t r = 0; r < size; ++r) block(r, c) -= part * block(r, earlier);
        }
      }
    }
    const double square = dot(c, c);
    const bool there = square > 1e-8 * before && square > 0;
    const double length = there ? std::sqrt(square) : 0;
    mixed(c, c) = static_cast<float>(length);
    for (auto& block : q) {
      for (std::size_t r = 0; r < size; ++r) block(r, c) = there ? block(r, c) / length : 0;
    }
  }
  for (std::size_t i = 0; i < q.size(); ++i) {
    const auto node = static_cast<std::size_t>(members.pattern.column[static_cast<std::size_t>(begin) + i]);
    for (std::size_t v = 0; v < q[i].value.size(); ++v) columns[node].value[v] = static_cast<float>(q[i].value[v]);
  }
}

/// Rows that are made one after the other by threads, each with a place for every column.
class RowMaker {
 public:
  explicit RowMaker(std::int64_t columns) : place_(static_cast<std::size_t>(columns), -1) {}

  void begin() { columns_.clear(); }
  /// Where a column is in this row.
  std::size_t at(std::int32_t column) {
    std::int32_t& place = place_[static_cast<std::size_t>(column)];
    if (place < 0) {
      place = static_cast<std::int32_t>(columns_.size());
      columns_.push_back(column);
    }
    return static_cast<std::size_t>(place);
  }
  [[nodiscard]] const std::vector<std::int32_t>& columns() const { return columns_; }
  void end() {
    for (const std::int32_t column : columns_) place_[static_cast<std::size_t>(column)] = -1;
  }

 private:
  std::vector<std::int32_t> place_, columns_;
};

/// A matrix whose rows are made by make(maker, row, blocks): it asks the maker for places and adds to blocks there.
/// Where `go_on` says no, rows that are left are empty.
template <int height, int width, class Make>
BlockMatrix<float, height, width> by_rows(std::int64_t rows, std::int64_t columns, int threads, const GoOn& go_on,
                                          Make make) {
  using One = Block<float, height, width>;
  struct Part {
    std::vector<std::int64_t> ends;
    std::vector<std::int32_t> column;
    std::vector<One> block;
  };
  std::vector<Part> parts(static_cast<std::size_t>(threads));
#pragma omp parallel num_threads(threads)
  {
    const Share own = share_of(rows);
    Part& part = parts[static_cast<std::size_t>(omp_get_thread_num())];
    RowMaker maker(columns);
    std::vector<One> blocks;
    bool wanted = true;
    for (std::int64_t row = own.begin; row < own.end; ++row) {
      if (row % 64 == 0) wanted = wanted && go_on();
      maker.begin();
      blocks.clear();
      if (wanted) make(maker, row, blocks);
      part.column.insert(part.column.end(), maker.columns().begin(), maker.columns().end());
      part.block.insert(part.block.end(), blocks.begin(), blocks.end());
      part.ends.push_back(static_cast<std::int64_t>(part.column.size()));
      maker.end();
    }
  }
  BlockMatrix<float, height, width> result;
  result.pattern.columns = columns;
  for (const Part& part : parts) {
    const std::int64_t before = result.pattern.blocks();
    for (const std::int64_t end : part.ends) result.pattern.start.push_back(before + end);
    result.pattern.column.insert(result.pattern.column.end(), part.column.begin(), part.column.end());
    result.block.insert(result.block.end(), part.block.begin(), part.block.end());
  }
  return result;
}

template <class One>
One& place(RowMaker& maker, std::int32_t column, std::vector<One>& blocks) {
  const std::size_t at = maker.at(column);
  if (at >= blocks.size()) blocks.resize(at + 1);
  return blocks[at];
}

/// Nodes in aggregates.
template <int size>
struct Aggregated {
  Aggregates aggregates;
  Motions<size> columns;          // of each node, orthonormal in its aggregate
  Motions<rigid_motions> coarse;  // of the aggregates
};
template <int size>
Aggregated<size> aggregated(const BlockMatrix<float, size, size>& matrix, const Motions<size>& motions, int threads) {
  Aggregated<size> result{aggregate(matrix.pattern, strengths(matrix, threads), weak), {}, {}};
  Pattern membership;
  membership.columns = result.aggregates.count;
  for (const std::int32_t aggregate : result.aggregates.of) {
    if (aggregate != Aggregates::none) membership.column.push_back(aggregate);
    membership.start.push_back(membership.blocks());
  }
  const Transposed members = transpose(membership);
  result.coarse.resize(static_cast<std::size_t>(result.aggregates.count));
  result.columns.resize(static_cast<std::size_t>(matrix.pattern.rows()));
  for_rows(result.aggregates.count, threads,
           [&](std::int64_t one) { orthonormal(members, one, motions, result.columns, result.coarse.data()[one]); });
  return result;
}

/// Interpolation: (I - w D^-1 A) times the aggregates' columns, which are known for all columns of the matrix.
template <int size>
BlockMatrix<float, size, rigid_motions> interpolation(const Stage<size>& fine, const Aggregated<size>& nodes,
                                                      int threads, const GoOn& go_on) {
  const BlockMatrix<float, size, size>& matrix = fine.matrix;
  const std::int32_t* of = nodes.aggregates.of.data();
  const float weight = 4.0F / 3.0F / fine.largest;
  return by_rows<size, rigid_motions>(
      fine.rows(), nodes.aggregates.count, threads, go_on, [&](RowMaker& maker, std::int64_t row, auto& blocks) {
        if (of[row] == Aggregates::none) return;
        std::vector<Block<float, size, rigid_motions>> sums;
        for (std::int64_t b = matrix.pattern.start.data()[row]; b < matrix.pattern.start.data()[row + 1]; ++b) {
          const std::int32_t column = matrix.pattern.column.data()[b];
          if (of[column] == Aggregates::none) continue;
          add_product(matrix.block.data()[b], nodes.columns.data()[column], place(maker, of[column], sums));
        }
        Block<float, size, size> scaled = fine.inverse.data()[row];
        for (float& value : scaled.value) value *= -weight;
        blocks.resize(sums.size());
        for (std::size_t i = 0; i < sums.size(); ++i) add_product(scaled, sums[i], blocks[i]);
        auto& own = place(maker, of[row], blocks);
        for (std::size_t v = 0; v < own.value.size(); ++v) own.value[v] += nodes.columns.data()[row].value[v];
      });
}

/// The matrix times interpolation, of which `up` has the rows of all of the matrix' columns.
template <int size>
BlockMatrix<float, size, rigid_motions> product(const BlockMatrix<float, size, size>& matrix,
                                                const BlockMatrix<float, size, rigid_motions>& up, int threads,
                                                const GoOn& go_on) {
  return by_rows<size, rigid_motions>(
      matrix.pattern.rows(), up.pattern.columns, threads, go_on, [&](RowMaker& maker, std::int64_t row, auto& blocks) {
        for (std::int64_t b = matrix.pattern.start.data()[row]; b < matrix.pattern.start.data()[row + 1]; ++b) {
          const std::int64_t column = matrix.pattern.column.data()[b];
          for (std::int64_t p = up.pattern.start.data()[column]; p < up.pattern.start.data()[column + 1]; ++p) {
            add_product(matrix.block.data()[b], up.block.data()[p], place(maker, up.pattern.column.data()[p], blocks));
          }
        }
      });
}

/// The coarser matrix: up^T times `product`, of the rows that both have. Aggregates of none of them have no row.
template <int size>
BlockMatrix<float, rigid_motions, rigid_motions> coarser_matrix(const BlockMatrix<float, size, rigid_motions>& up,
                                                                const Transposed& down,
                                                                const BlockMatrix<float, size, rigid_motions>& product,
                                                                int threads, const GoOn& go_on) {
  const Pattern& rows = down.pattern;
  return by_rows<rigid_motions, rigid_motions>(
      rows.rows(), rows.rows(), threads, go_on, [&](RowMaker& maker, std::int64_t row, auto& blocks) {
        if (rows.start.data()[row] == rows.start.data()[row + 1]) return;
        (void)place(maker, static_cast<std::int32_t>(row), blocks);
        for (std::int64_t t = rows.start.data()[row]; t < rows.start.data()[row + 1]; ++t) {
          const auto& left = up.block[static_cast<std::size_t>(down.block.data()[t])];
          const std::int64_t node = rows.column.data()[t];
          for (std::int64_t p = product.pattern.start.data()[node]; p < product.pattern.start.data()[node + 1]; ++p) {
            add_transposed_product(left, product.block.data()[p],
                                   place(maker, product.pattern.column.data()[p], blocks));
          }
        }
      });
}

/// Makes a stage's way to a coarser one, and that one's matrix and motions.
template <int size>
std::pair<Stage<rigid_motions>, Motions<rigid_motions>> coarsen(Stage<size>& fine, const Motions<size>& motions,
                                                                int threads, const GoOn& go_on) {
  Aggregated<size> nodes = aggregated(fine.matrix, motions, threads);
  fine.up = interpolation(fine, nodes, threads, go_on);
  fine.down = transpose(fine.up.pattern);
  Stage<rigid_motions> next;
  next.matrix = coarser_matrix(fine.up, fine.down, product(fine.matrix, fine.up, threads, go_on), threads, go_on);
  return {std::move(next), std::move(nodes.coarse)};
}

}  // namespace rooftop::elasticity
