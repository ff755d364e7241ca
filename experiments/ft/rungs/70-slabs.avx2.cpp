/// Ranks of MPI instead of threads: each has whole planes for x and y, and rows of all planes for z.
/// Changed from 60-two-sweeps: between the sweeps stands an exchange. Forth, planes' rows are packed by ranks that they
/// go to, MPI_Alltoallv brings them, and they are unpacked row by row, so that a row's columns lie together; back the
/// other way. Nothing is computed meanwhile. Limit attacked: one machine's memory, and its cores'. Evidence: more
/// nodes, less time; on one node slower than threads, by 96 bytes that each point moves beside 64, and MPI's own
/// copies. Source: NPB's FT by slabs (1-D layout), its transpose_local, transpose_global and transpose_finish.
// needs: MPI
#include <mpi.h>

#include <algorithm>
#include <rooftop/aligned.hpp>
#include <rooftop/rung.hpp>
#include <vector>

#include "slabs.hpp"

namespace {

using ft::Complex;
using ft::Index;
using ft::Part;

/// Rows to or from each rank, in the terms of MPI_Alltoallv.
struct Counts {
  std::vector<int> counts, before;

  template <typename RowsOf>
  Counts(int ranks, const RowsOf& rows_of) {
    int sum = 0;
    for (int rank = 0; rank < ranks; ++rank) {
      counts.push_back(static_cast<int>(rows_of(rank)));
      before.push_back(sum);
      sum += counts.back();
    }
  }
};

class SlabRanks : public ft::Slabs {
 public:
  explicit SlabRanks(const ft::Problem& problem)
      : Slabs(problem, ft::batch_lines, true),
        of_planes_(problem.ranks, [this](Index rank) { return planes().count * rows_of(rank).count; }),
        of_modes_(problem.ranks, [this](Index rank) { return planes_of(rank).count * rows().count; }),
        field_(plane_values()),
        modes_(mode_values()),
        sent_(std::max(plane_values(), mode_values())),
        received_(std::max(plane_values(), mode_values())) {
    // Counted by rows, nothing exceeds an int.
    MPI_Type_contiguous(static_cast<int>(2 * problem.nx), MPI_DOUBLE, &row_);
    MPI_Type_commit(&row_);
  }
  SlabRanks(const SlabRanks&) = delete;
  SlabRanks& operator=(const SlabRanks&) = delete;
  ~SlabRanks() override { MPI_Type_free(&row_); }

 private:
  void forward() override {
    transform_planes(1, field_.data());
    each_row_of_planes(field_.data(), sent_.data(),
                       [](Complex* there, Complex* packed, Index nx) { std::copy_n(there, nx, packed); });
    exchange(of_planes_, of_modes_);
    each_row_of_modes(modes_.data(), received_.data(),
                      [](Complex* there, Complex* packed, Index nx) { std::copy_n(packed, nx, there); });
    transform_columns(1, columns_between(modes_.data(), modes_.data()), 0);
  }

  void backward(int t) override {
    Complex* const transformed = received_.data();
    transform_columns(-1, columns_between(modes_.data(), transformed), t);
    each_row_of_modes(transformed, sent_.data(),
                      [](Complex* there, Complex* packed, Index nx) { std::copy_n(there, nx, packed); });
    exchange(of_modes_, of_planes_);
    each_row_of_planes(field_.data(), received_.data(),
                       [](Complex* there, Complex* packed, Index nx) { std::copy_n(packed, nx, there); });
    transform_planes(-1, field_.data());
  }

  void exchange(const Counts& from, const Counts& to) {
    MPI_Alltoallv(sent_.data(), from.counts.data(), from.before.data(), row_, received_.data(), to.counts.data(),
                  to.before.data(), row_, MPI_COMM_WORLD);
  }

  /// Calls with every row of this rank's planes, and where it is packed: a rank's rows together.
  template <typename Copy>
  void each_row_of_planes(Complex* values, Complex* packed, const Copy& copy) const {
    const ft::Problem& p = problem();
#pragma omp parallel for num_threads(p.threads) schedule(static)
    for (Index z = 0; z < planes().count; ++z) {
      for (int rank = 0; rank < p.ranks; ++rank) {
        const Part rows = rows_of(rank);
        const Index before = of_planes_.before[static_cast<std::size_t>(rank)] + z * rows.count;
        for (Index row = 0; row < rows.count; ++row) {
          copy(values + (z * p.ny + rows.first + row) * p.nx, packed + (before + row) * p.nx, p.nx);
        }
      }
    }
  }
  /// The same of its modes.
  template <typename Copy>
  void each_row_of_modes(Complex* values, Complex* packed, const Copy& copy) const {
    const ft::Problem& p = problem();
    // Ranks have planes in their order, hence all rows lie plane by plane.
#pragma omp parallel for num_threads(p.threads) schedule(static)
    for (Index z = 0; z < p.nz; ++z) {
      for (Index row = 0; row < rows().count; ++row) {
        copy(values + (row * p.nz + z) * p.nx, packed + (z * rows().count + row) * p.nx, p.nx);
      }
    }
  }

  [[nodiscard]] const Complex* field() const override { return field_.data(); }
  [[nodiscard]] const Complex* modes() const override { return modes_.data(); }
  // Packing, exchange, unpacking.
  [[nodiscard]] double bytes_between() const override { return 3 * 32; }
  [[nodiscard]] double arrays() const override { return 4; }

  Counts of_planes_, of_modes_;
  rooftop::AlignedArray<Complex> field_, modes_, sent_, received_;
  MPI_Datatype row_ = MPI_DATATYPE_NULL;
};

}  // namespace

ROOFTOP_RUNG(ft::Problem, SlabRanks);
