/// 1-D Winograd F(2,3) along the rows, with the matrix product as its formula reads.
///
/// Two neighbouring outputs of a row take 4 multiplications instead of 6. What is left are four matrix products
/// (filters by channels and filter rows, times channels and filter rows by pairs of outputs), here as the textbook's
/// three loops.
/// Limit: the latency of one addition after another, through memory, and a cache line fetched for each value of v.
/// Evidence: far below the scalar peak at every size, falling further once v leaves the L2 cache.
/// Source: Winograd, Arithmetic Complexity of Computations, SIAM 1980; Lavin and Gray, CVPR 2016, equation (5).
// threads: none
#include <algorithm>
#include <cstddef>
#include <rooftop/aligned.hpp>
#include <rooftop/rung.hpp>

#include "problem.hpp"

namespace {

class Naive : public rooftop::Rung {
 public:
  explicit Naive(const winograd::Problem& problem)
      : p_(problem),
        tiles_((p_.out_w() + 1) / 2),
        rows_(p_.out_h() + 2),
        columns_(static_cast<std::size_t>(p_.out_h()) * tiles_),
        u_size_(static_cast<std::size_t>(p_.k) * 3 * p_.c),
        v_size_(static_cast<std::size_t>(p_.c) * rows_ * tiles_),
        m_size_(p_.k * columns_),
        u_(4 * u_size_),
        v_(4 * v_size_),
        m_(4 * m_size_),
        row_(2 * static_cast<std::size_t>(tiles_) + 2) {
    if (p_.layout != winograd::Layout::nchw) throw rooftop::Skip("works on NCHW only, not on a blocked layout");
    if (p_.filter_terms != winograd::Filter::timed) throw rooftop::Skip("transforms the filter in every run");
  }

  void run() override {
    transform_filter();
    for (int n = 0; n < p_.n; ++n) {
      transform_image(n);
      for (int j = 0; j < 4; ++j) multiply(&u_[j * u_size_], &v_[j * v_size_], &m_[j * m_size_]);
      transform_output(n);
    }
  }

  [[nodiscard]] rooftop::Work work() const override {
    const double n = p_.n;
    const double k = p_.k;
    const double c = p_.c;
    const double image = c * p_.h * p_.w;
    const double v = 4 * c * rows_ * tiles_;
    const double u = 4 * 3 * k * c;
    const double m = 4 * k * static_cast<double>(columns_);
    const double output = k * p_.out_h() * p_.out_w();
    rooftop::Work work;
    work.fma_flops = n * 2 * m * 3 * c;
    work.add_flops = n * (v + m) + 5 * 3 * k * c;
    // What one stage writes, the next one reads.
    work.memory_bytes = 4 * (9 * k * c + 2 * u + n * (image + 2 * v + 2 * m + output));
    work.working_set_bytes = 4 * (9 * k * c + u + v + m + n * (image + output));
    work.algorithm = "F(2)-1d";
    return work;
  }

 private:
  // u = G g for each row r of each filter. Layout [j][k][c][r].
  void transform_filter() {
    for (int k = 0; k < p_.k; ++k) {
      for (int d = 0; d < 3 * p_.c; ++d) {
        const float* g = p_.filter + (static_cast<std::size_t>(k) * 3 * p_.c + d) * 3;
        float* u = &u_[static_cast<std::size_t>(k) * 3 * p_.c + d];
        const float outer = g[0] + g[2];
        u[0] = g[0];
        u[u_size_] = 0.5F * (outer + g[1]);
        u[2 * u_size_] = 0.5F * (outer - g[1]);
        u[3 * u_size_] = g[2];
      }
    }
  }

  // v = B^T d for each pair of outputs of each padded image row. Layout [j][c][row][tile].
  void transform_image(int n) {
    for (int c = 0; c < p_.c; ++c) {
      const float* plane = p_.image + (static_cast<std::size_t>(n) * p_.c + c) * p_.h * p_.w;
      for (int i = 0; i < rows_; ++i) {
        const int y = i - p_.padding;
        std::fill(row_.begin(), row_.end(), 0.0F);
        if (y >= 0 && y < p_.h) std::copy_n(plane + static_cast<std::size_t>(y) * p_.w, p_.w, &row_[p_.padding]);
        float* v = &v_[(static_cast<std::size_t>(c) * rows_ + i) * tiles_];
        for (int t = 0; t < tiles_; ++t) {
          const float* d = &row_[2 * static_cast<std::size_t>(t)];
          v[t] = d[0] - d[2];
          v[v_size_ + t] = d[1] + d[2];
          v[2 * v_size_ + t] = d[2] - d[1];
          v[3 * v_size_ + t] = d[1] - d[3];
        }
      }
    }
  }

  // m[k][x] = sum over c, r of u[k][c][r] v[c][row of x + r][tile of x]: the rows of v that filter row r needs are one
  // contiguous piece that starts r rows further down.
  void multiply(const float* u, const float* v, float* m) {
    for (int k = 0; k < p_.k; ++k) {
      for (std::size_t x = 0; x < columns_; ++x) {
        m[k * columns_ + x] = 0;
        for (int c = 0; c < p_.c; ++c) {
          for (int r = 0; r < 3; ++r) {
            m[k * columns_ + x] += u[(static_cast<std::size_t>(k) * p_.c + c) * 3 + r] *
                                   v[(static_cast<std::size_t>(c) * rows_ + r) * tiles_ + x];
          }
        }
      }
    }
  }

  // y = A^T m: two outputs from four sums. The last column of an odd width is dropped.
  void transform_output(int n) {
    for (int k = 0; k < p_.k; ++k) {
      for (int y = 0; y < p_.out_h(); ++y) {
        const float* m = &m_[k * columns_ + static_cast<std::size_t>(y) * tiles_];
        float* out = p_.output + ((static_cast<std::size_t>(n) * p_.k + k) * p_.out_h() + y) * p_.out_w();
        for (int t = 0; t < tiles_; ++t) {
          const float m1 = m[m_size_ + t];
          const float m2 = m[2 * m_size_ + t];
          out[2 * t] = m[t] + m1 + m2;
          if (2 * t + 1 < p_.out_w()) out[2 * t + 1] = m1 - m2 - m[3 * m_size_ + t];
        }
      }
    }
  }

  winograd::Problem p_;
  int tiles_;            // pairs of outputs in a row
  int rows_;             // image rows with padding
  std::size_t columns_;  // of a product: all pairs of one image
  std::size_t u_size_, v_size_, m_size_;
  rooftop::AlignedArray<float> u_, v_, m_, row_;
};

}  // namespace

ROOFTOP_RUNG(winograd::Problem, Naive);
