// threads: none, but the verifier's, which every check of a rung starts
#include "verify_transform.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "data.hpp"
#include "definition.hpp"
#include "initial.hpp"

namespace {

using ft::Complex;
using ft::Index;

/// A case of odd sizes, two of them no multiple of anything, with U0's forward transform in place.
class VerifyTransform : public testing::Test {
 protected:
  static constexpr Index nx = 12, ny = 5, nz = 7;

  VerifyTransform() {
    experiment_.set_up({{"nx", nx}, {"ny", ny}, {"nz", nz}, {"iterations", 0}}, 1, 2);
    problem_ = static_cast<const ft::Problem*>(experiment_.problem());
    transform(1);
  }

  /// Writes what the definition gives in this direction.
  void transform(int sign) {
    std::vector<Complex> drawn(static_cast<std::size_t>(problem_->size()));
    ft::draw_initial(0, problem_->size(), drawn.data());
    std::vector<std::complex<double>> values;
    for (const Complex value : drawn) values.emplace_back(value.re, value.im);
    values = ft::transform(std::move(values), {nx, ny, nz}, sign);
    std::transform(values.begin(), values.end(), problem_->field, [](const std::complex<double>& value) {
      return Complex{value.real(), value.imag()};
    });
  }

  template <typename Change>
  void change_all(const Change& change) {
    std::for_each(problem_->field, problem_->field + problem_->size(), change);
  }
  [[nodiscard]] Complex& value(Index x, Index y, Index z) { return problem_->field[(z * ny + y) * nx + x]; }
  [[nodiscard]] bool right() { return experiment_.verify("fft").ok; }

