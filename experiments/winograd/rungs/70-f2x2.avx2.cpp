/// 2-D Winograd F(2x2,3x3) as four stages: input transform, filter transform, batched product, output transform.
///
/// Changed from 60-simd256: tiles of 2 by 2 outputs take 16 multiplications instead of 36 (the 1-D form: 24), and every
/// stage is shared by the threads. A panel's first step starts from zero, so nothing is left to clear.
/// Limit attacked: the number of multiplications, and the serial transforms.
/// Evidence: multiply-adds fall by 1.5; the transformed arrays v and m are 4 times image and output, so layers with few
/// channels and many pixels become bound by memory.
/// Source: Lavin and Gray, Fast algorithms for convolutional neural networks, CVPR 2016, section 4.1.
#include <immintrin.h>

#include <algorithm>
#include <cstddef>
#include <rooftop/aligned.hpp>
#include <rooftop/rung.hpp>

#include "problem.hpp"

namespace {

constexpr int positions = 16;        // of a transformed tile
constexpr int panel_channels = 256;  // rows of v, half a cache line each, that stay in the L1 cache

// v = B^T d for one row or column of a tile.
void input_transform(const float* d, int d_step, float* v, int v_step) {
  v[0] = d[0] - d[2 * d_step];
  v[v_step] = d[d_step] + d[2 * d_step];
  v[2 * v_step] = d[2 * d_step] - d[d_step];
  v[3 * v_step] = d[d_step] - d[3 * d_step];
}

// u = G g for one row or column of a filter.
void filter_transform(const float* g, int g_step, float* u, int u_step) {
  const float outer = g[0] + g[2 * g_step];
  u[0] = g[0];
  u[u_step] = 0.5F * (outer + g[g_step]);
  u[2 * u_step] = 0.5F * (outer - g[g_step]);
  u[3 * u_step] = g[2 * g_step];
}

class F2x2 : public rooftop::Rung {
 public:
  explicit F2x2(const winograd::Problem& problem)
      : p_(problem),
        tile_rows_((p_.out_h() + 1) / 2),
        tile_columns_((p_.out_w() + 1) / 2),
        tiles_(static_cast<std::size_t>(p_.n) * tile_rows_ * tile_columns_),
        // An odd number of half cache lines: rows do not all fall into the same cache sets.
        stride_(((tiles_ + 7) / 8 | 1) * 8),
        filters_((static_cast<std::size_t>(p_.k) + 7) / 8 * 8),
        // One cache line more: at a power-of-two distance all stores of a tile would fall into one cache set.
        u_size_(filters_ * p_.c + 16),
        v_size_(p_.c * stride_ + 16),
        m_size_(filters_ * stride_ + 16),
        u_(positions * u_size_),
        v_(positions * v_size_),
        m_(positions * m_size_) {
    if (p_.layout != winograd::Layout::nchw) throw rooftop::Skip("works on NCHW only, not on a blocked layout");
    if (p_.filter_terms != winograd::Filter::timed) throw rooftop::Skip("transforms the filter in every run");
    // Filters and tiles are rounded up to whole blocks; what is there stays zero or is never read.
    std::fill(u_.begin(), u_.end(), 0.0F);
    std::fill(v_.begin(), v_.end(), 0.0F);
    std::fill(m_.begin(), m_.end(), 0.0F);
  }

  void run() override {
    transform_filter();
    transform_image();
    multiply();
    transform_output();
  }

  [[nodiscard]] rooftop::Work work() const override {
    const double k = p_.k;
    const double c = p_.c;
    const double tiles = static_cast<double>(tiles_);
    const double image = c * p_.n * p_.h * p_.w;
    const double output = k * p_.n * p_.out_h() * p_.out_w();
    const double u = positions * k * c;
    const double v = positions * c * tiles;
    const double m = positions * k * tiles;
    rooftop::Work work;
    work.fma_flops = 2 * m * c;
    // 32 additions for a tile of the image, 24 for one of the output, 35 operations for a filter.
    work.add_flops = 32 * c * tiles + 24 * k * tiles + 35 * k * c;
    // What one stage writes, the next one reads.
    work.memory_bytes = 4 * (image + 9 * k * c + 2 * (u + v + m) + output);
    work.working_set_bytes = 4 * (image + 9 * k * c + u + v + m + output);
    work.algorithm = "F(2)";
    return work;
  }

 private:
  // u = G g G^T. Layout [position][k][c].
  void transform_filter() {
#pragma omp parallel for schedule(static)
    for (int k = 0; k < p_.k; ++k) {
      for (int c = 0; c < p_.c; ++c) {
        const float* g = p_.filter + (static_cast<std::size_t>(k) * p_.c + c) * 9;
        float half[12];
        float whole[positions];
        for (int s = 0; s < 3; ++s) filter_transform(g + s, 3, half + s, 3);
        for (int i = 0; i < 4; ++i) filter_transform(half + 3 * i, 1, whole + 4 * i, 1);
        for (int j = 0; j < positions; ++j) u_[j * u_size_ + static_cast<std::size_t>(k) * p_.c + c] = whole[j];
      }
    }
  }

