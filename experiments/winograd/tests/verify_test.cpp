// Each kind of wrong result is planted in a right one, and must be caught.
// threads: none, but the verifier's, which every check of a rung starts
#include "../verify.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <vector>

namespace winograd {
namespace {

struct Size {
  int c, h, w, k, n, padding;
};

void PrintTo(const Size& s, std::ostream* out) {
  *out << "c" << s.c << "_h" << s.h << "_w" << s.w << "_k" << s.k << "_n" << s.n << "_p" << s.padding;
}

nlohmann::json parameters(const Size& s, const char* data) {
  return {{"c", s.c}, {"h", s.h}, {"w", s.w}, {"k", s.k}, {"n", s.n}, {"padding", s.padding}, {"data", data}};
}

// The right result, or with `filter` and `padding` other than the problem's a wrong one of the right size. Row by row
// of the output, as a test that asks for each pixel by its indices takes most of its time for that.
std::vector<float> convolve(const Problem& p, const float* image, const float* filter, int padding) {
  std::vector<float> out;
  std::vector<double> row(static_cast<std::size_t>(p.out_w()));
  for (int n = 0; n < p.n; ++n)
    for (int k = 0; k < p.k; ++k)
      for (int y = 0; y < p.out_h(); ++y) {
        std::fill(row.begin(), row.end(), 0.0);
        for (int c = 0; c < p.c; ++c)
          for (int r = 0; r < 3; ++r) {
            const int from = y + r - padding;
            if (from < 0 || from >= p.h) continue;
            const float* pixels = image + ((static_cast<std::size_t>(n) * p.c + c) * p.h + from) * p.w;
            for (int s = 0; s < 3; ++s) {
              const float weight = filter[(static_cast<std::size_t>(k) * p.c + c) * 9 + 3 * r + s];
              const int shift = s - padding, end = std::min(p.out_w(), p.w - shift);
              double* const sums = row.data();
              for (int x = std::max(0, -shift); x < end; ++x) sums[x] += pixels[x + shift] * weight;
            }
          }
        for (const double sum : row) out.push_back(static_cast<float>(sum));
      }
  return out;
}

class Planted : public testing::TestWithParam<std::tuple<Size, const char*>> {
 protected:
  void SetUp() override {
    const auto& [size, data] = GetParam();
    experiment_ = rooftop::make_experiment();
    experiment_->set_up(parameters(size, data), 7, 2);
    problem_ = static_cast<const Problem*>(experiment_->problem());
    count_ = static_cast<std::size_t>(problem_->n) * problem_->k * problem_->out_h() * problem_->out_w();
    right_ = convolve(*problem_, problem_->image, problem_->filter, problem_->padding);
  }

  rooftop::Verdict verdict_on(const std::vector<float>& output) {
    experiment_->poison();
    std::copy(output.begin(), output.end(), problem_->output);
    return experiment_->verify("direct");
  }

  void expect_caught(const std::vector<float>& output) {
    const rooftop::Verdict verdict = verdict_on(output);
    EXPECT_FALSE(verdict.ok);
    EXPECT_FALSE(verdict.message.empty());
    EXPECT_EQ(verdict.message.find('\n'), std::string::npos);
  }

