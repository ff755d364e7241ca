#include "moderate_numbers.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

namespace rooftop::elasticity {
namespace {

constexpr int moderate = 200;  // of two: 1e60. Products of three such numbers have squares.

int exponent_of(std::span<const double> values) {
  double largest = 0;
  for (const double value : values) {
    if (!std::isfinite(value)) return Exponents::none;
    largest = std::max(largest, std::abs(value));
  }
  return largest > 0 ? std::ilogb(largest) : Exponents::none;
}

std::vector<double> scaled(std::span<const double> values, int by) {
  std::vector<double> result(values.begin(), values.end());
  if (by != 0) {
    for (double& value : result) value = std::ldexp(value, by);
  }
  return result;
}

}  // namespace

Exponents exponents_of(std::span<const double> coordinates, std::span<const double> young, std::span<const double> load,
                       std::span<const double> displacement) {
  return {exponent_of(coordinates), exponent_of(young), exponent_of(load), exponent_of(displacement)};
}

Units units_for(const Exponents& largest) {
  const auto known = [](int exponent) { return exponent == Exponents::none ? 0 : exponent; };
  const auto fits = [&](int exponent) { return std::abs(known(exponent)) <= moderate; };
  if (fits(largest.length) && fits(largest.young) && fits(largest.load) && fits(largest.displacement)) return {};
  Units result{known(largest.length), known(largest.young), 0, 0};
  const int stiffness = result.length + result.young;
  if (largest.load != Exponents::none) result.displacement = largest.load - stiffness;
  if (largest.displacement != Exponents::none) {
    result.displacement =
        largest.load == Exponents::none ? largest.displacement : std::max(result.displacement, largest.displacement);
  }
  result.load = result.displacement + stiffness;
  return result;
}

ModerateNumbers::ModerateNumbers(const Units& units, std::span<const double> coordinates_given,
                                 std::span<const double> young_given, std::span<const double> load_given,
                                 std::span<const double> displacement_given)
    : coordinates(scaled(coordinates_given, -units.length)),
      young(scaled(young_given, -units.young)),
      load(scaled(load_given, -units.load)),
      displacement(scaled(displacement_given, -units.displacement)),
      units_(units) {}

std::vector<double> ModerateNumbers::displacements(std::span<const double> given) const {
  return scaled(given, -units_.displacement);
}

void ModerateNumbers::give(std::span<double> to) const {
  const int largest = exponent_of(displacement);
  // The smallest numbers have fewer digits.
  if (largest != Exponents::none && (largest + units_.displacement > 1022 || largest + units_.displacement < -960)) {
    throw InvalidInput("the displacement is about 2^" + std::to_string(largest + units_.displacement) +
                       ", which double precision does not hold; expected units in which numbers are moderate");
  }
  for (std::size_t i = 0; i < displacement.size(); ++i) to[i] = std::ldexp(displacement[i], units_.displacement);
}

}  // namespace rooftop::elasticity
