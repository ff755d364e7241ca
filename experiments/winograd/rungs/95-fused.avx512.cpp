/// The fused form with 512-bit vectors: 16 tiles in a vector, sums of 8 filters by 32 tiles.
///
/// Changed from 90-fused: twice the lanes, twice the registers, and masks instead of masked lanes.
/// Limit attacked: the width of the multiply-add, the last factor that instructions can give.
/// Evidence: up to 1.6 or twofold where the products dominate, less where memory or the gathers of the transforms do;
/// on small images whole vectors of 16 tiles leave lanes empty.
/// Source: Intel 64 and IA-32 Architectures Optimization Reference Manual, chapter on AVX-512.
#include <immintrin.h>
#include <omp.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <rooftop/aligned.hpp>
#include <rooftop/rung.hpp>

#include "problem.hpp"

namespace {

constexpr int positions = 36;               // of a transformed tile
constexpr std::size_t lanes = 16;           // tiles in a vector
constexpr std::size_t filter_block = 8;     // by 2 vectors of tiles: 16 sums in registers
constexpr double cache_bytes = 1280 << 10;  // for a block's tiles: the better part of a 2 MiB L2 cache

// base[from[lane]] where the lane is valid, else 0.
__m512 gather(const float* base, __m512i from, __mmask16 valid) {
  return _mm512_mask_i32gather_ps(_mm512_setzero_ps(), valid, from, base, 4);
}

// One-dimensional transforms of F(4,3) with the points 0, 1, -1, 2, -2 and infinity, on 16 tiles or 8 filters at once.
// v = B^T d: 8 multiply-adds and 4 additions.
void input_transform(const __m512* d, int d_step, __m512* v, int v_step) {
  const __m512 four = _mm512_set1_ps(4.0F);
  const __m512 five = _mm512_set1_ps(5.0F);
  const __m512 two = _mm512_set1_ps(2.0F);
  const __m512 d0 = d[0];
  const __m512 d1 = d[d_step];
  const __m512 d2 = d[2 * d_step];
  const __m512 d3 = d[3 * d_step];
  const __m512 d4 = d[4 * d_step];
  const __m512 d5 = d[5 * d_step];
  const __m512 even1 = _mm512_fnmadd_ps(four, d2, d4);
  const __m512 odd1 = _mm512_fnmadd_ps(four, d1, d3);
  const __m512 even2 = _mm512_sub_ps(d4, d2);
  const __m512 odd2 = _mm512_sub_ps(d3, d1);
  v[0] = _mm512_fmadd_ps(four, d0, _mm512_fnmadd_ps(five, d2, d4));
  v[v_step] = _mm512_add_ps(even1, odd1);
  v[2 * v_step] = _mm512_sub_ps(even1, odd1);
  v[3 * v_step] = _mm512_fmadd_ps(two, odd2, even2);
  v[4 * v_step] = _mm512_fnmadd_ps(two, odd2, even2);
  v[5 * v_step] = _mm512_fmadd_ps(four, d1, _mm512_fnmadd_ps(five, d3, d5));
}

// u = G g: 5 multiply-adds and 4 other operations.
void filter_transform(const __m512* g, int g_step, __m512* u, int u_step) {
  const __m512 sixth = _mm512_set1_ps(1.0F / 6.0F);
  const __m512 twelfth = _mm512_set1_ps(1.0F / 12.0F);
  const __m512 g0 = g[0];
  const __m512 g1 = g[g_step];
  const __m512 g2 = g[2 * g_step];
  const __m512 outer1 = _mm512_mul_ps(_mm512_add_ps(g0, g2), _mm512_set1_ps(-1.0F / 6.0F));
  const __m512 outer2 = _mm512_fmadd_ps(sixth, g2, _mm512_mul_ps(_mm512_set1_ps(1.0F / 24.0F), g0));
  u[0] = _mm512_mul_ps(_mm512_set1_ps(0.25F), g0);
  u[u_step] = _mm512_fnmadd_ps(sixth, g1, outer1);
  u[2 * u_step] = _mm512_fmadd_ps(sixth, g1, outer1);
  u[3 * u_step] = _mm512_fmadd_ps(twelfth, g1, outer2);
  u[4 * u_step] = _mm512_fnmadd_ps(twelfth, g1, outer2);
  u[5 * u_step] = g2;
}

// y = A^T m: 3 multiply-adds and 7 additions.
void output_transform(const __m512* m, int m_step, __m512* y, int y_step) {
  const __m512 sum1 = _mm512_add_ps(m[m_step], m[2 * m_step]);
  const __m512 difference1 = _mm512_sub_ps(m[m_step], m[2 * m_step]);
  const __m512 sum2 = _mm512_add_ps(m[3 * m_step], m[4 * m_step]);
  const __m512 difference2 = _mm512_sub_ps(m[3 * m_step], m[4 * m_step]);
  y[0] = _mm512_add_ps(m[0], _mm512_add_ps(sum1, sum2));
  y[y_step] = _mm512_fmadd_ps(_mm512_set1_ps(2.0F), difference2, difference1);
  y[2 * y_step] = _mm512_fmadd_ps(_mm512_set1_ps(4.0F), sum2, sum1);
  y[3 * y_step] = _mm512_add_ps(_mm512_fmadd_ps(_mm512_set1_ps(8.0F), difference2, difference1), m[5 * m_step]);
}

class Fused512 : public rooftop::Rung {
 public:
  explicit Fused512(const winograd::Problem& problem)
      : p_(problem),
        tile_rows_((p_.out_h() + 3) / 4),
        tile_columns_((p_.out_w() + 3) / 4),
        tiles_(static_cast<std::size_t>(p_.n) * tile_rows_ * tile_columns_),
        filter_blocks_((static_cast<std::size_t>(p_.k) + filter_block - 1) / filter_block) {
    if (p_.layout != winograd::Layout::nchw) throw rooftop::Skip("works on NCHW only, not on a blocked layout");
    if (p_.instructions == winograd::Instructions::avx2) throw rooftop::Skip("AVX-512 is held back on these terms");
    const auto threads = static_cast<std::size_t>(p_.threads);
    // As many tiles as the cache holds, then so many blocks that every thread gets as many.
    const double tile_bytes = sizeof(float) * positions * static_cast<double>(p_.c + filter_block);
    const std::size_t most = std::max(lanes, static_cast<std::size_t>(cache_bytes / tile_bytes) / lanes * lanes);
    const std::size_t blocks = ((tiles_ + most - 1) / most + threads - 1) / threads * threads;
    block_tiles_ = ((tiles_ + blocks - 1) / blocks + lanes - 1) / lanes * lanes;
    blocks_ = (tiles_ + block_tiles_ - 1) / block_tiles_;
    // With fewer blocks than threads each block is shared, and each of its threads transforms its tiles for itself.
    parts_ = blocks_ < threads ? std::min(threads, filter_blocks_) : 1;
    // One cache line more: at a power-of-two distance all stores of a tile would fall into one cache set.
    u_size_ = p_.c * filter_block + 16;
    v_size_ = p_.c * block_tiles_ + 16;
    m_size_ = filter_block * block_tiles_ + 16;
    u_ = rooftop::AlignedArray<float>(filter_blocks_ * positions * u_size_);
    v_ = rooftop::AlignedArray<float>(threads * positions * v_size_);
    m_ = rooftop::AlignedArray<float>(threads * positions * m_size_);
  }

