/// Loads of 1e300 have squares that are no numbers: a problem is solved in units in which its numbers are moderate.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "rooftop/elasticity.hpp"

namespace rooftop::elasticity {

/// Powers of two, which change no digit. Stiffness is Young's modulus by length, and a load is that by displacement.
struct Units {
  int length = 0, young = 0, load = 0, displacement = 0;
};

/// The largest exponents of what a process has; `none` where all is zero.
struct Exponents {
  static constexpr int none = -100'000;
  int length = none, young = none, load = none, displacement = none;
};
/// Of numbers that are not finite there are none: these are refused as they are.
[[nodiscard]] Exponents exponents_of(std::span<const double> coordinates, std::span<const double> young,
                                     std::span<const double> load, std::span<const double> displacement);
/// All zero where numbers are moderate already.
[[nodiscard]] Units units_for(const Exponents& largest);

/// What a problem has, in other units.
class ModerateNumbers {
 public:
  ModerateNumbers(const Units& units, std::span<const double> coordinates, std::span<const double> young,
                  std::span<const double> load, std::span<const double> displacement);

  std::vector<double> coordinates, young, load, displacement;

  /// Other displacements in the same units.
  [[nodiscard]] std::vector<double> displacements(std::span<const double> given) const;

  /// The displacement in the caller's units. Throws InvalidInput where these have no such numbers.
  void give(std::span<double> to) const;

 private:
  Units units_;
};

[[nodiscard]] inline bool changes(const Units& units) {
  return units.length != 0 || units.young != 0 || units.load != 0 || units.displacement != 0;
}

}  // namespace rooftop::elasticity
