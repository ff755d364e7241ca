#include "grid.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <numbers>

namespace rooftop::fft::testing {
namespace {

constexpr std::size_t mark_bytes = 64;
constexpr unsigned char mark = 0xA5;

}  // namespace

Grid reference(const Shape& shape, const Grid& grid, Direction direction, int axes) {
  using Long = std::complex<long double>;
  std::vector<Long> values(grid.begin(), grid.end());
  const int sign = direction == Direction::forward ? -1 : 1;
  std::int64_t stride = 1;
  for (const std::int64_t n : {shape.nx, shape.ny, shape.nz}) {
    if (axes-- == 0) break;
    std::vector<Long> roots;
    for (std::int64_t i = 0; i < n; ++i) {
      const long double turn = static_cast<long double>(i) / static_cast<long double>(n);
      roots.push_back(std::polar(1.0L, sign * 2 * std::numbers::pi_v<long double> * turn));
    }
    std::vector<Long> result(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::int64_t k = static_cast<std::int64_t>(i) / stride % n;
      std::size_t at = i - static_cast<std::size_t>(k * stride);
      // In real numbers: the product of std::complex looks for infinities, and this is most of these tests' time.
      long double real = 0, imaginary = 0;
      std::int64_t turn = 0;  // j k mod n
      for (std::int64_t j = 0; j < n; ++j) {
        const Long value = values[at], root = roots[static_cast<std::size_t>(turn)];
        real += value.real() * root.real() - value.imag() * root.imag();
        imaginary += value.real() * root.imag() + value.imag() * root.real();
        at += static_cast<std::size_t>(stride);
        turn += k;
        if (turn >= n) turn -= n;
      }
      result[i] = {real, imaginary};
    }
    values = std::move(result);
    stride *= n;
  }
  Grid rounded;
  for (const Long& value : values)
    rounded.emplace_back(static_cast<double>(value.real()), static_cast<double>(value.imag()));
  return rounded;
}

SomeFactors::SomeFactors(const Shape& shape) : shape_(shape) {
  for (std::int64_t i = 0; i < shape.nx; ++i) x_.push_back(1.0 / static_cast<double>(i + 1));
  for (std::int64_t i = 0; i < shape.ny; ++i) y_.push_back(2.0 - static_cast<double>(i));
  for (std::int64_t i = 0; i < shape.nz; ++i) z_.push_back(0.5 + static_cast<double>(i));
  view_ = {x_.data(), y_.data(), z_.data()};
}

Grid SomeFactors::times(Grid grid) const {
  for (std::int64_t i = 0; i < shape_.size(); ++i) {
    grid[static_cast<std::size_t>(i)] *= x_[static_cast<std::size_t>(i % shape_.nx)] *
                                         y_[static_cast<std::size_t>(i / shape_.nx % shape_.ny)] *
                                         z_[static_cast<std::size_t>(i / shape_.nx / shape_.ny)];
  }
  return grid;
}

Grid in_single(const Grid& grid) {
  const std::vector<std::complex<float>> rounded(grid.begin(), grid.end());
  return Grid(rounded.begin(), rounded.end());
}

double error(const Grid& seen, const Grid& expected) {
  double most = 0, largest = 0;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const double difference = std::abs(seen[i] - expected[i]);
    most = std::isnan(difference) ? difference : std::max(most, difference);
    if (std::isnan(difference)) return difference;
    largest = std::max(largest, std::abs(expected[i]));
  }
  return most / largest;
}

void Scratch::Free::operator()(unsigned char* memory) const { std::free(memory); }

Scratch::Scratch(std::size_t bytes)
    : bytes_(bytes), memory_(static_cast<unsigned char*>(std::aligned_alloc(64, (bytes + 63) / 64 * 64 + mark_bytes))) {
  std::memset(memory_.get(), mark, bytes + mark_bytes);
}

bool Scratch::intact() const {
  return std::all_of(memory_.get() + bytes_, memory_.get() + bytes_ + mark_bytes,
                     [](unsigned char byte) { return byte == mark; });
}

template <class Real>
Grid run(const BasicPlan<Real>& plan, const Grid& grid, Direction direction, bool in_place, const Factors* factors) {
  using Values = std::vector<std::complex<Real>>;
  Scratch scratch(plan.scratch_bytes());
  constexpr Real nan = std::numeric_limits<Real>::quiet_NaN();
  const Values given(grid.begin(), grid.end());
  Values in = given, out(grid.size(), {nan, nan});
  if (in_place) {
    plan.run(direction, in.data(), in.data(), scratch.data(), factors);
    out = in;
  } else {
    plan.run(direction, in.data(), out.data(), scratch.data(), factors);
    EXPECT_EQ(in, given) << "the input was written to";
  }
  EXPECT_TRUE(scratch.intact()) << "scratch was overrun";
  return Grid(out.begin(), out.end());
}

template Grid run(const Plan&, const Grid&, Direction, bool, const Factors*);
template Grid run(const SinglePlan&, const Grid&, Direction, bool, const Factors*);

Grid transformed(const Shape& shape, const Grid& grid, Direction direction, int threads, bool in_place,
                 const Factors* factors) {
  return run(Plan(shape, {.threads = threads}), grid, direction, in_place, factors);
}

std::string text(const Shape& shape) {
  return std::to_string(shape.nx) + " x " + std::to_string(shape.ny) + " x " + std::to_string(shape.nz);
}

}  // namespace rooftop::fft::testing
