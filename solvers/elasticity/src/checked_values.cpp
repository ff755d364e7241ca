#include "checked_values.hpp"

#include <algorithm>
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
