/// Slabs whose values MPI takes from planes to modes and back by itself: columns are written to where they are sent
/// from, and what arrives is put where it belongs.
#pragma once

#include <mpi.h>

#include <rooftop/aligned.hpp>

#include "slabs.hpp"
#include "transposition.hpp"

namespace ft {

class FusedSlabs : public Slabs {
 protected:
  explicit FusedSlabs(const Problem& problem)
      : Slabs(problem, tile_lines),
        between_(
            MPI_COMM_WORLD,
            [this](int rank) {
              const Problem& p = this->problem();
              return Block{{planes().count, p.ny, p.nx}, {0, planes().count}, rows_of(rank), {0, p.nx}};
            },
            [this](int rank) {
              const Problem& p = this->problem();
              return Block{{p.nz, rows().count, p.nx}, planes_of(rank), {0, rows().count}, {0, p.nx}};
            }),
        modes_(mode_values()) {}

  /// From an array of planes.
  void forward_from(Complex* planes) {
    transform_planes(1, planes);
    between_.forth(planes, modes_.data());
    transform_columns(1, columns_between(modes_.data(), modes_.data()), 0);
  }

  [[nodiscard]] const Transposition& between() const { return between_; }
  [[nodiscard]] const Complex* modes() const final { return modes_.data(); }
  [[nodiscard]] double bytes_between() const final { return 32; }

 private:
  Transposition between_;
  rooftop::AlignedArray<Complex> modes_;
};

}  // namespace ft
