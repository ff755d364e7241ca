/// 2-D Winograd F(4x4,3x3), eight tiles in each transform.
///
/// Changed from 70-f2x2: tiles of 4 by 4 outputs take 36 multiplications instead of 144, and a transform works on the
/// same place of eight tiles, one in each SIMD lane, so that its sums are plain vector additions.
/// Limit attacked: the number of multiplications, and the scalar transforms that weighed more and more.
/// Evidence: multiply-adds fall by 1.78 against F(2x2); the transformed arrays are 2.25 instead of 4 times image and
/// output. The error grows by about ten: the tolerance table shows what is paid.
/// Source: Lavin and Gray, CVPR 2016, section 4.2; on the error: Barabasz et al., ACM TOMS 46(4), 2020.
#include <immintrin.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <rooftop/aligned.hpp>
#include <rooftop/rung.hpp>

#include "problem.hpp"

namespace {

constexpr int positions = 36;        // of a transformed tile
constexpr int panel_channels = 256;  // rows of v, half a cache line each, that stay in the L1 cache

// One-dimensional transforms of F(4,3) with the points 0, 1, -1, 2, -2 and infinity, on 8 tiles or channels at once.
// v = B^T d: 8 multiply-adds and 4 additions.
void input_transform(const __m256* d, int d_step, __m256* v, int v_step) {
  const __m256 four = _mm256_set1_ps(4.0F);
  const __m256 five = _mm256_set1_ps(5.0F);
  const __m256 two = _mm256_set1_ps(2.0F);
  const __m256 d0 = d[0];
  const __m256 d1 = d[d_step];
  const __m256 d2 = d[2 * d_step];
  const __m256 d3 = d[3 * d_step];
  const __m256 d4 = d[4 * d_step];
  const __m256 d5 = d[5 * d_step];
  const __m256 even1 = _mm256_fnmadd_ps(four, d2, d4);
  const __m256 odd1 = _mm256_fnmadd_ps(four, d1, d3);
  const __m256 even2 = _mm256_sub_ps(d4, d2);
  const __m256 odd2 = _mm256_sub_ps(d3, d1);
  v[0] = _mm256_fmadd_ps(four, d0, _mm256_fnmadd_ps(five, d2, d4));
  v[v_step] = _mm256_add_ps(even1, odd1);
  v[2 * v_step] = _mm256_sub_ps(even1, odd1);
  v[3 * v_step] = _mm256_fmadd_ps(two, odd2, even2);
  v[4 * v_step] = _mm256_fnmadd_ps(two, odd2, even2);
  v[5 * v_step] = _mm256_fmadd_ps(four, d1, _mm256_fnmadd_ps(five, d3, d5));
}

// u = G g: 5 multiply-adds and 4 other operations.
void filter_transform(const __m256* g, int g_step, __m256* u, int u_step) {
  const __m256 sixth = _mm256_set1_ps(1.0F / 6.0F);
  const __m256 twelfth = _mm256_set1_ps(1.0F / 12.0F);
  const __m256 g0 = g[0];
  const __m256 g1 = g[g_step];
  const __m256 g2 = g[2 * g_step];
  const __m256 outer1 = _mm256_mul_ps(_mm256_add_ps(g0, g2), _mm256_set1_ps(-1.0F / 6.0F));
  const __m256 outer2 = _mm256_fmadd_ps(sixth, g2, _mm256_mul_ps(_mm256_set1_ps(1.0F / 24.0F), g0));
  u[0] = _mm256_mul_ps(_mm256_set1_ps(0.25F), g0);
  u[u_step] = _mm256_fnmadd_ps(sixth, g1, outer1);
  u[2 * u_step] = _mm256_fmadd_ps(sixth, g1, outer1);
  u[3 * u_step] = _mm256_fmadd_ps(twelfth, g1, outer2);
  u[4 * u_step] = _mm256_fnmadd_ps(twelfth, g1, outer2);
  u[5 * u_step] = g2;
}

// y = A^T m: 3 multiply-adds and 7 additions.
void output_transform(const __m256* m, int m_step, __m256* y, int y_step) {
  const __m256 sum1 = _mm256_add_ps(m[m_step], m[2 * m_step]);
  const __m256 difference1 = _mm256_sub_ps(m[m_step], m[2 * m_step]);
  const __m256 sum2 = _mm256_add_ps(m[3 * m_step], m[4 * m_step]);
  const __m256 difference2 = _mm256_sub_ps(m[3 * m_step], m[4 * m_step]);
  y[0] = _mm256_add_ps(m[0], _mm256_add_ps(sum1, sum2));
  y[y_step] = _mm256_fmadd_ps(_mm256_set1_ps(2.0F), difference2, difference1);
  y[2 * y_step] = _mm256_fmadd_ps(_mm256_set1_ps(4.0F), sum2, sum1);
  y[3 * y_step] = _mm256_add_ps(_mm256_fmadd_ps(_mm256_set1_ps(8.0F), difference2, difference1), m[5 * m_step]);
}

class F4x4 : public rooftop::Rung {
 public:
  explicit F4x4(const winograd::Problem& problem)
      : p_(problem),
        tile_rows_((p_.out_h() + 3) / 4),
        tile_columns_((p_.out_w() + 3) / 4),
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
    // Multiply-adds of the products and of 12, 10 and 9 one-dimensional transforms; then the other operations.
    work.fma_flops = 2 * (m * c + 12 * 8 * c * tiles + 10 * 3 * k * tiles + 9 * 5 * k * c);
    work.add_flops = 12 * 4 * c * tiles + 10 * 7 * k * tiles + 9 * 4 * k * c;
    // What one stage writes, the next one reads.
    work.memory_bytes = 4 * (image + 9 * k * c + 2 * (u + v + m) + output);
    work.working_set_bytes = 4 * (image + 9 * k * c + u + v + m + output);
    work.algorithm = "F(4)";
    return work;
  }

