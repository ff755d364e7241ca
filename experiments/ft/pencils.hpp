/// Who has what by pencils: ranks stand in `down` rows of `across`, rank r in row r / across.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <rooftop/rung.hpp>
#include <string>

#include "ranks.hpp"

namespace ft {

/// Ranks of one colour. MPI_Comm_split is a meeting of all.
class Group {
 public:
  Group(int colour, int rank) { MPI_Comm_split(MPI_COMM_WORLD, colour, rank, &ranks_); }
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;
  ~Group() { MPI_Comm_free(&ranks_); }
  [[nodiscard]] MPI_Comm get() const { return ranks_; }

 private:
  MPI_Comm ranks_ = MPI_COMM_NULL;
};

/// Lines along x: rows `y` of planes `z`. Along y: the same planes, whose columns `x`. Along z: those, and of their
/// rows `rows`. So y is shared among the ranks of a row first, among those of a column then.
struct Pencils {
  Index nx, ny, nz;
  Index across = 0, down = 0;
  Part x{}, y{}, z{}, rows{};

  /// As square as it goes. Throws rooftop::Skip where a rank would have nothing.
  explicit Pencils(const Problem& p) : nx(p.nx), ny(p.ny), nz(p.nz) {
    const Index most_across = std::min(nx, ny), most_down = std::min(ny, nz);
    const auto fits = [&](Index one, Index other) { return one <= most_across && other <= most_down; };
    for (Index one = 1; one * one <= p.ranks; ++one) {
      const Index other = p.ranks / one;
      if (one * other != p.ranks) continue;
      // Rows that are cut little stay long.
      if (fits(one, other)) {
        across = one, down = other;
      } else if (fits(other, one)) {
        across = other, down = one;
      }
    }
    if (across == 0) {
      throw rooftop::Skip(std::to_string(p.ranks) + " ranks do not stand in at most " + std::to_string(most_down) +
                          " rows of at most " + std::to_string(most_across));
    }
    x = x_of(p.rank % across), y = y_of(p.rank % across);
    z = z_of(p.rank / across), rows = rows_of(p.rank / across);
  }

  /// Of a place within a row.
  [[nodiscard]] Part x_of(Index place) const { return part_of(nx, place, across); }
  [[nodiscard]] Part y_of(Index place) const { return part_of(ny, place, across); }
  /// Of a place within a column.
  [[nodiscard]] Part z_of(Index place) const { return part_of(nz, place, down); }
  [[nodiscard]] Part rows_of(Index place) const { return part_of(ny, place, down); }
};

}  // namespace ft
