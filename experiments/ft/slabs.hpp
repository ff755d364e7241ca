/// The benchmark by slabs: a rank has whole planes of z for the directions x and y, and rows y of all planes for z.
/// What a rung adds is how values get from one to the other.
#pragma once

#include <mpi.h>
#include <omp.h>

#include <algorithm>
#include <rooftop/aligned.hpp>
#include <rooftop/rung.hpp>
#include <string>

#include "ranks.hpp"
#include "tiles.hpp"

namespace ft {

class Slabs : public rooftop::Rung {
 public:
  void run() override {
    draw_ = !p_.transform_only() || drawn_ != p_.draws;
    drawn_ = p_.draws;
    forward();
    each_iteration();
  }

  void finish() final {
    if (p_.transform_only()) {
      hand_over(p_, {rows_, {0, p_.nz}, row_by_row_}, modes());
    } else {
      hand_over(p_, {{0, p_.ny}, planes_}, field());
    }
  }

  [[nodiscard]] rooftop::Work work() const final {
    const auto n = static_cast<double>(p_.size());
    const double transforms = p_.iterations + 1;
    const Operations done = radix_8_operations(p_);
    // A mode's factor is a product of two at hand, and multiplies two parts. Both sweeps read and write every value,
    // and so does whatever is done between them; U0 is drawn into the first sweep, which then reads nothing.
    return {.fma_flops = transforms * done.fused,
            .add_flops = transforms * done.lone + 3 * n * p_.iterations,
            .memory_bytes = transforms * (64 + bytes_between()) * n - (p_.transform_only() ? 0 : 16 * n),
            .working_set_bytes = 16 * arrays() * n,
            .algorithm = "fft"};
  }

 protected:
  /// Throws rooftop::Skip for lengths that are no powers of two, and where a rank would have nothing.
  Slabs(const Problem& problem, Index tile_lines, bool row_by_row = false)
      : p_(problem),
        planes_(planes_of(p_.rank)),
        rows_(rows_of(p_.rank)),
        along_x_(p_.nx),
        along_y_(p_.ny),
        along_z_(p_.nz),
        tile_lines_(tile_lines),
        row_by_row_(row_by_row) {
    if (!power_of_two(p_.nx) || !power_of_two(p_.ny) || !power_of_two(p_.nz)) {
      throw rooftop::Skip("transforms powers of two only");
    }
    if (const Index most = std::min(p_.ny, p_.nz); p_.ranks > most) {
      throw rooftop::Skip("has planes and rows for " + std::to_string(most) + " ranks only");
    }
  }

  /// Planes to modes.
  virtual void forward() = 0;
  /// Modes, as they are after t iterations, to planes. Not asked for where each_iteration() has its own order.
  virtual void backward(int /*t*/) {}
  virtual void each_iteration() {
    for (int t = 1; t <= p_.iterations; ++t) {
      backward(t);
      sum_planes(p_, t, planes_, field());
    }
  }
  /// This rank's planes, after the last transform back.
  [[nodiscard]] virtual const Complex* field() const = 0;
  [[nodiscard]] virtual const Complex* modes() const = 0;
  /// That each value moves between the sweeps along z and through the planes.
  [[nodiscard]] virtual double bytes_between() const = 0;
  /// How many arrays as large as the grid all ranks' memory is.
  [[nodiscard]] virtual double arrays() const = 0;

  [[nodiscard]] const Problem& problem() const { return p_; }
  [[nodiscard]] Part planes_of(Index rank) const { return part_of(p_.nz, rank, p_.ranks); }
  [[nodiscard]] Part rows_of(Index rank) const { return part_of(p_.ny, rank, p_.ranks); }
  [[nodiscard]] const Part& planes() const { return planes_; }
  [[nodiscard]] const Part& rows() const { return rows_; }
  [[nodiscard]] std::size_t plane_values() const { return static_cast<std::size_t>(planes_.count * p_.ny * p_.nx); }
  [[nodiscard]] std::size_t mode_values() const { return static_cast<std::size_t>(p_.nz * rows_.count * p_.nx); }

  /// Transforms planes of z along y and x, in place; those of U0 are drawn first, where it is to be.
  template <typename GoOn = Nothing>
  void transform_planes(int sign, Complex* values, const Part& part, const GoOn& go_on = {}) const {
    const Lines x{p_.nx, 1, p_.ny, p_.nx, 1, 0}, y{p_.ny, p_.nx, p_.nx, 1, 1, 0};
    const bool draw = draw_ && sign > 0;
#pragma omp parallel num_threads(p_.threads)
    {
      rooftop::AlignedArray<BatchRow> buffer(static_cast<std::size_t>(2 * std::max(p_.nx, p_.ny)));
#pragma omp for schedule(static)
      for (Index z = part.first; z < part.first + part.count; ++z) {
        Complex* const plane = values + z * p_.nx * p_.ny;
        if (draw) draw_initial((planes_.first + z) * p_.nx * p_.ny, p_.nx * p_.ny, plane);
        transform_lines(along_x_, sign, x, plane, plane, buffer.data(), 0, batches(x));
        transform_lines(along_y_, sign, y, plane, plane, buffer.data(), 0, batches(y));
        if (omp_get_thread_num() == 0) go_on();
      }
    }
  }
  void transform_planes(int sign, Complex* values) const { transform_planes(sign, values, {0, planes_.count}); }

  /// This rank's columns in arrays that hold them plane by plane, or row by row.
  [[nodiscard]] Columns columns_between(const Complex* from, Complex* to) const {
    const Index step = p_.nx * (row_by_row_ ? 1 : rows_.count), row_step = p_.nx * (row_by_row_ ? p_.nz : 1);
    return {p_.nz, p_.nx, rows_.count, row_step, planes_at(from, step, p_.nz), planes_at(to, step, p_.nz)};
  }
  /// Transforms columns along z, the first of which are those of this rank's row `first_row`, after t iterations.
  template <typename GoOn = Nothing>
  void transform_columns(int sign, const Columns& columns, int t, Index first_row = 0, const GoOn& go_on = {}) const {
    const Decay decay = decay_after(p_, t, 0, rows_.first + first_row);
    ft::transform_columns(p_, along_z_, sign, columns, tile_lines_, t == 0 ? nullptr : &decay, go_on);
  }

 private:
  const Problem& p_;
  Part planes_, rows_;
  Passes along_x_, along_y_, along_z_;
  Index tile_lines_;
  bool row_by_row_, draw_ = false;
  std::uint64_t drawn_ = 0;
};

}  // namespace ft
