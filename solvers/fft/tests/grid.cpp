#include "grid.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <list>
#include <numbers>
#include <random>

#include "arguments.hpp"
#include "job.hpp"

namespace rooftop::fft::testing {
namespace {

// What small grids are tested for needs all threads.
[[maybe_unused]] const bool all_take_part = (internal::let_all_threads_take_part_for_test(), true);
[[maybe_unused]] const bool small_are_streamed = (internal::write_past_caches_from_for_test(8 << 20), true);

constexpr std::size_t mark_bytes = 64;
constexpr unsigned char mark = 0xA5;
constexpr std::size_t most_known = 32, most_values_known = 1 << 18;

using Long = std::complex<long double>;

Line roots_of(std::int64_t n, Direction direction) {
  Line roots(n);
  const int sign = direction == Direction::forward ? -1 : 1;
  for (std::int64_t i = 0; i < n; ++i) {
    const long double turn = static_cast<long double>(i) / static_cast<long double>(n);
    roots.set(static_cast<std::size_t>(i), std::polar(1.0L, sign * 2 * std::numbers::pi_v<long double> * turn));
  }
  return roots;
}

/// Value k of a line's transform.
Long value_of(const Line& line, const Line& roots, std::size_t k) {
  // In real numbers, as the product of std::complex looks for infinities, and in sums that need not wait for each
  // other.
  long double real_real = 0, imaginary_imaginary = 0, real_imaginary = 0, imaginary_real = 0;
  const std::size_t n = line.real.size();
  std::size_t turn = 0;  // j k mod n
  for (std::size_t j = 0; j < n; ++j) {
    real_real += line.real[j] * roots.real[turn];
    imaginary_imaginary += line.imaginary[j] * roots.imaginary[turn];
    real_imaginary += line.real[j] * roots.imaginary[turn];
    imaginary_real += line.imaginary[j] * roots.real[turn];
    turn += k;
    if (turn >= n) turn -= n;
  }
  return {real_real - imaginary_imaginary, real_imaginary + imaginary_real};
}

/// All values of a line's transform. Roots j and n - j have one cosine and opposite sines, and so have those of values
/// k and n - k: a quarter of the products is left.
Line transform_of(const Line& line, const Line& roots) {
  const std::size_t n = line.real.size(), terms = n / 2 + 1;
  Line sum(static_cast<std::int64_t>(terms)), difference(static_cast<std::int64_t>(terms)), values(line);
  for (std::size_t j = 0; j < terms; ++j) {
    const std::size_t other = (n - j) % n;
    const bool pair = other != j;
    sum.set(j, {line.real[j] + (pair ? line.real[other] : 0), line.imaginary[j] + (pair ? line.imaginary[other] : 0)});
    difference.set(j, {line.real[j] - line.real[other], line.imaginary[j] - line.imaginary[other]});
  }
  for (std::size_t k = 0; k < terms; ++k) {
    long double real_cosine = 0, imaginary_sine = 0, real_sine = 0, imaginary_cosine = 0;
    std::size_t turn = 0;  // j k mod n
    for (std::size_t j = 0; j < terms; ++j) {
      real_cosine += sum.real[j] * roots.real[turn];
      imaginary_sine += difference.imaginary[j] * roots.imaginary[turn];
      real_sine += difference.real[j] * roots.imaginary[turn];
      imaginary_cosine += sum.imaginary[j] * roots.real[turn];
      turn += k;
      if (turn >= n) turn -= n;
    }
    values.set(k, {real_cosine - imaginary_sine, real_sine + imaginary_cosine});
    if (k > 0) values.set(n - k, {real_cosine + imaginary_sine, imaginary_cosine - real_sine});
  }
  return values;
}

}  // namespace

Grid random_grid(const Shape& shape, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  Grid grid(static_cast<std::size_t>(shape.size()));
  for (auto& value : grid) value = {uniform(random), uniform(random)};
  return grid;
}

namespace {

/// What was asked, and its answer.
struct Known {
  std::array<std::int64_t, 3> lengths;
  Direction direction;
  int axes;
  Grid grid, transform;
};

Grid by_definition(const Shape& shape, const Grid& grid, Direction direction, int axes) {
  std::vector<Long> values(grid.begin(), grid.end());
  std::size_t stride = 1;
  for (const std::int64_t n : {shape.nx, shape.ny, shape.nz}) {
    if (axes-- == 0) break;
    const Line roots = roots_of(n, direction);
    Line line(n);
    for (std::size_t first = 0; first < values.size(); ++first) {
      if (first / stride % line.real.size() != 0) continue;
      for (std::size_t j = 0; j < line.real.size(); ++j) line.set(j, values[first + j * stride]);
      const Line transform = transform_of(line, roots);
      for (std::size_t k = 0; k < line.real.size(); ++k) {
        values[first + k * stride] = {transform.real[k], transform.imaginary[k]};
      }
    }
    stride *= static_cast<std::size_t>(n);
  }
  Grid rounded;
  for (const Long& value : values)
    rounded.emplace_back(static_cast<double>(value.real()), static_cast<double>(value.imag()));
  return rounded;
}

}  // namespace

Grid reference(const Shape& shape, const Grid& grid, Direction direction, int axes) {
  // Asked again for each number of threads, each instruction set and each place of the result: most of what tests take.
  static std::list<Known> known;
  if (grid.size() > most_values_known) return by_definition(shape, grid, direction, axes);
  const std::array lengths{shape.nx, shape.ny, shape.nz};
  for (const Known& one : known) {
    if (one.lengths == lengths && one.direction == direction && one.axes == axes && one.grid == grid) {
      return one.transform;
    }
  }
  if (known.size() == most_known) known.pop_front();
  known.push_back({lengths, direction, axes, grid, by_definition(shape, grid, direction, axes)});
  return known.back().transform;
}

Definition::Definition(const Shape& shape, Direction direction)
    : x_(roots_of(shape.nx, direction)), y_(roots_of(shape.ny, direction)), z_(roots_of(shape.nz, direction)) {}

std::complex<double> Definition::value(const Grid& grid, std::int64_t kx, std::int64_t ky, std::int64_t kz) const {
  Line of_x = x_, of_y = y_, of_z = z_;
  auto value = grid.begin();
  for (std::size_t k = 0; k < z_.real.size(); ++k) {
    for (std::size_t j = 0; j < y_.real.size(); ++j) {
      for (std::size_t i = 0; i < x_.real.size(); ++i) of_x.set(i, *value++);
      of_y.set(j, value_of(of_x, x_, static_cast<std::size_t>(kx)));
    }
    of_z.set(k, value_of(of_y, y_, static_cast<std::size_t>(ky)));
  }
  const Long sum = value_of(of_z, z_, static_cast<std::size_t>(kz));
  return {static_cast<double>(sum.real()), static_cast<double>(sum.imag())};
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