  void prepare() override {
    if (p_.filter_terms == winograd::Filter::prepared) transform_filter();
  }

  void run() override {
    if (p_.filter_terms == winograd::Filter::timed) transform_filter();
    const auto tasks = static_cast<std::int64_t>(blocks_ * parts_);
#pragma omp parallel for schedule(static, 1)
    for (std::int64_t task = 0; task < tasks; ++task) {
      const auto thread = static_cast<std::size_t>(omp_get_thread_num());
      const std::size_t first = static_cast<std::size_t>(task) / parts_ * block_tiles_;
      const std::size_t part = static_cast<std::size_t>(task) % parts_;
      float* v = &v_[thread * positions * v_size_];
      float* m = &m_[thread * positions * m_size_];
      const std::size_t vectors = (std::min(block_tiles_, tiles_ - first) + lanes - 1) / lanes;
      for (std::size_t i = 0; i < vectors; ++i) transform_image(first + i * lanes, v + i * lanes);
      const std::size_t last = filter_blocks_ * (part + 1) / parts_;
      for (std::size_t block = filter_blocks_ * part / parts_; block < last; ++block) {
        multiply(block, v, m, vectors);
        for (std::size_t i = 0; i < filter_block; ++i) {
          const auto k = static_cast<int>(block * filter_block + i);
          if (k >= p_.k) break;
          for (std::size_t j = 0; j < vectors; ++j) {
            transform_output(m + i * block_tiles_ + j * lanes, first + j * lanes, k);
          }
        }
      }
    }
  }

