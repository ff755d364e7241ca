/// Pencils: ranks stand in rows and columns, and each direction of the transform has its own share of the other two.
/// Changed from 72-fused-transposes: two exchanges a transform, x with y among the ranks of a row, y with z among those
/// of a column, each between fewer ranks and in larger messages than one exchange among all.
/// Limit attacked: slabs end at as many ranks as planes, and at messages of a few rows. Evidence: runs on more ranks
/// than planes; on few ranks slower than slabs, by the second exchange and sweep, 160 bytes a point and iteration.
/// Source: NPB's FT by pencils (2-D layout); the SW26010 case's ranks.
// needs: MPI
#include <mpi.h>

#include <rooftop/aligned.hpp>
#include <rooftop/rung.hpp>

#include "pencils.hpp"
#include "tiles.hpp"
#include "transposition.hpp"

namespace {

using ft::Block;
using ft::Complex;
using ft::Index;
using ft::Lines;
using ft::Part;

Part whole(const Part& part) { return {0, part.count}; }

class PencilRanks : public rooftop::Rung {
 public:
  explicit PencilRanks(const ft::Problem& problem)
      : p_(problem),
        own_(p_),
        along_x_(p_.nx),
        along_y_(p_.ny),
        along_z_(p_.nz),
        row_(static_cast<int>(p_.rank / own_.across), p_.rank),
        column_(static_cast<int>(p_.rank % own_.across), p_.rank),
        x_with_y_(
            row_.get(),
            [this](int place) {
              return in_x({whole(own_.z), whole(own_.y), own_.x_of(place)});
            },
            [this](int place) {
              return in_y({whole(own_.z), own_.y_of(place), whole(own_.x)});
            }),
        y_with_z_(
            column_.get(),
            [this](int place) {
              return in_y({whole(own_.z), own_.rows_of(place), whole(own_.x)});
            },
            [this](int place) {
              return in_z({own_.z_of(place), whole(own_.rows), whole(own_.x)});
            }),
        of_x_(static_cast<std::size_t>(own_.z.count * own_.y.count * p_.nx)),
        of_y_(static_cast<std::size_t>(own_.z.count * p_.ny * own_.x.count)),
        of_z_(p_.transform_only() ? 0 : modes_values()),
        modes_(modes_values()) {
    if (!ft::power_of_two(p_.nx) || !ft::power_of_two(p_.ny) || !ft::power_of_two(p_.nz)) {
      throw rooftop::Skip("transforms powers of two only");
    }
  }

  void run() override {
    if (!p_.transform_only() || drawn_ != p_.draws) draw();
    drawn_ = p_.draws;
    lines_along_x(1);
    x_with_y_.forth(of_x_.data(), of_y_.data());
    lines_along_y(1);
    y_with_z_.forth(of_y_.data(), modes_.data());
    lines_along_z(1, modes_.data(), 0);
    for (int t = 1; t <= p_.iterations; ++t) {
      lines_along_z(-1, of_z_.data(), t);
      y_with_z_.back(of_z_.data(), of_y_.data());
      lines_along_y(-1);
      x_with_y_.back(of_y_.data(), of_x_.data());
      lines_along_x(-1);
      ft::sum_box(p_, t, {own_.y, own_.z}, of_x_.data());
    }
  }

  void finish() override {
    if (!p_.transform_only()) return ft::hand_over(p_, {own_.y, own_.z}, of_x_.data());
    // Modes go back the way they came, as they are, to where they are whole along x. The next run of a transform alone
    // that is judged draws anew.
    y_with_z_.back(modes_.data(), of_y_.data());
    x_with_y_.back(of_y_.data(), of_x_.data());
    ft::hand_over(p_, {own_.y, own_.z}, of_x_.data());
  }

  [[nodiscard]] rooftop::Work work() const override {
    const auto n = static_cast<double>(p_.size());
    const double transforms = p_.iterations + 1;
    const ft::Operations done = ft::radix_8_operations(p_);
    // Three directions and two exchanges read and write every value, and U0 is written.
    return {.fma_flops = transforms * done.fused,
            .add_flops = transforms * done.lone + 3 * n * p_.iterations,
            .memory_bytes = transforms * (3 + 2) * 32 * n + (p_.transform_only() ? 0 : 16 * n),
            .working_set_bytes = 16 * (p_.transform_only() ? 3 : 4) * n,
            .algorithm = "fft"};
  }

 private:
  /// Of an array's part: z, y, x.
  struct Parts {
    Part z, y, x;
  };
  [[nodiscard]] Block in_x(const Parts& of) const { return {{own_.z.count, own_.y.count, p_.nx}, of.z, of.y, of.x}; }
  [[nodiscard]] Block in_y(const Parts& of) const { return {{own_.z.count, p_.ny, own_.x.count}, of.z, of.y, of.x}; }
  [[nodiscard]] Block in_z(const Parts& of) const { return {{p_.nz, own_.rows.count, own_.x.count}, of.z, of.y, of.x}; }
  [[nodiscard]] std::size_t modes_values() const {
    return static_cast<std::size_t>(p_.nz * own_.rows.count * own_.x.count);
  }

  void draw() {
    const Index rows = own_.y.count;
#pragma omp parallel for num_threads(p_.threads) schedule(static)
    for (Index line = 0; line < own_.z.count * rows; ++line) {
      const Index z = own_.z.first + line / rows, y = own_.y.first + line % rows;
      ft::draw_initial((z * p_.ny + y) * p_.nx, p_.nx, of_x_.data() + line * p_.nx);
    }
  }

  void lines_along_x(int sign) {
    in_place(along_x_, sign, {p_.nx, 1, own_.z.count * own_.y.count, p_.nx, 1, 0}, of_x_.data());
  }
  void lines_along_y(int sign) {
    const Index x = own_.x.count;
    in_place(along_y_, sign, {p_.ny, x, x, 1, own_.z.count, p_.ny * x}, of_y_.data());
  }
  void lines_along_z(int sign, Complex* to, int t) {
    const Index x = own_.x.count, step = own_.rows.count * x;
    const ft::Columns columns{p_.nz,
                              x,
                              own_.rows.count,
                              x,
                              ft::planes_at<const Complex>(modes_.data(), step, p_.nz),
                              ft::planes_at(to, step, p_.nz)};
    const ft::Decay decay = ft::decay_after(p_, t, own_.x.first, own_.rows.first);
    ft::transform_columns(p_, along_z_, sign, columns, ft::tile_lines, t == 0 ? nullptr : &decay);
  }
  void in_place(const ft::Passes& passes, int sign, const Lines& lines, Complex* values) const {
    const Index count = ft::batches(lines);
#pragma omp parallel num_threads(p_.threads)
    {
      rooftop::AlignedArray<ft::BatchRow> buffer(static_cast<std::size_t>(2 * lines.n));
#pragma omp for schedule(static)
      for (Index batch = 0; batch < count; ++batch) {
        ft::transform_lines(passes, sign, lines, values, values, buffer.data(), batch, batch + 1);
      }
    }
  }

  const ft::Problem& p_;
  ft::Pencils own_;
  ft::Passes along_x_, along_y_, along_z_;
  ft::Group row_, column_;
  ft::Transposition x_with_y_, y_with_z_;
  rooftop::AlignedArray<Complex> of_x_, of_y_, of_z_, modes_;
  std::uint64_t drawn_ = 0;
};

}  // namespace

ROOFTOP_RUNG(ft::Problem, PencilRanks);
