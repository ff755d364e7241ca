#include "checked_values.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <string>

namespace rooftop::elasticity {
namespace {

std::string text(double value) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.17g", value);
  return digits;
}

constexpr std::size_t strains = 6;

/// Whether Cholesky's factors of an upper triangle, column by column, are there, with more than rounding left.
bool is_positive_definite(std::span<const double> upper) {
  std::array<std::array<double, strains>, strains> factor{};  // of each column
  std::size_t v = 0;
  for (std::size_t c = 0; c < strains; ++c) {
    for (std::size_t r = 0; r <= c; ++r) {
      double value = upper[v++];
      const double given = value;
      for (std::size_t k = 0; k < r; ++k) value -= factor[r][k] * factor[c][k];
      if (r < c) {
        factor[c][r] = value / factor[r][r];
      } else if (!(value > 1e-12 * given) || !(given > 0)) {
        return false;
      } else {
        factor[c][c] = std::sqrt(value);
      }
    }
  }
  return true;
}

}  // namespace

void require_size(const char* name, std::size_t size, std::int64_t expected) {
  if (size != static_cast<std::size_t>(expected)) {
    throw InvalidInput(std::string(name) + " has " + std::to_string(size) + " values; expected " +
                       std::to_string(expected));
  }
}

void require_finite(const char* name, std::span<const double> values) {
  const auto bad = std::ranges::find_if(values, [](double value) { return !std::isfinite(value); });
  if (bad != values.end()) {
    throw InvalidInput(std::string(name) + "[" + std::to_string(bad - values.begin()) + "] is " + text(*bad) +
                       "; expected a finite number");
  }
}

void require_material(const char* name, std::span<const double> values, std::int64_t elements, double least,
                      double most) {
  if (values.size() != 1) require_size(name, values.size(), elements);
  const auto bad = std::ranges::find_if(values, [&](double value) { return !(value > least && value < most); });
  if (bad != values.end()) {
    throw InvalidInput(std::string(name) + "[" + std::to_string(bad - values.begin()) + "] is " + text(*bad) +
                       "; expected a number above " + text(least) + " and below " + text(most));
  }
}

void require_stiffness(std::span<const double> values, std::int64_t elements, std::int64_t points) {
  const auto count = static_cast<std::int64_t>(values.size() / stiffness_values);
  if (values.size() % stiffness_values != 0 || (count != 1 && count != elements && count != points)) {
    throw InvalidInput("stiffness has " + std::to_string(values.size()) +
                       " values; expected 21 for all elements, for "
                       "each of " +
                       std::to_string(elements) + ", or for each of their " + std::to_string(points) +
                       " points of integration");
  }
  require_finite("stiffness", values);
  for (std::size_t first = 0; first < values.size(); first += stiffness_values) {
    if (!is_positive_definite(values.subspan(first, stiffness_values))) {
      throw InvalidInput("stiffness " + std::to_string(first / stiffness_values) +
                         " is not positive definite; expected one under which every strain takes energy");
    }
  }
}

void require_options(const Options& options) {
  if (!(options.tolerance > 0)) {
    throw InvalidInput("tolerance is " + text(options.tolerance) + "; expected a number above 0");
  }
  if (options.iterations < 0) {
    throw InvalidInput("iterations is " + std::to_string(options.iterations) + "; expected 0 or more");
  }
  if (!(options.seconds > 0)) throw InvalidInput("seconds is " + text(options.seconds) + "; expected a number above 0");
  constexpr int most_threads = 4096;
  if (options.threads < 0 || options.threads > most_threads) {
    throw InvalidInput("threads is " + std::to_string(options.threads) + "; expected 0 to " +
                       std::to_string(most_threads));
  }
}

}  // namespace rooftop::elasticity
