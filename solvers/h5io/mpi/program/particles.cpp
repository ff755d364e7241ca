#include "particles.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace h5bench {

namespace {

constexpr std::array<float, 3> range{191.0F, 1009.0F, 3701.0F};  // of x, y and z

/// Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

std::string difference(std::size_t variable, std::uint64_t particle, std::uint32_t found, std::uint32_t expected) {
  const bool whole = variable == 6;
  const auto shown = [&](std::uint32_t bits) {
    return whole ? std::to_string(static_cast<std::int32_t>(bits)) : std::to_string(std::bit_cast<float>(bits));
  };
  return std::string(names[variable]) + " of particle " + std::to_string(particle) + " is " + shown(found) +
         ", expected " + shown(expected);
}

}  // namespace

hid_t number_type(std::size_t variable) { return variable == 6 ? H5T_NATIVE_INT32 : H5T_NATIVE_FLOAT; }

MemoryTypes::MemoryTypes() : structure_(H5Tcreate(H5T_COMPOUND, particle_bytes), "a type") {
  for (std::size_t v = 0; v < variables; ++v) {
    members_[v] = Type(H5Tcreate(H5T_COMPOUND, value_bytes), "a type");
    checked(H5Tinsert(members_[v], names[v], 0, number_type(v)), "a type");
    checked(H5Tinsert(structure_, names[v], v * value_bytes, number_type(v)), "a type");
  }
}

hid_t MemoryTypes::of(hid_t dataset, std::size_t variable, bool structures) const {
  if (structures) return structure_;
  const Type type(H5Dget_type(dataset), "a dataset's type");
  return H5Tget_class(type) == H5T_COMPOUND ? member(variable) : number_type(variable);
}

std::uint32_t value_of(std::size_t variable, std::uint64_t particle, std::uint64_t all, int step) {
  const auto later = static_cast<std::uint64_t>(step);
  if (variable == 6) return static_cast<std::uint32_t>(particle + later);
  float value = 0;
  if (variable == 7) {
    value = static_cast<float>(2 * (particle + later));
  } else if (variable % 3 == 2) {
    const auto ramp = static_cast<double>((variable == 5 ? 2 : 1) * (particle + later));
    value = static_cast<float>(ramp / static_cast<double>(all)) * range[2];
  } else {
    const std::uint64_t bits = mixed((particle * variables + variable) ^ (later << 48U)) >> 40U;
    value = static_cast<float>(bits) * 0x1p-24F * range[variable % 3];
  }
  return std::bit_cast<std::uint32_t>(value);
}

void Particles::fill(const Selection& selection, std::uint64_t all, int step) {
  for (std::size_t v = 0; v < variables; ++v) {
    std::uint64_t i = 0;
    for (const Run& run : selection.runs()) {
      for (std::uint64_t particle = run.first; particle < run.first + run.length; ++particle, ++i) {
        const std::uint32_t value = value_of(v, particle, all, step);
        std::memcpy(&bytes_[at(v, i)], &value, value_bytes);
      }
    }
  }
}

void Particles::poison() { std::fill(bytes_.begin(), bytes_.end(), std::byte{0xff}); }

std::string Particles::wrong(const Selection& selection, std::uint64_t all, int step) const {
  Particles expected(count_, structures_);
  expected.fill(selection, all, step);
  return wrong(expected);
}

std::string Particles::wrong(const Particles& expected) const {
  const auto [mine, other] = std::mismatch(bytes_.begin(), bytes_.end(), expected.bytes_.begin());
  if (mine == bytes_.end()) return "";
  const auto value = static_cast<std::uint64_t>(mine - bytes_.begin()) / value_bytes;
  const std::uint64_t particle = structures_ ? value / variables : value % count_;
  const std::size_t variable = structures_ ? value % variables : value / count_;
  std::uint32_t found = 0, wanted = 0;
  std::memcpy(&found, &bytes_[value * value_bytes], value_bytes);
  std::memcpy(&wanted, &expected.bytes_[value * value_bytes], value_bytes);
  return difference(variable, particle, found, wanted) + " (counted in the selection of a rank)";
}

}  // namespace h5bench
