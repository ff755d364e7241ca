/// fp32 3x3 convolution with stride 1, as the contest poses it: image NCHW, filter KC33, output NK(H+2p-2)(W+2p-2).
#pragma once

#include <cstddef>
#include <cstdint>

namespace winograd {

/// On which terms a case is timed.
/// blocked: image and output in the rung's own preferred layout, converted untimed.
enum class Layout { nchw, blocked };
/// prepared: whatever depends on the filter alone is done in prepare(), untimed.
enum class Filter { timed, prepared };
/// The solver's switch: at most F(2), at most F(4), F(6) allowed.
enum class Accuracy { strict, balanced, relaxed };

/// What solver and libraries may use. avx2: as on a processor without AVX-512.
enum class Instructions { any, avx2 };

/// out[n][k][y][x] = sum over c, r, s of image[n][c][y+r-p][x+s-p] * filter[k][c][r][s], with zeros outside the image.
struct Problem {
  int c, h, w, k, n;
  int padding;  ///< 0 or 1
  Layout layout;
  Filter filter_terms;
  Accuracy accuracy;
  Instructions instructions;
  int threads;
  const float* image;   ///< n*c*h*w, 64-byte aligned
  const float* filter;  ///< k*c*9, 64-byte aligned
  float* output;        ///< n*k*out_h()*out_w(), 64-byte aligned

  [[nodiscard]] int out_h() const { return h + 2 * padding - 2; }
  [[nodiscard]] int out_w() const { return w + 2 * padding - 2; }
  /// Flops that the contest's rate counts: those of the direct method.
  [[nodiscard]] double direct_flops() const { return 18.0 * n * k * c * out_h() * out_w(); }
};

}  // namespace winograd
