#include "arguments.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <sstream>
#include <string>

#include "line.hpp"

namespace rooftop::fft::internal {
namespace {

bool all_take_part = false;  // only a test's beginning writes it

std::string text(double number) {
  std::ostringstream text;
  text << number;
  return text.str();
}

}  // namespace

int most_threads(int asked) {
  if (asked < 0 || asked > 4096) {
    throw InvalidArgument("threads is " + std::to_string(asked) + ", expected 0 (as many as there are) to 4096");
  }
  return asked != 0 ? asked : omp_get_max_threads();
}

int team_size(int asked, const Shape& shape) {
  const int most = most_threads(asked);
  if (all_take_part) return most;
  // To wake a thread and to wait for it takes some tens of microseconds, in which one alone transforms so many values.
  constexpr Index values_of_a_thread = 8192;
  return static_cast<int>(std::clamp<Index>(shape.size() / values_of_a_thread, 1, most));
}

void let_all_threads_take_part_for_test() { all_take_part = true; }

const Shape& checked_shape(const Shape& shape, const Options& options) {
  // Another length is convolved in one of up to four times its size, mostly little more than twice.
  constexpr Index longest = Index{1} << 24, longest_convolved = longest / 2, most = Index{1} << 48;
  const struct {
    const char* name;
    Index n;
  } lengths[] = {{"nx", shape.nx}, {"ny", shape.ny}, {"nz", shape.nz}};
  Index size = 1;
  int axis = 0;
  for (const auto& [name, n] : lengths) {
    const bool transformed = axis >= options.first_axis && axis - options.first_axis < options.axes;
    ++axis;
    if (n < 1 || (transformed && n > longest)) {
      throw InvalidArgument(std::string(name) + " is " + std::to_string(n) + ", expected 1 to " +
                            std::to_string(longest));
    }
    if (transformed && n > longest_convolved && !transformable(n)) {
      throw InvalidArgument(std::string(name) + " is " + std::to_string(n) + ", expected at most " +
                            std::to_string(longest_convolved) + " or a product of primes up to " +
                            std::to_string(largest_prime));
    }
    if (size > most / n) {
      throw InvalidArgument("the grid of " + std::to_string(shape.nx) + " x " + std::to_string(shape.ny) + " x " +
                            std::to_string(shape.nz) + " values is too large, expected at most 2^48");
    }
    size *= n;
  }
  return shape;
}

template <class Real>
const Options& checked_options(const Options& options) {
  if (options.axes < 1 || options.axes > 3) {
    throw InvalidArgument("axes is " + std::to_string(options.axes) + ", expected 1 to 3");
  }
  if (options.first_axis < 0 || options.first_axis > 2) {
    throw InvalidArgument("first_axis is " + std::to_string(options.first_axis) + ", expected 0 to 2");
  }
  for (const double scale : {options.forward_scale, options.backward_scale}) {
    constexpr double most = std::numeric_limits<Real>::max();
    if (!(std::abs(scale) <= most)) {
      throw InvalidArgument("a scale is " + text(scale) + ", expected a number of magnitude up to " + text(most));
    }
  }
  return options;
}

template const Options& checked_options<double>(const Options&);
template const Options& checked_options<float>(const Options&);

void check_pointers(const void* in, const void* out, const void* scratch) {
  if (in == nullptr) throw InvalidArgument("in is a null pointer");
  if (out == nullptr) throw InvalidArgument("out is a null pointer");
  if (scratch == nullptr) throw InvalidArgument("scratch is a null pointer");
  if (reinterpret_cast<std::uintptr_t>(scratch) % 64 != 0) {
    throw InvalidArgument("scratch is not aligned to 64 bytes");
  }
}

}  // namespace rooftop::fft::internal