  ft::Diffusion experiment_;
  const ft::Problem* problem_ = nullptr;
};

TEST_F(VerifyTransform, RightResultIsOkFarBelowTheTolerance) {
  const auto verdict = experiment_.verify("fft");
  EXPECT_TRUE(verdict.ok) << verdict.message;
  EXPECT_LT(verdict.error, 0.05 * verdict.tolerance);
}

TEST_F(VerifyTransform, StartsFromTheInitialValuesEveryTime) {
  std::vector<Complex> drawn(static_cast<std::size_t>(problem_->size()));
  ft::draw_initial(0, problem_->size(), drawn.data());
  for (int turn = 0; turn < 2; ++turn) {
    experiment_.poison();
    for (Index i = 0; i < problem_->size(); ++i) {
      EXPECT_EQ(problem_->field[i].re, drawn[static_cast<std::size_t>(i)].re) << i;
      EXPECT_EQ(problem_->field[i].im, drawn[static_cast<std::size_t>(i)].im) << i;
    }
    change_all([](Complex& one) { one = {std::nan(""), 0}; });
  }
}

TEST_F(VerifyTransform, UntouchedResultIsCaught) {
  experiment_.poison();
  EXPECT_FALSE(right());
}

TEST_F(VerifyTransform, EveryWrongValueIsCaughtWhereverItIs) {
  // Parts of 1e-8 of the modes' root mean square, which is 17 here.
  for (Index i = 0; i < problem_->size(); ++i) {
    const Complex before = problem_->field[i];
    problem_->field[i].re += 1e-7;
    EXPECT_FALSE(right()) << i;
    problem_->field[i] = {before.re, before.im - 1e-7};
    EXPECT_FALSE(right()) << i;
    problem_->field[i] = before;
  }
  EXPECT_TRUE(right());
}

TEST_F(VerifyTransform, NotANumberIsNamedWithItsPlace) {
  value(1, 2, 3).re = std::numeric_limits<double>::quiet_NaN();
  const auto verdict = experiment_.verify("fft");
  EXPECT_FALSE(verdict.ok);
  EXPECT_TRUE(std::isnan(verdict.error));
  EXPECT_NE(verdict.message.find("x 1, y 2, z 3"), std::string::npos);
}

TEST_F(VerifyTransform, OverflownValuesAreCaught) {
  change_all([](Complex& one) { one = {one.re * 1e300, one.im * 1e300}; });
  EXPECT_FALSE(right());
}

TEST_F(VerifyTransform, SwappedPlanesAreCaughtAlongEveryAxis) {
  const auto exchange = [this](Index x_step, Index y_step, Index z_step) {
    for (Index z = 0; z < (z_step != 0 ? 1 : nz); ++z) {
      for (Index y = 0; y < (y_step != 0 ? 1 : ny); ++y) {
        for (Index x = 0; x < (x_step != 0 ? 1 : nx); ++x) {
          std::swap(value(x + x_step, y + y_step, z + z_step), value(x + 2 * x_step, y + 2 * y_step, z + 2 * z_step));
        }
      }
    }
  };
  exchange(1, 0, 0);
  EXPECT_FALSE(right());
  exchange(1, 0, 0);
  exchange(0, 1, 0);
  EXPECT_FALSE(right());
  exchange(0, 1, 0);
  exchange(0, 0, 1);
  EXPECT_FALSE(right());
  exchange(0, 0, 1);
  EXPECT_TRUE(right());
}

TEST_F(VerifyTransform, ConjugateModesAreCaught) {
  change_all([](Complex& one) { one.im *= -1; });
  EXPECT_FALSE(right());
}

TEST_F(VerifyTransform, TransformBackIsCaught) {
  transform(-1);
  EXPECT_FALSE(right());
}

TEST_F(VerifyTransform, DividedModesAreCaught) {
  const auto n = static_cast<double>(problem_->size());
  for (const double divisor : {n, std::sqrt(n), -1.0}) {
    change_all([divisor](Complex& one) { one = {one.re / divisor, one.im / divisor}; });
    EXPECT_FALSE(right()) << divisor;
    transform(1);
  }
}

TEST_F(VerifyTransform, SinglePrecisionIsCaught) {
  change_all([](Complex& one) {
    one = {static_cast<double>(static_cast<float>(one.re)), static_cast<double>(static_cast<float>(one.im))};
  });
  EXPECT_FALSE(right());
}

TEST_F(VerifyTransform, UnknownAlgorithmHasNoTolerance) { EXPECT_FALSE(experiment_.verify("guessing").ok); }

/// Sizes at which sums, modes and the mean coincide in part.
TEST(VerifyTransformSizes, LinesPlanesAndASinglePointAreRightToo) {
  for (const auto& [nx, ny, nz] : {std::array<Index, 3>{1, 1, 1}, {2, 1, 1}, {1, 9, 1}, {3, 1, 8}, {1, 1, 31}}) {
    ft::Diffusion experiment;
    experiment.set_up({{"nx", nx}, {"ny", ny}, {"nz", nz}, {"iterations", 0}}, 1, 1);
    const auto* const problem = static_cast<const ft::Problem*>(experiment.problem());
    experiment.poison();
    std::vector<std::complex<double>> values;
    for (Index i = 0; i < problem->size(); ++i) values.emplace_back(problem->field[i].re, problem->field[i].im);
    values = ft::transform(std::move(values), {nx, ny, nz}, 1);
    for (Index i = 0; i < problem->size(); ++i) {
      const auto& value = values[static_cast<std::size_t>(i)];
      problem->field[i] = {value.real(), value.imag()};
    }
    const auto verdict = experiment.verify("fft");
    EXPECT_TRUE(verdict.ok) << nx << ' ' << ny << ' ' << nz << ": " << verdict.message;
  }
}

TEST(DirectModes, AreTheDefinitionsForEveryModeAndWeights) {
  constexpr Index nx = 5, ny = 4, nz = 3;
  const ft::Problem problem{nx, ny, nz, 0, 2, nullptr, nullptr};
  std::vector<Complex> drawn(nx * ny * nz);
  ft::draw_initial(0, nx * ny * nz, drawn.data());
  std::vector<std::complex<double>> values;
  double squares = 0;
  for (const Complex value : drawn) squares += std::norm(values.emplace_back(value.re, value.im));
  values = ft::transform(std::move(values), {nx, ny, nz}, 1);
  const auto every = [](Index n, const std::vector<double>& weights) {
    std::vector<ft::ModeWeights> result;
    for (Index k = 0; k < n; ++k) result.push_back(ft::single_mode(n, k));
    result.push_back(ft::weighed_modes(weights));
    return result;
  };
  const std::vector<double> x{1, -2, 3, 0.5, 4}, y{2, 1, -1, 3}, z{-1, 0.25, 2};
  const ft::ModeSums seen = ft::mode_sums(problem, every(nx, x), every(ny, y), every(nz, z));
  std::complex<double> weighed = 0;
  for (Index i = 0; i < problem.size(); ++i) {
    const auto kx = static_cast<std::size_t>(i % nx), ky = static_cast<std::size_t>(i / nx % ny);
    const auto kz = static_cast<std::size_t>(i / nx / ny);
    const std::complex<double> mode = values[static_cast<std::size_t>(i)];
    const Complex sum = seen.sums[(kx * (ny + 1) + ky) * (nz + 1) + kz];
    EXPECT_NEAR(sum.re, mode.real(), 1e-13) << i;
    EXPECT_NEAR(sum.im, mode.imag(), 1e-13) << i;
    weighed += x[kx] * y[ky] * z[kz] * mode;
  }
  EXPECT_NEAR(seen.sums.back().re, weighed.real(), 1e-11);
  EXPECT_NEAR(seen.sums.back().im, weighed.imag(), 1e-11);
  EXPECT_NEAR(seen.squares, squares, 1e-13);
}

}  // namespace
