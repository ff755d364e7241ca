// threads: none, but the verifier's, which every check of a rung starts
#include "verify.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <nlohmann/json.hpp>
#include <numbers>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "data.hpp"
#include "definition.hpp"
#include "initial.hpp"
#include "npb_classes.hpp"
#include "reference.hpp"

namespace {

using ft::Complex;
using ft::Index;
using Value = std::complex<double>;

/// A case of odd sizes, two of them no multiple of anything, with the right result in place.
class VerifyDiffusion : public testing::Test {
 protected:
  static constexpr Index nx = 12, ny = 5, nz = 7;
  static constexpr int iterations = 3;

  VerifyDiffusion() {
    experiment_.set_up({{"nx", nx}, {"ny", ny}, {"nz", nz}, {"iterations", iterations}}, 1, 2);
    problem_ = static_cast<const ft::Problem*>(experiment_.problem());
    solve(1);
  }

  /// Writes what the benchmark's definition gives; time runs `hurry` times as fast.
  void solve(int hurry) {
    const ft::Problem& p = *problem_;
    std::vector<Complex> drawn(static_cast<std::size_t>(p.size()));
    ft::draw_initial(0, p.size(), drawn.data());
    std::vector<Value> modes;
    for (const Complex value : drawn) modes.emplace_back(value.re, value.im);
    modes = ft::transform(modes, {nx, ny, nz}, 1);
    for (int t = 1; t <= iterations; ++t) {
      std::vector<Value> decayed = modes;
      for (Index i = 0; i < p.size(); ++i) {
        const auto square = [](Index k, Index n) { return std::pow(static_cast<double>(ft::wave_number(k, n)), 2); };
        const double waves = square(i % nx, nx) + square(i / nx % ny, ny) + square(i / nx / ny, nz);
        decayed[static_cast<std::size_t>(i)] *=
            std::exp(-4 * ft::alpha * std::numbers::pi * std::numbers::pi * waves * t * hurry);
      }
      decayed = ft::transform(decayed, {nx, ny, nz}, -1);
      for (Index i = 0; i < p.size(); ++i) {
        p.field[i] = {decayed[static_cast<std::size_t>(i)].real(), decayed[static_cast<std::size_t>(i)].imag()};
      }
      Value sum = 0;
      for (Index j = 1; j <= 1024; ++j) {
        sum += decayed[static_cast<std::size_t>((5 * j % nz * ny + 3 * j % ny) * nx + j % nx)];
      }
      sum /= static_cast<double>(p.size());
      p.checksums[t - 1] = {sum.real(), sum.imag()};
    }
  }

  [[nodiscard]] bool right() { return experiment_.verify("fft").ok; }

