/// Grids large enough to be written past the caches, which takes aligned arrays; and two results of the same values.
#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <limits>
#include <span>
#include <vector>

#include "grid.hpp"

namespace rooftop::fft::testing {
namespace {

/// An array aligned to 64 bytes, or so many values behind that.
template <class Real>
class Array {
 public:
  explicit Array(const Shape& shape, int behind = 0)
      : size_(static_cast<std::size_t>(shape.size())),
        memory_((size_ + static_cast<std::size_t>(behind)) * sizeof(std::complex<Real>)),
        first_(static_cast<std::complex<Real>*>(memory_.data()) + behind) {
    constexpr Real nan = std::numeric_limits<Real>::quiet_NaN();
    std::fill_n(first_, size_, std::complex<Real>(nan, nan));
  }
  ~Array() { EXPECT_TRUE(memory_.intact()) << "an array was overrun"; }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;

  void set(const Grid& grid) { std::copy(grid.begin(), grid.end(), first_); }
  [[nodiscard]] Grid grid() const { return Grid(first_, first_ + size_); }
  [[nodiscard]] std::complex<Real>* data() { return first_; }

 private:
  std::size_t size_;
  Scratch memory_;
  std::complex<Real>* first_;
};

template <class Real>
class PastTheCaches : public ::testing::Test {};
using Precisions = ::testing::Types<double, float>;
TYPED_TEST_SUITE(PastTheCaches, Precisions, );

// 8 MiB and more; the last tile of the second has few columns, and its lines are no power of two.
template <class Real>
constexpr Shape large[] = {{128, 64, 64}, {20, 205, 130}};
template <>
constexpr Shape large<float>[] = {{128, 128, 64}, {20, 405, 130}};

/// All of them; with sanitizers, which take many times as long, the last, whose tiles are cut off.
template <class Real>
std::span<const Shape> large_shapes() {
  const std::span<const Shape> all = large<Real>;
#ifdef ROOFTOP_SANITIZED
  return all.last(1);
#else
  return all;
#endif
}

/// The definition's in long doubles; of floats, and with sanitizers, what one thread gives in doubles.
template <class Real>
Grid expected_of(const Shape& shape, const Grid& values, Direction direction) {
#ifndef ROOFTOP_SANITIZED
  if constexpr (sizeof(Real) == 8) return reference(shape, values, direction);
#endif
  return transformed(shape, values, direction, 1, false);
}

TYPED_TEST(PastTheCaches, TransformsAreRight) {
  using Real = TypeParam;
  for (const Shape& shape : large_shapes<TypeParam>()) {
    const BasicPlan<Real> plan(shape, {.threads = 3});
    const Grid values = in_single(random_grid(shape, 1));
    Scratch scratch(plan.scratch_bytes());
    Array<Real> in(shape), out(shape);
    for (const Direction direction : {Direction::forward, Direction::backward}) {
      in.set(values);
      plan.run(direction, in.data(), out.data(), scratch.data());
      const Grid seen = out.grid();
      EXPECT_LT(error(seen, expected_of<Real>(shape, values, direction)), 9 * std::numeric_limits<Real>::epsilon())
          << text(shape);
      EXPECT_EQ(in.grid(), values) << "the input was written to";
      plan.run(direction, in.data(), in.data(), scratch.data());
      EXPECT_EQ(in.grid(), seen) << text(shape) << " in place";
    }
    EXPECT_TRUE(scratch.intact());
  }
}

/// What is expected of run_two: what two runs give. The second result lies so many values behind a cache line.
template <class Real>
void expect_two_runs(const Shape& shape, int threads, int behind) {
  const BasicPlan<Real> plan(shape, {.threads = threads, .backward_scale = 0.5});
  const Grid values = in_single(random_grid(shape, 2));
  const SomeFactors some(shape);
  const Factors& factors = some.view();
  std::vector<double> x(factors.x, factors.x + shape.nx), y(factors.y, factors.y + shape.ny),
      z(factors.z, factors.z + shape.nz);
  for (auto* const axis : {&x, &y, &z}) std::reverse(axis->begin(), axis->end());
  x[0] = 2;
  const Factors others{x.data(), y.data(), z.data()};
  Scratch scratch(plan.scratch_bytes());
  Array<Real> in(shape), first(shape), second(shape, behind), alone(shape);
  in.set(values);
  plan.run_two(in.data(), {factors, first.data()}, {others, second.data()}, scratch.data());
  EXPECT_TRUE(scratch.intact()) << "scratch was overrun";
  EXPECT_EQ(in.grid(), values) << "the input was written to";
  plan.run(Direction::backward, in.data(), alone.data(), scratch.data(), &factors);
  EXPECT_EQ(first.grid(), alone.grid()) << text(shape) << ", first, " << behind << " behind";
  plan.run(Direction::backward, in.data(), alone.data(), scratch.data(), &others);
  EXPECT_EQ(second.grid(), alone.grid()) << text(shape) << ", second, " << behind << " behind";
}

TYPED_TEST(PastTheCaches, TwoResultsAreThoseOfTwoRuns) {
  for (const Shape& shape : large_shapes<TypeParam>()) {
    for (const int behind : {0, 1}) expect_two_runs<TypeParam>(shape, 2, behind);
  }
  expect_two_runs<TypeParam>(large<TypeParam>[1], 80, 0);  // more threads than tiles
  // Within the caches, of one plane, of one line, of one too long for a cache.
  for (const Shape shape : {Shape{9, 7, 10}, {1, 1, 1}, {16, 9, 1}, {40, 1, 12}, {1200, 1, 1}}) {
    expect_two_runs<TypeParam>(shape, 2, 0);
  }
}

TEST(TwoResults, LieApart) {
  const Shape shape{4, 4, 4};
  const Plan plan(shape, {.threads = 1});
  const SomeFactors factors(shape);
  Array<double> in(shape), first(shape), second(shape);
  Scratch scratch(plan.scratch_bytes());
  const auto give = [&](std::complex<double>* one, std::complex<double>* other) {
    plan.run_two(in.data(), {factors.view(), one}, {factors.view(), other}, scratch.data());
  };
  EXPECT_NO_THROW(give(first.data(), second.data()));
  EXPECT_THROW(give(first.data(), first.data()), InvalidArgument);
  EXPECT_THROW(give(in.data(), second.data()), InvalidArgument);
  EXPECT_THROW(give(first.data(), in.data()), InvalidArgument);
  EXPECT_THROW(give(first.data(), nullptr), InvalidArgument);
  const Plan lines(shape, {.threads = 1, .axes = 1});
  EXPECT_THROW(
      lines.run_two(in.data(), {factors.view(), first.data()}, {factors.view(), second.data()}, scratch.data()),
      InvalidArgument);
}

}  // namespace
}  // namespace rooftop::fft::testing