  // v = B^T d B. Layout [position][c][tile].
  void transform_image() {
#pragma omp parallel for collapse(2) schedule(static)
    for (int c = 0; c < p_.c; ++c) {
      for (int n = 0; n < p_.n; ++n) {
        const float* plane = p_.image + (static_cast<std::size_t>(n) * p_.c + c) * p_.h * p_.w;
        float* v = &v_[c * stride_ + static_cast<std::size_t>(n) * tile_rows_ * tile_columns_];
        for (int ty = 0; ty < tile_rows_; ++ty) {
          for (int tx = 0; tx < tile_columns_; ++tx, ++v) {
            float d[positions];
            load_tile(plane, 2 * ty - p_.padding, 2 * tx - p_.padding, d);
            float half[positions];
            float whole[positions];
            for (int j = 0; j < 4; ++j) input_transform(d + j, 4, half + j, 4);
            for (int i = 0; i < 4; ++i) input_transform(half + 4 * i, 1, whole + 4 * i, 1);
            for (int j = 0; j < positions; ++j) v[j * v_size_] = whole[j];
          }
        }
      }
    }
  }

  // 4 by 4 pixels from row y, column x on; zero outside the image.
  void load_tile(const float* plane, int y, int x, float* d) const {
    if (y >= 0 && x >= 0 && y + 4 <= p_.h && x + 4 <= p_.w) {
      for (int i = 0; i < 4; ++i) std::copy_n(plane + static_cast<std::size_t>(y + i) * p_.w + x, 4, d + 4 * i);
      return;
    }
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < 4; ++j) {
        const bool inside = y + i >= 0 && y + i < p_.h && x + j >= 0 && x + j < p_.w;
        d[4 * i + j] = inside ? plane[static_cast<std::size_t>(y + i) * p_.w + x + j] : 0.0F;
      }
    }
  }

  // m[position] = u[position] v[position], 16 products, in blocks of 8 filters by 8 tiles.
  void multiply() {
    const auto strips = static_cast<int>(stride_ / 8);
#pragma omp parallel for collapse(2) schedule(static)
    for (int j = 0; j < positions; ++j) {
      for (int strip = 0; strip < strips; ++strip) {
        for (int first = 0; first < p_.c; first += panel_channels) {
          const int channels = std::min(panel_channels, p_.c - first);
          for (std::size_t k = 0; k < filters_; k += 8) {
            multiply_block(&u_[j * u_size_ + k * p_.c + first], &v_[j * v_size_ + first * stride_ + strip * 8],
                           &m_[j * m_size_ + k * stride_ + strip * 8], channels, first > 0);
          }
        }
      }
    }
  }

  void multiply_block(const float* u, const float* v, float* m, int channels, bool accumulate) const {
    const auto depth = static_cast<std::size_t>(p_.c);
    __m256 sum[8];
    for (int i = 0; i < 8; ++i) sum[i] = accumulate ? _mm256_load_ps(m + i * stride_) : _mm256_setzero_ps();
    for (int c = 0; c < channels; ++c, ++u, v += stride_) {
      const __m256 row = _mm256_load_ps(v);
      for (int i = 0; i < 8; ++i) sum[i] = _mm256_fmadd_ps(_mm256_set1_ps(u[i * depth]), row, sum[i]);
    }
    for (int i = 0; i < 8; ++i) _mm256_store_ps(m + i * stride_, sum[i]);
  }

  // y = A^T m A with A^T = (1 1 1 0; 0 1 -1 -1). What lies beyond an odd height or width is dropped.
  void transform_output() {
#pragma omp parallel for collapse(2) schedule(static)
    for (int k = 0; k < p_.k; ++k) {
      for (int n = 0; n < p_.n; ++n) {
        const float* m = &m_[k * stride_ + static_cast<std::size_t>(n) * tile_rows_ * tile_columns_];
        float* out = p_.output + (static_cast<std::size_t>(n) * p_.k + k) * p_.out_h() * p_.out_w();
        for (int ty = 0; ty < tile_rows_; ++ty) {
          for (int tx = 0; tx < tile_columns_; ++tx, ++m) {
            float half[8];
            for (int j = 0; j < 4; ++j) {
              const float m1 = m[(4 + j) * m_size_];
              const float m2 = m[(8 + j) * m_size_];
              half[j] = m[j * m_size_] + m1 + m2;
              half[4 + j] = m1 - m2 - m[(12 + j) * m_size_];
            }
            for (int i = 0; i < 2 && 2 * ty + i < p_.out_h(); ++i) {
              const float* h = half + 4 * i;
              float* pixel = out + static_cast<std::size_t>(2 * ty + i) * p_.out_w() + 2 * tx;
              pixel[0] = h[0] + h[1] + h[2];
              if (2 * tx + 1 < p_.out_w()) pixel[1] = h[1] - h[2] - h[3];
            }
          }
        }
      }
    }
  }

  winograd::Problem p_;
  int tile_rows_, tile_columns_;  // of one image
  std::size_t tiles_;             // of all images
  std::size_t stride_;            // of a row of v and m
  std::size_t filters_;           // rounded up to whole blocks
  std::size_t u_size_, v_size_, m_size_;
  rooftop::AlignedArray<float> u_, v_, m_;
};

}  // namespace

ROOFTOP_RUNG(winograd::Problem, F2x2);
