#include "verify.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <string>

namespace winograd {
namespace {

// Up to this many multiply-adds the reference covers every output.
constexpr double all_outputs_below = 3e7;
constexpr int random_samples = 1024;
constexpr int sampled_filters = 2048;

std::size_t index(int a, int b, int size_b) {
  return static_cast<std::size_t>(a) * static_cast<std::size_t>(size_b) + static_cast<std::size_t>(b);
}

std::string at(int n, int k, int y, int x) {
  return "at image " + std::to_string(n) + ", filter " + std::to_string(k) + ", row " + std::to_string(y) +
         ", column " + std::to_string(x);
}

std::string number(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.6g", value);
  return text.data();
}

// Random weights with magnitude in [1/2, 1): an error cannot hide behind a small weight.
std::vector<double> random_weights(int count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> magnitude(0.5, 1.0);
  std::vector<double> weights(static_cast<std::size_t>(count));
  for (double& weight : weights) weight = (random() & 1U) != 0U ? magnitude(random) : -magnitude(random);
  return weights;
}

}  // namespace

// Rounding errors of a sum of 9 C products grow like sqrt(9 C) when they are independent; an algorithm's transforms
// amplify them (Barabasz et al. 2020). The factors leave three to ten times the largest error seen with the usual
// points 0, +-1, +-2, (+-1/2), and stay a thousand times below what one wrong term causes.
double tolerance(std::string_view algorithm, int channels) {
  struct Entry {
    std::string_view algorithm;
    double amplification;
  };
  static constexpr std::array<Entry, 6> table{{
      {"direct", 1},
      {"im2col-gemm", 1},
      {"F(2)-1d", 2},
      {"F(2)", 4},
      {"F(4)", 16},
      {"F(6)", 64},
  }};
  const double unit_roundoff = 0x1p-24;
  for (const Entry& entry : table) {
    if (entry.algorithm == algorithm) return unit_roundoff * entry.amplification * (4 + std::sqrt(9.0 * channels));
  }
  return 0;
}

Verifier::Verifier(const Problem& problem)
    : problem_(problem), weight_y_(random_weights(problem.out_h(), 1)), weight_x_(random_weights(problem.out_w(), 2)) {
  choose_samples();
  compute_samples();
  compute_functionals();
}

void Verifier::choose_samples() {
  const Problem& p = problem_;
  const int out_h = p.out_h();
  const int out_w = p.out_w();
  if (p.direct_flops() / 2 <= all_outputs_below) {
    for (int n = 0; n < p.n; ++n)
      for (int k = 0; k < p.k; ++k)
        for (int y = 0; y < out_h; ++y)
          for (int x = 0; x < out_w; ++x) samples_.push_back({n, k, y, x, 0, 0});
    return;
  }
  std::mt19937_64 random(3);
  const auto below = [&random](int bound) { return static_cast<int>(random() % static_cast<std::uint64_t>(bound)); };
  // The last 8 rows or columns hold the last tile of every algorithm here.
  const auto last_tile = [&below](int size) { return size - 1 - below(std::min(size, 8)); };
  for (int n = 0; n < p.n; ++n) {
    // Corners, edges and last tiles of every image, with the first, the last and any other filter.
    const std::array<int, 4> rows{0, out_h - 1, last_tile(out_h), below(out_h)};
    const std::array<int, 4> columns{0, out_w - 1, last_tile(out_w), below(out_w)};
    int turn = 0;
    for (const int y : rows) {
      for (const int x : columns) {
        const std::array<int, 3> filters{0, p.k - 1, below(p.k)};
        samples_.push_back({n, filters[static_cast<std::size_t>(turn++ % 3)], y, x, 0, 0});
      }
    }
  }
  for (int i = 0; i < std::min(p.k, sampled_filters); ++i) {
    const int k = p.k <= sampled_filters ? i : below(p.k);
    samples_.push_back({below(p.n), k, below(out_h), below(out_w), 0, 0});
  }
  for (int i = 0; i < random_samples; ++i)
    samples_.push_back({below(p.n), below(p.k), below(out_h), below(out_w), 0, 0});
}

void Verifier::compute_samples() {
  const Problem& p = problem_;
  const std::size_t plane = static_cast<std::size_t>(p.h) * static_cast<std::size_t>(p.w);
#pragma omp parallel for schedule(static)
  for (Sample& sample : samples_) {
    double squares = 0;
    for (int c = 0; c < p.c; ++c) {
      const float* image = p.image + index(sample.n, c, p.c) * plane;
      const float* filter = p.filter + index(sample.k, c, p.c) * 9;
      for (int r = 0; r < 3; ++r) {
        const int y = sample.y + r - p.padding;
        if (y < 0 || y >= p.h) continue;
        for (int s = 0; s < 3; ++s) {
          const int x = sample.x + s - p.padding;
          if (x < 0 || x >= p.w) continue;
          const double term = static_cast<double>(image[index(y, x, p.w)]) * static_cast<double>(filter[3 * r + s]);
          sample.value += term;
          squares += term * term;
        }
      }
    }
    sample.spread = std::sqrt(squares);
  }
  for (const Sample& sample : samples_) {
    largest_ = std::max(largest_, std::abs(sample.value));
    scale_ = std::max({scale_, std::abs(sample.value), sample.spread});
  }
}

// Sum over y, x of w(y) v(x) out[n][k][y][x] = sum over c, r, s of filter[k][c][r][s] * moment[n][c][r][s] with
// moment[n][c][r][s] = sum over y, x of w(y) v(x) image[n][c][y+r-p][x+s-p]: cheap, and it sees every output.
void Verifier::compute_functionals() {
  const Problem& p = problem_;
  const std::size_t depth = static_cast<std::size_t>(p.c) * 9;
  functionals_.assign(index(p.n, 0, p.k), 0.0);
#pragma omp parallel
  {
    std::vector<double> moments(depth);
    std::vector<double> row_sums(static_cast<std::size_t>(p.h) * 3);
#pragma omp for schedule(static)
    for (int n = 0; n < p.n; ++n) {
      for (int c = 0; c < p.c; ++c) {
        const float* plane = p.image + index(n, c, p.c) * static_cast<std::size_t>(p.h) * static_cast<std::size_t>(p.w);
        for (int y = 0; y < p.h; ++y) {
          for (int s = 0; s < 3; ++s) {
            const int first = std::max(0, p.padding - s);
            const int last = std::min(p.out_w(), p.w + p.padding - s);
            const float* row = plane + index(y, 0, p.w) + (s - p.padding);
            double sum = 0;
            for (int x = first; x < last; ++x)
              sum += weight_x_[static_cast<std::size_t>(x)] * static_cast<double>(row[x]);
            row_sums[index(y, s, 3)] = sum;
          }
        }
        for (int r = 0; r < 3; ++r) {
          for (int s = 0; s < 3; ++s) {
            double sum = 0;
            for (int y = std::max(0, p.padding - r); y < std::min(p.out_h(), p.h + p.padding - r); ++y) {
              sum += weight_y_[static_cast<std::size_t>(y)] * row_sums[index(y + r - p.padding, s, 3)];
            }
            moments[index(c, 3 * r + s, 9)] = sum;
          }
        }
      }
      for (int k = 0; k < p.k; ++k) {
        const float* filter = p.filter + static_cast<std::size_t>(k) * depth;
        double sum = 0;
        for (std::size_t i = 0; i < depth; ++i) sum += static_cast<double>(filter[i]) * moments[i];
        functionals_[index(n, k, p.k)] = sum;
      }
    }
  }
}

std::string Verifier::first_bad_value() const {
  const Problem& p = problem_;
  const std::size_t plane = static_cast<std::size_t>(p.out_h()) * static_cast<std::size_t>(p.out_w());
  const std::size_t count = index(p.n, 0, p.k) * plane;
  std::size_t first = count;
#pragma omp parallel for schedule(static) reduction(min : first)
  for (std::size_t i = 0; i < count; ++i) {
    // By the bits, so that no compiler flag can optimise the test away: an exponent of all ones is NaN or infinite.
    if ((std::bit_cast<std::uint32_t>(p.output[i]) & 0x7f800000U) == 0x7f800000U) first = std::min(first, i);
  }
  if (first == count) return "";
  const int x = static_cast<int>(first % static_cast<std::size_t>(p.out_w()));
  const int y = static_cast<int>(first / static_cast<std::size_t>(p.out_w()) % static_cast<std::size_t>(p.out_h()));
  const int k = static_cast<int>(first / plane % static_cast<std::size_t>(p.k));
  const int n = static_cast<int>(first / plane / static_cast<std::size_t>(p.k));
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(p.output[first]);
  const char* what = bits == poison_bits          ? "output left unwritten "
                     : (bits & 0x007fffffU) != 0U ? "output is not a number "
                                                  : "output is infinite ";
  return what + at(n, k, y, x);
}

Verifier::Finding Verifier::check_functionals(double allowed) const {
  const Problem& p = problem_;
  const std::size_t out_w = static_cast<std::size_t>(p.out_w());
  const std::size_t plane = static_cast<std::size_t>(p.out_h()) * out_w;
  // Errors of at most `allowed` each with random signs add up to 8 sqrt(plane) allowed once in 10^13 (Hoeffding).
  const double bound = 8 * std::sqrt(static_cast<double>(plane)) * allowed;
  std::vector<double> sums(functionals_.size());
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < sums.size(); ++i) {
    double sum = 0;
    for (std::size_t y = 0; y < weight_y_.size(); ++y) {
      const float* row = p.output + i * plane + y * out_w;
      double row_sum = 0;
      for (std::size_t x = 0; x < out_w; ++x) row_sum += weight_x_[x] * static_cast<double>(row[x]);
      sum += weight_y_[y] * row_sum;
    }
    sums[i] = sum;
  }
  Finding worst;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const double excess = std::abs(sums[i] - functionals_[i]) / bound;
    if (excess > worst.excess) worst = {excess, i, sums[i], functionals_[i]};
  }
  return worst;
}