  [[nodiscard]] rooftop::Work work() const override {
    const double k = p_.k;
    const double c = p_.c;
    const double tiles = static_cast<double>(tiles_);
    const double image = c * p_.n * p_.h * p_.w;
    const double output = k * p_.n * p_.out_h() * p_.out_w();
    const double filters = p_.filter_terms == winograd::Filter::timed ? k * c : 0;
    const double u = positions * k * c;
    const double v_tiles = c * tiles * static_cast<double>(parts_);
    rooftop::Work work;
    // Multiply-adds of the products and of 12, 10 and 9 one-dimensional transforms; then the other operations.
    work.fma_flops = 2 * (positions * k * c * tiles + 12 * 8 * v_tiles + 10 * 3 * k * tiles + 9 * 5 * filters);
    work.add_flops = 12 * 4 * v_tiles + 10 * 7 * k * tiles + 9 * 4 * filters;
    // v and m never leave the L2 cache.
    work.memory_bytes = 4 * (image + 9 * filters + (filters > 0 ? 2 : 1) * u + output);
    work.working_set_bytes = 4 * (image + 9 * filters + u + output);
    work.algorithm = "F(4)";
    return work;
  }

 private:
  // u = G g G^T for a block of filters at once. Layout [filter block][position][c][filter].
  void transform_filter() {
    const __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __m512i from = _mm512_mullo_epi32(lane, _mm512_set1_epi32(9 * p_.c));
#pragma omp parallel for schedule(static)
    for (std::size_t block = 0; block < filter_blocks_; ++block) {
      const auto filters = static_cast<int>(std::min(filter_block, p_.k - block * filter_block));
      const auto valid = static_cast<__mmask16>((1U << filters) - 1);
      constexpr __mmask16 stored = (1U << filter_block) - 1;
      for (int c = 0; c < p_.c; ++c) {
        const float* filter = p_.filter + (block * filter_block * p_.c + c) * 9;
        __m512 g[9];
        __m512 half[18];
        __m512 whole[positions];
        for (int i = 0; i < 9; ++i) g[i] = gather(filter + i, from, valid);
        for (int s = 0; s < 3; ++s) filter_transform(g + s, 3, half + s, 3);
        for (int i = 0; i < 6; ++i) filter_transform(half + 3 * i, 1, whole + 6 * i, 1);
        float* u = &u_[block * positions * u_size_ + c * filter_block];
        for (std::size_t j = 0; j < positions; ++j) _mm512_mask_storeu_ps(u + j * u_size_, stored, whole[j]);
      }
    }
  }

  // v = B^T d B for a vector of tiles from `first` on, each lane gathering from its own. Layout [position][c][tile].
  void transform_image(std::size_t first, float* v) const {
    alignas(64) std::int32_t start[lanes];
    __mmask16 in_row[6] = {};
    __mmask16 in_column[6] = {};
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const std::size_t t = first + lane;
      const auto n = static_cast<int>(t / (tile_rows_ * tile_columns_));
      const int y = 4 * static_cast<int>(t / tile_columns_ % tile_rows_) - p_.padding;
      const int x = 4 * static_cast<int>(t % tile_columns_) - p_.padding;
      start[lane] = t < tiles_ ? (n * p_.c * p_.h + y) * p_.w + x : 0;
      for (int i = 0; i < 6; ++i) {
        if (t < tiles_ && y + i >= 0 && y + i < p_.h) in_row[i] |= static_cast<__mmask16>(1U << lane);
        if (x + i >= 0 && x + i < p_.w) in_column[i] |= static_cast<__mmask16>(1U << lane);
      }
    }
    const __m512i from = _mm512_load_si512(start);
    for (int c = 0; c < p_.c; ++c) {
      const float* plane = p_.image + static_cast<std::size_t>(c) * p_.h * p_.w;
      __m512 d[positions];
      __m512 half[positions];
      __m512 whole[positions];
      for (int i = 0; i < 6; ++i) {
        for (int j = 0; j < 6; ++j) {
          const __m512i place = _mm512_add_epi32(from, _mm512_set1_epi32(i * p_.w + j));
          d[6 * i + j] = gather(plane, place, in_row[i] & in_column[j]);
        }
      }
      for (int j = 0; j < 6; ++j) input_transform(d + j, 6, half + j, 6);
      for (int i = 0; i < 6; ++i) input_transform(half + 6 * i, 1, whole + 6 * i, 1);
      for (int j = 0; j < positions; ++j) _mm512_store_ps(v + j * v_size_ + c * block_tiles_, whole[j]);
    }
  }