  ft::Diffusion experiment_;
  const ft::Problem* problem_ = nullptr;
};

TEST_F(VerifyDiffusion, RightResultIsOkFarBelowTheTolerance) {
  const auto verdict = experiment_.verify("fft");
  EXPECT_TRUE(verdict.ok) << verdict.message;
  EXPECT_LT(verdict.error, 0.05 * verdict.tolerance);
}

TEST_F(VerifyDiffusion, UntouchedResultIsCaught) {
  experiment_.poison();
  const auto verdict = experiment_.verify("fft");
  EXPECT_FALSE(verdict.ok);
  EXPECT_TRUE(std::isnan(verdict.error));
}

TEST_F(VerifyDiffusion, EveryWrongValueIsCaughtWhereverItIs) {
  for (Index i = 0; i < problem_->size(); ++i) {
    const Complex before = problem_->field[i];
    problem_->field[i].im *= 1 + 1e-6;
    EXPECT_FALSE(right()) << i;
    problem_->field[i] = before;
  }
  EXPECT_TRUE(right());
}

TEST_F(VerifyDiffusion, EveryWrongChecksumIsCaught) {
  for (int t = 0; t < iterations; ++t) {
    const Complex before = problem_->checksums[t];
    problem_->checksums[t].re *= 1 + 1e-11;
    EXPECT_FALSE(right()) << t;
    problem_->checksums[t] = before;
  }
}

TEST_F(VerifyDiffusion, NotANumberIsNamedWithItsPlace) {
  problem_->field[(3 * ny + 2) * nx + 1].re = std::numeric_limits<double>::infinity();
  EXPECT_NE(experiment_.verify("fft").message.find("x 1, y 2, z 3"), std::string::npos);
}

TEST_F(VerifyDiffusion, SwappedPlanesAreCaught) {
  for (Index i = 0; i < nx * ny; ++i) std::swap(problem_->field[i], problem_->field[nx * ny + i]);
  EXPECT_FALSE(right());
}

TEST_F(VerifyDiffusion, ConjugateFieldIsCaught) {
  for (Index i = 0; i < problem_->size(); ++i) problem_->field[i].im *= -1;
  EXPECT_FALSE(right());
}

TEST_F(VerifyDiffusion, TimeThatRunsTwiceAsFastIsCaught) {
  solve(2);
  EXPECT_FALSE(right());
}

TEST_F(VerifyDiffusion, SinglePrecisionIsCaught) {
  for (Index i = 0; i < problem_->size(); ++i) {
    Complex& value = problem_->field[i];
    value = {static_cast<double>(static_cast<float>(value.re)), static_cast<double>(static_cast<float>(value.im))};
  }
  EXPECT_FALSE(right());
}

TEST_F(VerifyDiffusion, UnknownAlgorithmHasNoTolerance) { EXPECT_FALSE(experiment_.verify("guessing").ok); }

TEST(Reference, AgreesWithWhatNpbPublishes) {
  for (const ft::NpbClass& one : ft::npb_classes().first(2)) {
    const ft::Problem problem{one.nx, one.ny, one.nz, one.iterations, 2, nullptr, nullptr};
    for (const int t : {1, one.iterations}) {
      const Complex expected = one.checksums[static_cast<std::size_t>(t - 1)];
      const Complex seen = ft::reference_checksum(problem, t);
      EXPECT_NEAR(seen.re, expected.re, 1e-12 * std::abs(expected.re)) << one.name << t;
      EXPECT_NEAR(seen.im, expected.im, 1e-12 * std::abs(expected.im)) << one.name << t;
    }
  }
}

TEST(Initial, IsTheSameFromAnyPlaceOn) {
  std::vector<Complex> whole(100), part(37);
  ft::draw_initial(0, 100, whole.data());
  ft::draw_initial(63, 37, part.data());
  for (std::size_t i = 0; i < part.size(); ++i) {
    EXPECT_EQ(part[i].re, whole[63 + i].re);
    EXPECT_EQ(part[i].im, whole[63 + i].im);
  }
}

TEST(Initial, FollowsTheRecurrence) {
  std::vector<Complex> drawn(20);
  ft::draw_initial(0, 20, drawn.data());
  std::uint64_t x = 314159265;
  for (const Complex value : drawn) {
    for (const double part : {value.re, value.im}) {
      x = x * 1220703125 % (std::uint64_t{1} << 46);
      EXPECT_EQ(part, std::ldexp(static_cast<double>(x), -46));
    }
  }
}

TEST(SetUp, RefusesGridsThatAreNone) {
  ft::Diffusion experiment;
  const nlohmann::json right = {{"nx", 4}, {"ny", 4}, {"nz", 4}, {"iterations", 1}};
  for (const std::string name : {"nx", "ny", "nz", "iterations"}) {
    for (const nlohmann::json& value : {nlohmann::json(0), nlohmann::json(-1), nlohmann::json(1.5),
                                        nlohmann::json("many"), nlohmann::json(1LL << 40)}) {
      if (name == "iterations" && value == 0) continue;  // the transform alone
      nlohmann::json wrong = right;
      wrong[name] = value;
      EXPECT_THROW(experiment.set_up(wrong, 1, 1), std::invalid_argument) << wrong;
    }
    nlohmann::json without = right;
    without.erase(name);
    EXPECT_THROW(experiment.set_up(without, 1, 1), std::invalid_argument) << without;
  }
  const nlohmann::json huge = {{"nx", 65536}, {"ny", 65536}, {"nz", 65536}, {"iterations", 1}};
  EXPECT_THROW(experiment.set_up(huge, 1, 1), std::invalid_argument);
}

}  // namespace
