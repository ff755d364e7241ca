// threads: none, but the verifier's, which every check of a rung starts
#include "digest.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "data.hpp"
#include "initial.hpp"

namespace {

using ft::Box;
using ft::Complex;
using ft::Digest;
using ft::Index;

/// A grid that no number of ranks divides, which some hold together: random values, for whether they are right is not
/// the digest's to say.
class DigestOfRanks : public testing::Test {
 protected:
  static constexpr Index nx = 6, ny = 5, nz = 7;

  DigestOfRanks() : field_(static_cast<std::size_t>(nx * ny * nz)) {
    experiment_.set_ranks(0, 3);
    experiment_.set_up({{"nx", nx}, {"ny", ny}, {"nz", nz}, {"iterations", 0}}, 1, 2);
    problem_ = static_cast<const ft::Problem*>(experiment_.problem());
    ft::draw_initial(0, nx * ny * nz, field_.data());
  }

  /// What a rank has in its own memory.
  [[nodiscard]] std::vector<Complex> values_of(const Box& box) const {
    std::vector<Complex> own(static_cast<std::size_t>(nx * box.y.count * box.z.count));
    for (Index z = box.z.first; z < box.z.first + box.z.count; ++z) {
      for (Index y = box.y.first; y < box.y.first + box.y.count; ++y) {
        for (Index x = 0; x < nx; ++x) {
          own[static_cast<std::size_t>(box.line(y, z) * nx + x)] = field_[index(x, y, z)];
        }
      }
    }
    return own;
  }

  [[nodiscard]] static std::size_t index(Index x, Index y, Index z) {
    return static_cast<std::size_t>((z * ny + y) * nx + x);
  }

  [[nodiscard]] Digest digest_of(const std::vector<Box>& boxes) const {
    Digest all;
    for (const Box& box : boxes) {
      ft::add(ft::digest_of(*problem_, ft::Sampling(*problem_), box, values_of(box).data()), all);
    }
    return all;
  }

  [[nodiscard]] std::string complaint(const std::vector<Box>& boxes) {
    *problem_->digest = digest_of(boxes);
    return experiment_.verify("fft").message;
  }

  static constexpr Box whole{{0, ny}, {0, nz}};
  std::vector<Complex> field_;
  ft::Diffusion experiment_;
  const ft::Problem* problem_ = nullptr;
};

void expect_near(Complex a, Complex b) {
  EXPECT_NEAR(a.re, b.re, 1e-13 * std::abs(b.re));
  EXPECT_NEAR(a.im, b.im, 1e-13 * std::abs(b.im));
}

TEST_F(DigestOfRanks, PartsAddUpToTheWhole) {
  const std::vector<std::vector<Box>> cuts = {
      {{{0, ny}, {0, 2}}, {{0, ny}, {2, 2}}, {{0, ny}, {4, 3}}},
      {{{0, 1}, {0, nz}}, {{1, 2}, {0, nz}}, {{3, 2}, {0, nz}}},
      {{{0, 1}, {0, nz}, true}, {{1, 2}, {0, nz}, true}, {{3, 2}, {0, nz}, true}},
      {{{0, 2}, {0, 3}}, {{2, 3}, {0, 3}}, {{0, 2}, {3, 4}}, {{2, 3}, {3, 4}}, {{0, ny}, {0, 0}}},
  };
  const Digest expected = digest_of({whole});
  for (const auto& boxes : cuts) {
    const Digest seen = digest_of(boxes);
    EXPECT_EQ(seen.sums.values, static_cast<double>(nx * ny * nz));
    EXPECT_NEAR(seen.sums.squares, expected.sums.squares, 1e-13 * expected.sums.squares);
    expect_near(seen.sums.weighed, expected.sums.weighed);
    expect_near(seen.sums.checksum, expected.sums.checksum);
    ASSERT_EQ(seen.samples.size(), expected.samples.size());
    for (std::size_t i = 0; i < seen.samples.size(); ++i) {
      EXPECT_EQ(seen.samples[i].times, 1);
      EXPECT_EQ(seen.samples[i].value.re, expected.samples[i].value.re);
    }
  }
}

TEST_F(DigestOfRanks, ChecksumCountsValuesAsOftenAsNpbDoes) {
  Complex sum{0, 0};
  for (Index j = 1; j <= 1024; ++j) {
    const Complex value = field_[index(j % nx, 3 * j % ny, 5 * j % nz)];
    sum = {sum.re + value.re, sum.im + value.im};
  }
  expect_near(digest_of({whole}).sums.checksum, sum);
}

TEST_F(DigestOfRanks, EveryValueCountsInTheWeighedSumAndTheSquares) {
  const Digest before = digest_of({whole});
  for (Complex& value : field_) {
    const Complex kept = value;
    value.re += 0.5;
    const Digest after = digest_of({{{0, ny}, {0, 4}}, {{0, ny}, {4, 3}}});
    EXPECT_GT(std::abs(after.sums.weighed.re - before.sums.weighed.re), 0.05);
    EXPECT_GT(std::abs(after.sums.squares - before.sums.squares), 0.1);
    value = kept;
  }
}

TEST_F(DigestOfRanks, WhatIsMissingOrTwiceThereIsTold) {
  EXPECT_NE(complaint({{{0, ny}, {0, 4}}}).find("ranks handed over 120 values, expected each of 210 once"),
            std::string::npos);
  EXPECT_NE(complaint({whole, {{0, ny}, {4, 3}}}).find("handed over 300 values"), std::string::npos);
  // As many values as there are, some of them twice.
  EXPECT_NE(complaint({{{0, ny}, {0, 4}}, {{0, ny}, {1, 3}}}).find("expected each of 210 once"), std::string::npos);
  EXPECT_NE(complaint({}).find("handed over 0 values"), std::string::npos);
}

TEST_F(DigestOfRanks, WhatWasHandedOverBeforeCountsNoMore) {
  *problem_->digest = digest_of({whole});
  experiment_.poison();
  EXPECT_NE(experiment_.verify("fft").message.find("handed over 0 values"), std::string::npos);
}

TEST_F(DigestOfRanks, TheFirstValueThatIsNotFiniteIsNamed) {
  field_[index(1, 2, 6)].re = std::numeric_limits<double>::infinity();
  field_[index(5, 4, 3)].im = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(complaint({{{0, ny}, {0, 3}}, {{0, ny}, {3, 2}}, {{0, ny}, {5, 2}}}).find("x 5, y 4, z 3"),
            std::string::npos);
  EXPECT_NE(complaint({{{0, 3}, {0, nz}, true}, {{3, 2}, {0, nz}, true}}).find("x 5, y 4, z 3"), std::string::npos);
}

TEST(BoxOfRanks, LiesByPlanesOrByRows) {
  EXPECT_EQ((Box{{1, 2}, {3, 4}}.line(2, 5)), 2 * 2 + 1);
  EXPECT_EQ((Box{{1, 2}, {3, 4}, true}.line(2, 5)), 1 * 4 + 2);
}

TEST_F(DigestOfRanks, RanksHoldNoWholeField) { EXPECT_EQ(problem_->field, nullptr); }

}  // namespace