rooftop::Verdict Verifier::check(std::string_view algorithm) const {
  const Problem& p = problem_;
  rooftop::Verdict verdict;
  verdict.error = std::numeric_limits<double>::quiet_NaN();
  if (tolerance(algorithm, p.c) == 0) {
    verdict.message = "algorithm '" + std::string(algorithm) +
                      "' has no tolerance; expected direct, im2col-gemm, F(2)-1d, F(2), F(4) or F(6)";
    return verdict;
  }
  // With very few outputs all of them may be small by cancellation; the rounding error is that of the terms.
  const double scale = largest_ > 0 ? largest_ : 1.0;
  verdict.tolerance = tolerance(algorithm, p.c) * std::max(1.0, scale_ / scale);
  verdict.message = first_bad_value();
  if (!verdict.message.empty()) return verdict;

  const Sample* worst = nullptr;
  double difference = 0;
  for (const Sample& sample : samples_) {
    const std::size_t place =
        (index(sample.n, sample.k, p.k) * static_cast<std::size_t>(p.out_h()) + static_cast<std::size_t>(sample.y)) *
            static_cast<std::size_t>(p.out_w()) +
        static_cast<std::size_t>(sample.x);
    const double error = std::abs(static_cast<double>(p.output[place]) - sample.value);
    if (worst == nullptr || error > difference) {
      difference = error;
      worst = &sample;
    }
  }
  verdict.error = difference / scale;
  if (verdict.error > verdict.tolerance) {
    verdict.message = "error " + number(verdict.error) + " exceeds " + number(verdict.tolerance) + ", largest " +
                      at(worst->n, worst->k, worst->y, worst->x) + ", expected " + number(worst->value);
    return verdict;
  }
  const Finding finding = check_functionals(verdict.tolerance * scale);
  if (finding.excess > 1) {
    verdict.message = "the weighted sum over image " + std::to_string(finding.plane / static_cast<std::size_t>(p.k)) +
                      ", filter " + std::to_string(finding.plane % static_cast<std::size_t>(p.k)) + " is " +
                      number(finding.seen) + ", expected " + number(finding.expected) +
                      ": an output that was not sampled is wrong";
    return verdict;
  }
  verdict.ok = true;
  return verdict;
}

}  // namespace winograd