  std::unique_ptr<rooftop::Experiment> experiment_;
  const Problem* problem_ = nullptr;
  std::size_t count_ = 0;
  std::vector<float> right_;
};

TEST_P(Planted, RightResultPasses) {
  const rooftop::Verdict verdict = verdict_on(right_);
  EXPECT_TRUE(verdict.ok) << verdict.message;
  EXPECT_LE(verdict.error, verdict.tolerance);
  EXPECT_GT(verdict.tolerance, 0);
}

TEST_P(Planted, UntouchedOutput) {
  experiment_->poison();
  const rooftop::Verdict verdict = experiment_->verify("direct");
  EXPECT_FALSE(verdict.ok);
  EXPECT_NE(verdict.message.find("unwritten"), std::string::npos);
}

TEST_P(Planted, OneOutputUntouched) {
  for (const std::size_t place : {std::size_t{0}, count_ / 2, count_ - 1}) {
    std::vector<float> output = right_;
    output[place] = std::bit_cast<float>(poison_bits);
    expect_caught(output);
  }
}

TEST_P(Planted, NotANumberAndInfinity) {
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    std::vector<float> output = right_;
    output[count_ / 3] = bad;
    expect_caught(output);
  }
}

TEST_P(Planted, AllZero) { expect_caught(std::vector<float>(count_, 0.0F)); }

// Anywhere: at large sizes most of these places are not sampled, and only the certificate sees them.
TEST_P(Planted, OnePixelWrong) {
  const float largest = std::abs(
      *std::max_element(right_.begin(), right_.end(), [](float a, float b) { return std::abs(a) < std::abs(b); }));
  for (std::size_t i = 0; i < 50; ++i) {
    std::vector<float> output = right_;
    output[i * 7919 % count_] += 0.1F * largest;
    expect_caught(output);
  }
}

TEST_P(Planted, LastColumnZero) {
  std::vector<float> output = right_;
  const auto width = static_cast<std::size_t>(problem_->out_w());
  for (std::size_t i = width - 1; i < count_; i += width) output[i] = 0;
  expect_caught(output);
}

TEST_P(Planted, FilterFlipped) {
  std::vector<float> filter(problem_->filter,
                            problem_->filter + static_cast<std::size_t>(problem_->k) * problem_->c * 9);
  for (std::size_t i = 0; i < filter.size(); i += 9) std::reverse(&filter[i], &filter[i] + 9);
  expect_caught(convolve(*problem_, problem_->image, filter.data(), problem_->padding));
}

TEST_P(Planted, FilterTransposed) {
  std::vector<float> filter(problem_->filter,
                            problem_->filter + static_cast<std::size_t>(problem_->k) * problem_->c * 9);
  for (std::size_t i = 0; i < filter.size(); i += 9)
    for (std::size_t r = 0; r < 3; ++r)
      for (std::size_t s = 0; s < r; ++s) std::swap(filter[i + 3 * r + s], filter[i + 3 * s + r]);
  expect_caught(convolve(*problem_, problem_->image, filter.data(), problem_->padding));
}

TEST_P(Planted, ImageShiftedByOne) {
  const std::size_t count = static_cast<std::size_t>(problem_->n) * problem_->c * problem_->h * problem_->w;
  std::vector<float> image(problem_->image, problem_->image + count);
  std::rotate(image.begin(), image.begin() + 1, image.end());
  expect_caught(convolve(*problem_, image.data(), problem_->filter, problem_->padding));
}

TEST_P(Planted, InputChannelsSwapped) {
  if (problem_->c < 2) return;
  const std::size_t plane = static_cast<std::size_t>(problem_->h) * problem_->w;
  std::vector<float> image(problem_->image, problem_->image + plane * problem_->c * problem_->n);
  const std::size_t last = plane * (problem_->c - 1);
  std::swap_ranges(image.begin(), image.begin() + static_cast<long>(plane), image.begin() + static_cast<long>(last));
  expect_caught(convolve(*problem_, image.data(), problem_->filter, problem_->padding));
}

TEST_P(Planted, OutputChannelsSwapped) {
  if (problem_->k < 2) return;
  const auto plane = static_cast<long>(count_ / static_cast<std::size_t>(problem_->n) / problem_->k);
  std::vector<float> output = right_;
  std::swap_ranges(output.begin(), output.begin() + plane, output.begin() + plane * (problem_->k - 1));
  expect_caught(output);
}

TEST_P(Planted, ImagesSwapped) {
  if (problem_->n < 2) return;
  const auto image = static_cast<long>(count_ / static_cast<std::size_t>(problem_->n));
  std::vector<float> output = right_;
  std::swap_ranges(output.begin(), output.begin() + image, output.begin() + image);
  expect_caught(output);
}

TEST_P(Planted, WrongPadding) {
  // The result as if the other padding had been asked for, cut or filled to the right size.
  expect_caught(convolve(*problem_, problem_->image, problem_->filter, 1 - problem_->padding));
}

INSTANTIATE_TEST_SUITE_P(Sizes, Planted,
                         testing::Combine(testing::Values(Size{3, 10, 10, 2, 2, 0}, Size{1, 3, 3, 1, 1, 0},
                                                          Size{1, 3, 3, 1, 1, 1}, Size{1, 5, 4, 1, 3, 1},
                                                          Size{2, 3, 9, 5, 1, 0}, Size{5, 11, 3, 1, 2, 0},
                                                          Size{7, 13, 11, 3, 2, 1}, Size{1, 17, 19, 13, 1, 0},
                                                          Size{17, 31, 29, 5, 1, 1}, Size{16, 129, 130, 16, 1, 1}),
                                          testing::Values("random", "structured")));

TEST(Verifier, SamplesEveryOutputWhenSmallAndAFewThousandWhenLarge) {
  const auto experiment = rooftop::make_experiment();
  experiment->set_up(parameters({3, 10, 10, 2, 2, 0}, "random"), 1, 2);
  EXPECT_EQ(Verifier(*static_cast<const Problem*>(experiment->problem())).samples(), 2U * 2 * 8 * 8);
  experiment->set_up(parameters({64, 56, 56, 64, 2, 1}, "random"), 1, 2);
  const std::size_t sampled = Verifier(*static_cast<const Problem*>(experiment->problem())).samples();
  EXPECT_GE(sampled, 1000U);
  EXPECT_LE(sampled, 8000U);
}

TEST(Verifier, UnknownAlgorithmIsNotPassed) {
  const auto experiment = rooftop::make_experiment();
  experiment->set_up(parameters({1, 3, 3, 1, 1, 0}, "random"), 1, 1);
  EXPECT_FALSE(experiment->verify("F(99)").ok);
}

TEST(Verifier, ToleranceGrowsWithChannelsAndAlgorithm) {
  EXPECT_GT(tolerance("direct", 512), tolerance("direct", 1));
  EXPECT_GT(tolerance("F(2)", 64), tolerance("F(2)-1d", 64));
  EXPECT_GT(tolerance("F(4)", 64), tolerance("F(2)", 64));
  EXPECT_GT(tolerance("F(6)", 64), tolerance("F(4)", 64));
  EXPECT_LT(tolerance("F(6)", 512), 1e-3);
  EXPECT_EQ(tolerance("", 64), 0);
}

}  // namespace
}  // namespace winograd
