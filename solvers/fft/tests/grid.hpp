/// Grids of random values, and their transforms as the definition reads.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rooftop/fft.hpp"

namespace rooftop::fft::testing {

using Grid = std::vector<std::complex<double>>;

Grid random_grid(const Shape& shape, unsigned seed);

/// Along the first `axes` axes, one after the other, in long doubles. Time: size() (nx + ny + nz).
Grid reference(const Shape& shape, const Grid& grid, Direction direction, int axes = 3);

/// Values, or roots of unity, one after the other, which those of a grid along y and z are not.
struct Line {
  std::vector<long double> real, imaginary;

  explicit Line(std::int64_t n) : real(static_cast<std::size_t>(n)), imaginary(static_cast<std::size_t>(n)) {}
  void set(std::size_t i, const std::complex<long double>& value) {
    real[i] = value.real();
    imaginary[i] = value.imag();
  }
};

/// Single values of a transform along all axes, in long doubles.
class Definition {
 public:
  Definition(const Shape& shape, Direction direction);
  [[nodiscard]] std::complex<double> value(const Grid& grid, std::int64_t kx, std::int64_t ky, std::int64_t kz) const;

 private:
  Line x_, y_, z_;  // roots
};

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
