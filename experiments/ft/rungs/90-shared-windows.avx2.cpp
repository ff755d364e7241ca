/// Ranks of one node write columns straight into each other's planes.
/// Changed from 85-pipelined: no message at all. Planes lie in an MPI-3 shared window: a tile of columns is written to
/// the planes of whoever has them, and forth it is read from them; a meeting before and after keeps the order.
/// Limit attacked: 32 bytes a point that an exchange moves, and as many again where MPI copies through a buffer of its
/// own. 64 remain, as with threads, in two arrays of the grid. Evidence: two ranks take as long as two threads of 60.
/// Between nodes it does not apply.
/// Source: MPI-3's shared windows (Hoefler et al., MPI + MPI, 2013).
// needs: MPI
#include <mpi.h>

#include <cstddef>
#include <rooftop/aligned.hpp>
#include <rooftop/rung.hpp>

#include "shared_window.hpp"
#include "slabs.hpp"

namespace {

using ft::Complex;
using ft::Index;

class SharedWindows : public ft::Slabs {
 public:
  explicit SharedWindows(const ft::Problem& problem)
      : Slabs(problem, ft::tile_lines), planes_(plane_values()), modes_(mode_values()) {}

 private:
  void forward() override {
    transform_planes(1, own_planes());
    planes_.meet();
    ft::Columns columns = columns_between(modes_.data(), modes_.data());
    each_plane([&](std::size_t z, Complex* first) { columns.from[z] = first; });
    transform_columns(1, columns, 0);
    planes_.meet();  // until none reads this rank's planes any more
  }

  void backward(int t) override {
    ft::Columns columns = columns_between(modes_.data(), modes_.data());
    each_plane([&](std::size_t z, Complex* first) { columns.to[z] = first; });
    planes_.meet();  // until none looks at its planes any more
    transform_columns(-1, columns, t);
    planes_.meet();
    transform_planes(-1, own_planes());
  }

  /// Calls with every plane of the grid, and where this rank's rows begin in it.
  template <typename Call>
  void each_plane(const Call& call) const {
    const ft::Problem& p = problem();
    for (int rank = 0; rank < p.ranks; ++rank) {
      const ft::Part theirs = planes_of(rank);
      for (Index z = 0; z < theirs.count; ++z) {
        call(static_cast<std::size_t>(theirs.first + z), planes_.of(rank) + (z * p.ny + rows().first) * p.nx);
      }
    }
  }

  [[nodiscard]] Complex* own_planes() const { return planes_.of(problem().rank); }
  [[nodiscard]] const Complex* field() const override { return own_planes(); }
  [[nodiscard]] const Complex* modes() const override { return modes_.data(); }
  [[nodiscard]] double bytes_between() const override { return 0; }
  [[nodiscard]] double arrays() const override { return 2; }

  ft::SharedWindow planes_;
  rooftop::AlignedArray<Complex> modes_;
};

}  // namespace

ROOFTOP_RUNG(ft::Problem, SharedWindows);
