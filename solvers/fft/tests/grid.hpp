/// Grids of random values, and their transforms as the definition reads.
#pragma once

#include <complex>
#include <cstddef>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "rooftop/fft.hpp"

namespace rooftop::fft::testing {

using Grid = std::vector<std::complex<double>>;

inline Grid random_grid(const Shape& shape, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  Grid grid(static_cast<std::size_t>(shape.size()));
  for (auto& value : grid) value = {uniform(random), uniform(random)};
  return grid;
}

/// Along the first `axes` axes, one after the other, in long doubles. Time: size() (nx + ny + nz).
Grid reference(const Shape& shape, const Grid& grid, Direction direction, int axes = 3);

/// Factors of either sign and different sizes for every x, y and z.
class SomeFactors {
 public:
  explicit SomeFactors(const Shape& shape);
  [[nodiscard]] const Factors& view() const { return view_; }
  [[nodiscard]] Grid times(Grid grid) const;

 private:
  Shape shape_;
  std::vector<double> x_, y_, z_;
  Factors view_;
};

/// As floats hold it.
Grid in_single(const Grid& grid);

/// max |difference| / max |reference|
double error(const Grid& seen, const Grid& expected);

/// Scratch memory with a mark behind it.
class Scratch {
 public:
  explicit Scratch(std::size_t bytes);
  [[nodiscard]] void* data() { return memory_.get(); }
  [[nodiscard]] bool intact() const;

 private:
  struct Free {
    void operator()(unsigned char* memory) const;
  };
  std::size_t bytes_;
  std::unique_ptr<unsigned char[], Free> memory_;
};

/// Runs in the plan's precision, and checks that scratch was not overrun and the input not written to.
template <class Real>
Grid run(const BasicPlan<Real>& plan, const Grid& grid, Direction direction, bool in_place,
         const Factors* factors = nullptr);

/// Plans all axes, and runs.
Grid transformed(const Shape& shape, const Grid& grid, Direction direction, int threads, bool in_place,
                 const Factors* factors = nullptr);

std::string text(const Shape& shape);

}  // namespace rooftop::fft::testing