  // m = u v for a block of filters at every position. Layout [position][filter][tile].
  void multiply(std::size_t block, const float* v, float* m, std::size_t vectors) const {
    for (std::size_t j = 0; j < positions; ++j) {
      const float* u = &u_[(block * positions + j) * u_size_];
      const float* from = v + j * v_size_;
      float* to = m + j * m_size_;
      std::size_t i = 0;
      for (; i + 2 <= vectors; i += 2) multiply_strip<2>(u, from + i * lanes, to + i * lanes);
      if (i < vectors) multiply_strip<1>(u, from + i * lanes, to + i * lanes);
    }
  }

  template <std::size_t Vectors>
  void multiply_strip(const float* u, const float* v, float* m) const {
    __m512 sum[filter_block][Vectors];
    for (auto& row : sum) std::fill_n(row, Vectors, _mm512_setzero_ps());
    for (int c = 0; c < p_.c; ++c, u += filter_block, v += block_tiles_) {
      __m512 row[Vectors];
      for (std::size_t j = 0; j < Vectors; ++j) row[j] = _mm512_load_ps(v + j * lanes);
      for (std::size_t i = 0; i < filter_block; ++i) {
        const __m512 factor = _mm512_set1_ps(u[i]);
        for (std::size_t j = 0; j < Vectors; ++j) sum[i][j] = _mm512_fmadd_ps(factor, row[j], sum[i][j]);
      }
    }
    for (std::size_t i = 0; i < filter_block; ++i) {
      for (std::size_t j = 0; j < Vectors; ++j) _mm512_store_ps(m + i * block_tiles_ + j * lanes, sum[i][j]);
    }
  }

  // y = A^T m A for a vector of tiles; 4 by 4 transpositions bring each tile's outputs side by side.
  void transform_output(const float* m, std::size_t first, int k) const {
    __m512 whole[positions];
    __m512 half[24];
    __m512 y[16];
    for (std::size_t j = 0; j < positions; ++j) whole[j] = _mm512_load_ps(m + j * m_size_);
    for (int j = 0; j < 6; ++j) output_transform(whole + j, 6, half + j, 6);
    for (int i = 0; i < 4; ++i) output_transform(half + 6 * i, 1, y + 4 * i, 1);
    for (int i = 0; i < 4; ++i) store_row(first, k, i, y + 4 * i);
  }

  // Row i of the outputs of a vector of tiles, of which y[j] holds column j.
  void store_row(std::size_t first, int k, int i, const __m512* y) const {
    // The forms without a mask make GCC 12 warn about its own headers; a full mask costs nothing.
    constexpr __mmask16 all = 0xffff;
    const __m512 low01 = _mm512_maskz_unpacklo_ps(all, y[0], y[1]);
    const __m512 low23 = _mm512_maskz_unpacklo_ps(all, y[2], y[3]);
    const __m512 high01 = _mm512_maskz_unpackhi_ps(all, y[0], y[1]);
    const __m512 high23 = _mm512_maskz_unpackhi_ps(all, y[2], y[3]);
    // Tile t is the quarter t / 4 of group t % 4.
    alignas(64) float groups[4][lanes];
    _mm512_store_ps(groups[0], _mm512_shuffle_ps(low01, low23, _MM_SHUFFLE(1, 0, 1, 0)));
    _mm512_store_ps(groups[1], _mm512_shuffle_ps(low01, low23, _MM_SHUFFLE(3, 2, 3, 2)));
    _mm512_store_ps(groups[2], _mm512_shuffle_ps(high01, high23, _MM_SHUFFLE(1, 0, 1, 0)));
    _mm512_store_ps(groups[3], _mm512_shuffle_ps(high01, high23, _MM_SHUFFLE(3, 2, 3, 2)));
    const std::size_t last = std::min(first + lanes, tiles_);
    for (std::size_t t = first; t < last; ++t) {
      const std::size_t n = t / (tile_rows_ * tile_columns_);
      const int row = 4 * static_cast<int>(t / tile_columns_ % tile_rows_) + i;
      const int column = 4 * static_cast<int>(t % tile_columns_);
      if (row >= p_.out_h()) continue;
      const float* values = &groups[(t - first) % 4][(t - first) / 4 * 4];
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
  std::size_t filter_blocks_;
  std::size_t block_tiles_, blocks_;      // tiles in a block, blocks of tiles
  std::size_t parts_;                     // that a block's filters are cut into
  std::size_t u_size_, v_size_, m_size_;  // of one position
  rooftop::AlignedArray<float> u_, v_, m_;
};

}  // namespace

ROOFTOP_RUNG(winograd::Problem, Fused512);
