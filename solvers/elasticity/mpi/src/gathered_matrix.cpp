#include "gathered_matrix.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "coarser_stage.hpp"

namespace rooftop::elasticity {
namespace {

constexpr int column_tag = 3, block_tag = 4;

/// Rows of own nodes that a neighbour is sent, or rows of copies that it sends, behind each other.
template <class Real>
struct Rows {
  std::vector<std::int32_t> column;
  std::vector<Block<Real, components, rigid_motions>> block;
};

template <class Real>
Rows<Real> rows_of(const BlockMatrix<Real, components, rigid_motions>& own, const std::vector<Run>& nodes) {
  Rows<Real> result;
  for (const Run& run : nodes) {
    const auto begin = own.pattern.start[static_cast<std::size_t>(run.begin)],
               end = own.pattern.start[static_cast<std::size_t>(run.begin + run.count)];
    result.column.insert(result.column.end(), own.pattern.column.begin() + begin, own.pattern.column.begin() + end);
    result.block.insert(result.block.end(), own.block.begin() + begin, own.block.begin() + end);
  }
  return result;
}

}  // namespace

template <class Real>
BlockMatrix<Real, components, rigid_motions> with_rows_of_copies(
    const BlockMatrix<Real, components, rigid_motions>& own, std::int64_t all, NodeExchange& exchange) {
  const Communicator& ranks = exchange.ranks();
  const std::vector<Neighbour>& neighbours = exchange.neighbours();
  const std::int64_t rows = own.pattern.rows();
  std::vector<std::int32_t> lengths;
  ranks.together([&] {
    lengths.resize(static_cast<std::size_t>(all));
    for (std::int64_t row = 0; row < rows; ++row) {
      lengths.data()[row] =
          static_cast<std::int32_t>(own.pattern.start.data()[row + 1] - own.pattern.start.data()[row]);
    }
  });
  exchange.fetch(lengths);
  BlockMatrix<Real, components, rigid_motions> result;
  std::vector<Rows<Real>> sent, received;
  ranks.together([&] {
    result.pattern.columns = own.pattern.columns;
    for (const std::int32_t length : lengths) result.pattern.start.push_back(result.pattern.start.back() + length);
    result.pattern.column.resize(static_cast<std::size_t>(result.pattern.start.back()));
    result.block.resize(result.pattern.column.size());
    std::ranges::copy(own.pattern.column, result.pattern.column.begin());
    std::ranges::copy(own.block, result.block.begin());
    for (const Neighbour& one : neighbours) {
      sent.push_back(rows_of(own, one.sent));
      received.emplace_back();
      for (const Run& run : one.received) {
        const auto blocks =
            static_cast<std::size_t>(result.pattern.start[static_cast<std::size_t>(run.begin + run.count)] -
                                     result.pattern.start[static_cast<std::size_t>(run.begin)]);
        received.back().column.resize(received.back().column.size() + blocks);
        received.back().block.resize(received.back().block.size() + blocks);
      }
    }
  });
  std::vector<MPI_Request> requests;
  requests.reserve(4 * neighbours.size());
  constexpr int values = components * rigid_motions;
  const MPI_Datatype of_value = sizeof(Real) == sizeof(float) ? MPI_FLOAT : MPI_DOUBLE;
  for (std::size_t i = 0; i < neighbours.size(); ++i) {
    Rows<Real>&from = received[i], &to = sent[i];
    const int rank = neighbours[i].rank, in = static_cast<int>(from.column.size()),
              out = static_cast<int>(to.column.size());
    MPI_Irecv(from.column.data(), in, MPI_INT32_T, rank, column_tag, ranks.get(), &requests.emplace_back());
    MPI_Irecv(from.block.data(), in * values, of_value, rank, block_tag, ranks.get(), &requests.emplace_back());
    MPI_Isend(to.column.data(), out, MPI_INT32_T, rank, column_tag, ranks.get(), &requests.emplace_back());
    MPI_Isend(to.block.data(), out * values, of_value, rank, block_tag, ranks.get(), &requests.emplace_back());
  }
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  for (std::size_t i = 0; i < neighbours.size(); ++i) {
    std::int64_t taken = 0;
    for (const Run& run : neighbours[i].received) {
      const std::int64_t begin = result.pattern.start[static_cast<std::size_t>(run.begin)],
                         count = result.pattern.start[static_cast<std::size_t>(run.begin + run.count)] - begin;
      std::copy_n(received[i].column.begin() + taken, count, result.pattern.column.begin() + begin);
      std::copy_n(received[i].block.begin() + taken, count, result.block.begin() + begin);
      taken += count;
    }
  }
  return result;
}

template BlockMatrix<float, components, rigid_motions> with_rows_of_copies(
    const BlockMatrix<float, components, rigid_motions>&, std::int64_t, NodeExchange&);
template BlockMatrix<double, components, rigid_motions> with_rows_of_copies(
    const BlockMatrix<double, components, rigid_motions>&, std::int64_t, NodeExchange&);

template <class Real>
BlockMatrix<Real, rigid_motions, rigid_motions> sum_of_matrices(BlockMatrix<Real, rigid_motions, rigid_motions> own,
                                                                int threads, const GoOn& go_on,
                                                                const Communicator& ranks) {
  using Square = Block<Real, rigid_motions, rigid_motions>;
  const std::int64_t rows = own.pattern.rows();
  std::vector<std::int32_t> row;
  ranks.together([&] {
    for (std::int64_t r = 0; r < rows; ++r) {
      row.insert(row.end(), static_cast<std::size_t>(own.pattern.start.data()[r + 1] - own.pattern.start.data()[r]),
                 static_cast<std::int32_t>(r));
    }
  });
  // All blocks, rank after rank.
  Pattern where;
  where.columns = rows;
  where.column = ranks.gather(std::span<const std::int32_t>(row));
  const std::vector<std::int32_t> column = ranks.gather(std::span<const std::int32_t>(own.pattern.column));
  const std::vector<Square> block = ranks.gather(std::span<const Square>(own.block));
  own = {};
  BlockMatrix<Real, rigid_motions, rigid_motions> result;
  ranks.together([&] {
    while (where.rows() < where.blocks()) where.start.push_back(where.rows() + 1);
    const Pattern of_row = transpose(where).pattern;
    result = by_rows<Real, rigid_motions, rigid_motions>(
        rows, rows, threads, go_on, [&](RowMaker& maker, std::int64_t r, auto& blocks) {
          (void)place(maker, static_cast<std::int32_t>(r), blocks);
          for (std::int64_t t = of_row.start.data()[r]; t < of_row.start.data()[r + 1]; ++t) {
            const auto at = static_cast<std::size_t>(of_row.column.data()[t]);
            Square& sum = place(maker, column[at], blocks);
            for (std::size_t v = 0; v < sum.value.size(); ++v) sum.value[v] += block[at].value[v];
          }
        });
  });
  return result;
}

template BlockMatrix<float, rigid_motions, rigid_motions> sum_of_matrices(
    BlockMatrix<float, rigid_motions, rigid_motions>, int, const GoOn&, const Communicator&);
template BlockMatrix<double, rigid_motions, rigid_motions> sum_of_matrices(
    BlockMatrix<double, rigid_motions, rigid_motions>, int, const GoOn&, const Communicator&);

Pattern gathered_pattern(const std::vector<std::int32_t>& row, const std::vector<std::int32_t>& column,
                         std::int64_t rows, const Communicator& ranks) {
  const std::vector<std::int32_t> all_rows = ranks.gather(std::span<const std::int32_t>(row)),
                                  all_columns = ranks.gather(std::span<const std::int32_t>(column));
  Pattern result;
  ranks.together([&] {
    Pattern where;
    where.columns = rows;
    where.column = all_rows;
    while (where.rows() < where.blocks()) where.start.push_back(where.rows() + 1);
    const Pattern of_row = transpose(where).pattern;
    result = by_rows<float, 1, 1>(
                 rows, rows, 1, [] { return true; },
                 [&](RowMaker& maker, std::int64_t r, auto& blocks) {
                   for (std::int64_t t = of_row.start.data()[r]; t < of_row.start.data()[r + 1]; ++t) {
                     (void)place(maker, all_columns[static_cast<std::size_t>(of_row.column.data()[t])], blocks);
                   }
                 })
                 .pattern;
  });
  return result;
}

}  // namespace rooftop::elasticity