 private:
  // u = G g G^T for 8 channels at once. Layout [position][k][c].
  void transform_filter() {
    const __m256i lanes = _mm256_mullo_epi32(_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7), _mm256_set1_epi32(9));
#pragma omp parallel for schedule(static)
    for (int k = 0; k < p_.k; ++k) {
      for (int c = 0; c < p_.c; c += 8) {
        const int channels = std::min(8, p_.c - c);
        const __m256i valid = _mm256_cmpgt_epi32(_mm256_set1_epi32(9 * channels), lanes);
        const float* filter = p_.filter + (static_cast<std::size_t>(k) * p_.c + c) * 9;
        __m256 g[9];
        __m256 half[18];
        __m256 whole[positions];
        for (int i = 0; i < 9; ++i) {
          g[i] = _mm256_mask_i32gather_ps(_mm256_setzero_ps(), filter + i, lanes, _mm256_castsi256_ps(valid), 4);
        }
        for (int s = 0; s < 3; ++s) filter_transform(g + s, 3, half + s, 3);
        for (int i = 0; i < 6; ++i) filter_transform(half + 3 * i, 1, whole + 6 * i, 1);
        float* u = &u_[static_cast<std::size_t>(k) * p_.c + c];
        for (int j = 0; j < positions; ++j) _mm256_maskstore_ps(u + j * u_size_, valid, whole[j]);
      }
    }
  }

  // v = B^T d B for 8 tiles at once, wherever they lie: each lane gathers from its own tile. Layout
  // [position][c][tile].
  void transform_image() {
#pragma omp parallel for schedule(static)
    for (std::size_t first = 0; first < tiles_; first += 8) {
      alignas(32) std::int32_t start[8];
      alignas(32) std::int32_t in_row[6][8];
      alignas(32) std::int32_t in_column[6][8];
      for (std::size_t lane = 0; lane < 8; ++lane) {
        const std::size_t t = first + lane;
        const auto n = static_cast<int>(t / (tile_rows_ * tile_columns_));
        const int y = 4 * static_cast<int>(t / tile_columns_ % tile_rows_) - p_.padding;
        const int x = 4 * static_cast<int>(t % tile_columns_) - p_.padding;
        start[lane] = t < tiles_ ? (n * p_.c * p_.h + y) * p_.w + x : 0;
        for (int i = 0; i < 6; ++i) {
          in_row[i][lane] = t < tiles_ && y + i >= 0 && y + i < p_.h ? -1 : 0;
          in_column[i][lane] = x + i >= 0 && x + i < p_.w ? -1 : 0;
        }
      }
      const __m256i from = _mm256_load_si256(reinterpret_cast<const __m256i*>(start));
      for (int c = 0; c < p_.c; ++c) {
        const float* plane = p_.image + static_cast<std::size_t>(c) * p_.h * p_.w;
        __m256 d[positions];
        __m256 half[positions];
        __m256 whole[positions];
        for (int i = 0; i < 6; ++i) {
          const __m256i row = _mm256_load_si256(reinterpret_cast<const __m256i*>(in_row[i]));
          for (int j = 0; j < 6; ++j) {
            const __m256i column = _mm256_load_si256(reinterpret_cast<const __m256i*>(in_column[j]));
            const __m256i place = _mm256_add_epi32(from, _mm256_set1_epi32(i * p_.w + j));
            d[6 * i + j] = _mm256_mask_i32gather_ps(_mm256_setzero_ps(), plane, place,
                                                    _mm256_castsi256_ps(_mm256_and_si256(row, column)), 4);
          }
        }
        for (int j = 0; j < 6; ++j) input_transform(d + j, 6, half + j, 6);
        for (int i = 0; i < 6; ++i) input_transform(half + 6 * i, 1, whole + 6 * i, 1);
        float* v = &v_[c * stride_ + first];
        for (int j = 0; j < positions; ++j) _mm256_store_ps(v + j * v_size_, whole[j]);
      }
    }
  }

  // m[position] = u[position] v[position], 36 products, in blocks of 8 filters by 8 tiles.
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

  // y = A^T m A for 8 tiles at once; 4 by 4 transpositions bring each tile's outputs side by side.
  void transform_output() {
#pragma omp parallel for schedule(static)
    for (std::size_t first = 0; first < tiles_; first += 8) {
      for (int k = 0; k < p_.k; ++k) {
        const float* m = &m_[k * stride_ + first];
        __m256 whole[positions];
        __m256 half[24];
        __m256 y[16];
        for (int j = 0; j < positions; ++j) whole[j] = _mm256_load_ps(m + j * m_size_);
        for (int j = 0; j < 6; ++j) output_transform(whole + j, 6, half + j, 6);
        for (int i = 0; i < 4; ++i) output_transform(half + 6 * i, 1, y + 4 * i, 1);
        for (int i = 0; i < 4; ++i) store_row(first, k, i, y + 4 * i);
      }
    }
  }

  // Row i of the outputs of 8 tiles, of which y[j] holds column j.
  void store_row(std::size_t first, int k, int i, const __m256* y) {
    const __m256 low01 = _mm256_unpacklo_ps(y[0], y[1]);
    const __m256 low23 = _mm256_unpacklo_ps(y[2], y[3]);
    const __m256 high01 = _mm256_unpackhi_ps(y[0], y[1]);
    const __m256 high23 = _mm256_unpackhi_ps(y[2], y[3]);
    // Tile t is the half t / 4 of pair t % 4.
    alignas(32) float pairs[4][8];
    _mm256_store_ps(pairs[0], _mm256_shuffle_ps(low01, low23, _MM_SHUFFLE(1, 0, 1, 0)));
    _mm256_store_ps(pairs[1], _mm256_shuffle_ps(low01, low23, _MM_SHUFFLE(3, 2, 3, 2)));
    _mm256_store_ps(pairs[2], _mm256_shuffle_ps(high01, high23, _MM_SHUFFLE(1, 0, 1, 0)));
    _mm256_store_ps(pairs[3], _mm256_shuffle_ps(high01, high23, _MM_SHUFFLE(3, 2, 3, 2)));
    const std::size_t last = std::min(first + 8, tiles_);
    for (std::size_t t = first; t < last; ++t) {
      const std::size_t n = t / (tile_rows_ * tile_columns_);
      const int row = 4 * static_cast<int>(t / tile_columns_ % tile_rows_) + i;
      const int column = 4 * static_cast<int>(t % tile_columns_);
      if (row >= p_.out_h()) continue;
      const float* values = &pairs[(t - first) % 4][(t - first) / 4 * 4];
      float* out = p_.output + ((n * p_.k + k) * p_.out_h() + row) * p_.out_w() + column;
      if (column + 4 <= p_.out_w()) {
        _mm_storeu_ps(out, _mm_load_ps(values));
      } else {
        std::copy_n(values, p_.out_w() - column, out);
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

ROOFTOP_RUNG(winograd::Problem, F4x4);
