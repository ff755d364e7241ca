/// The plain library way: im2col, then one sgemm for each image by OpenBLAS with all threads.
// needs: OpenBLAS
#include <cblas.h>

#include <algorithm>
#include <cstddef>
#include <rooftop/aligned.hpp>
#include <rooftop/rung.hpp>

#include "problem.hpp"

namespace {

class Im2colOpenBlas : public rooftop::Rung {
 public:
  explicit Im2colOpenBlas(const winograd::Problem& problem)
      : p_(problem),
        pixels_(static_cast<std::size_t>(p_.out_h()) * p_.out_w()),
        columns_(static_cast<std::size_t>(p_.c) * 9 * pixels_) {
    if (p_.layout != winograd::Layout::nchw) throw rooftop::Skip("im2col works on NCHW, it has no layout of its own");
    openblas_set_num_threads(p_.threads);
  }

  // The filter is used as it is, so nothing is left to prepare on any terms.
  void run() override {
    const int depth = 9 * p_.c;
    const auto pixels = static_cast<int>(pixels_);
    for (int n = 0; n < p_.n; ++n) {
      gather_columns(n);
      cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, p_.k, pixels, depth, 1.0F, p_.filter, depth,
                  columns_.data(), pixels, 0.0F, p_.output + static_cast<std::size_t>(n) * p_.k * pixels_, pixels);
    }
  }

  [[nodiscard]] rooftop::Work work() const override {
    const double image = 1.0 * p_.n * p_.c * p_.h * p_.w;
    const double output = 1.0 * p_.n * p_.k * static_cast<double>(pixels_);
    const double filter = 9.0 * p_.k * p_.c;
    const auto columns = static_cast<double>(columns_.size());
    rooftop::Work work;
    work.fma_flops = p_.direct_flops();
    work.memory_bytes = 4 * (image + output + filter + 2 * p_.n * columns);
    work.working_set_bytes = 4 * (image + output + filter + columns);
    work.algorithm = "im2col-gemm";
    return work;
  }

 private:
  // columns[c][r][s][y][x] = image[n][c][y + r - p][x + s - p], zero outside the image.
  void gather_columns(int n) {
    const int rows = 9 * p_.c;
#pragma omp parallel for schedule(static)
    for (int row = 0; row < rows; ++row) {
      const int r = row / 3 % 3;
      const int s = row % 3;
      const float* plane = p_.image + (static_cast<std::size_t>(n) * p_.c + row / 9) * p_.h * p_.w;
      float* out = &columns_[row * pixels_];
      const int first = std::max(0, p_.padding - s);
      const int last = std::min(p_.out_w(), p_.w + p_.padding - s);
      for (int y = 0; y < p_.out_h(); ++y, out += p_.out_w()) {
        const int from = y + r - p_.padding;
        if (from < 0 || from >= p_.h) {
          std::fill_n(out, p_.out_w(), 0.0F);
          continue;
        }
        std::fill(out, out + first, 0.0F);
        std::copy_n(plane + static_cast<std::size_t>(from) * p_.w + first + s - p_.padding, last - first, out + first);
        std::fill(out + last, out + p_.out_w(), 0.0F);
      }
    }
  }

  winograd::Problem p_;
  std::size_t pixels_;  // of one output plane
  rooftop::AlignedArray<float> columns_;
};

}  // namespace

ROOFTOP_RUNG(winograd::Problem, Im2colOpenBlas);
