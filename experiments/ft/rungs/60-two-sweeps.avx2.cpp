/// Two sweeps over memory for a transform: along z with the decay, and plane after plane along y and x.
/// Changed from 50-threads: a plane stays in the L2 cache for both of its directions; modes are multiplied on their way
/// into the buffer, by a product of three small tables, instead of through two arrays; U0 is drawn into the planes'
/// sweep. Limit attacked: 152 bytes that each point moves in an iteration. 64 remain: two reads, two writes. Evidence:
/// grids beyond the caches gain up to twofold; those inside them little. Source: the SW26010 case's fused local
/// transposes.
#include <algorithm>
#include <rooftop/aligned.hpp>
#include <rooftop/rung.hpp>

#include "batches.hpp"
#include "decay.hpp"
#include "steps.hpp"

namespace {

using ft::Complex;
using ft::Index;

class TwoSweeps : public rooftop::Rung {
 public:
  explicit TwoSweeps(const ft::Problem& problem)
      : p_(problem),
        along_x_(p_.nx),
        along_y_(p_.ny),
        along_z_(p_.nz),
        modes_(p_.transform_only() ? 0 : static_cast<std::size_t>(p_.size())) {
    if (!ft::power_of_two(p_.nx) || !ft::power_of_two(p_.ny) || !ft::power_of_two(p_.nz)) {
      throw rooftop::Skip("transforms powers of two only");
    }
  }

  void run() override {
    Complex* const modes = p_.transform_only() ? p_.field : modes_.data();
    planes(1, modes, !p_.transform_only());
    columns(1, modes, modes, 0);
    for (int t = 1; t <= p_.iterations; ++t) {
      columns(-1, modes_.data(), p_.field, t);
      planes(-1, p_.field, false);
      p_.checksums[t - 1] = ft::checksum(p_, p_.field);
    }
  }

  [[nodiscard]] rooftop::Work work() const override {
    const auto n = static_cast<double>(p_.size());
    const double transforms = p_.iterations + 1;
    const ft::Operations done = ft::radix_8_operations(p_);
    // A mode's factor is a product of two at hand, and multiplies two parts. U0 is drawn into the first sweep, which
    // then reads nothing.
    return {.fma_flops = transforms * done.fused,
            .add_flops = transforms * done.lone + 3 * n * p_.iterations,
            .memory_bytes = (p_.transform_only() ? 64 : 48) * n + 64 * n * p_.iterations,
            .working_set_bytes = (p_.transform_only() ? 16 : 32) * n,
            .algorithm = "fft"};
  }

 private:
  /// Transforms every plane of z along y and x, in place; draws it first where asked.
  void planes(int sign, Complex* values, bool draw) const {
    const ft::Lines x{p_.nx, 1, p_.ny, p_.nx, 1, 0}, y{p_.ny, p_.nx, p_.nx, 1, 1, 0};
#pragma omp parallel num_threads(p_.threads)
    {
      rooftop::AlignedArray<ft::BatchRow> buffer(static_cast<std::size_t>(2 * std::max(p_.nx, p_.ny)));
#pragma omp for schedule(static)
      for (Index z = 0; z < p_.nz; ++z) {
        Complex* const plane = values + z * p_.nx * p_.ny;
        if (draw) ft::draw_initial(z * p_.nx * p_.ny, p_.nx * p_.ny, plane);
        ft::transform_lines(along_x_, sign, x, plane, plane, buffer.data(), 0, ft::batches(x));
        ft::transform_lines(along_y_, sign, y, plane, plane, buffer.data(), 0, ft::batches(y));
      }
    }
  }

  /// Transforms along z what has decayed for t iterations.
  void columns(int sign, const Complex* from, Complex* to, int t) const {
    const ft::Lines z{p_.nz, p_.nx * p_.ny, p_.nx, 1, p_.ny, p_.nx};
    const ft::Decay decay = ft::decay_after(p_, t);
    const Index count = ft::batches(z);
#pragma omp parallel num_threads(p_.threads)
    {
      rooftop::AlignedArray<ft::BatchRow> buffer(static_cast<std::size_t>(2 * p_.nz));
#pragma omp for schedule(static)
      for (Index batch = 0; batch < count; ++batch) {
        if (t == 0) {
          ft::transform_lines(along_z_, sign, z, from, to, buffer.data(), batch, batch + 1);
        } else {
          ft::transform_lines(along_z_, sign, z, from, to, buffer.data(), batch, batch + 1, decay);
        }
      }
    }
  }

  const ft::Problem& p_;
  ft::Passes along_x_, along_y_, along_z_;
  rooftop::AlignedArray<Complex> modes_;
};

}  // namespace

ROOFTOP_RUNG(ft::Problem, TwoSweeps);
