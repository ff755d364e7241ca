/// h5bench's particles: seven floats and an integer each, as eight arrays or as an array of structures.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "hdf5_objects.hpp"
#include "selection.hpp"

namespace h5bench {

inline constexpr std::size_t variables = 8, value_bytes = 4, particle_bytes = variables * value_bytes;
/// The names of the variables, in the order of h5bench's structure.
inline constexpr std::array<const char*, variables> names{"x", "y", "z", "px", "py", "pz", "id_1", "id_2"};

/// Returns the type of a variable as a number.
hid_t number_type(std::size_t variable);
/// The types of particles in memory. Objects must not outlive main(), since HDF5 closes all types at exit.
class MemoryTypes {
 public:
  MemoryTypes();

  /// Returns a compound type of one variable.
  [[nodiscard]] hid_t member(std::size_t variable) const { return members_[variable]; }
  /// Returns the compound type of all variables.
  [[nodiscard]] hid_t structure() const { return structure_; }
  /// Returns the type to read or write a variable of a dataset of numbers or structures.
  [[nodiscard]] hid_t of(hid_t dataset, std::size_t variable, bool structures) const;

 private:
  std::array<Type, variables> members_;
  Type structure_;
};

/// Returns the value, as four bytes, of a variable of particle number `particle` among `all` particles at a step. The
/// values are ramps and pseudorandom numbers, as in h5bench.
std::uint32_t value_of(std::size_t variable, std::uint64_t particle, std::uint64_t all, int step);

class Particles {
 public:
  Particles(std::uint64_t count, bool structures)
      : count_(count), structures_(structures), bytes_(count * particle_bytes) {
    poison();
  }

  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_.size(); }
  /// Returns the beginning of a variable's array, or of the array of structures.
  [[nodiscard]] void* data(std::size_t variable) {
    return bytes_.data() + (structures_ ? 0 : variable * count_ * value_bytes);
  }

  /// Sets the values of a selection's particles at a step. `all`: the number of particles of all ranks.
  void fill(const Selection& selection, std::uint64_t all, int step);
  /// Fills the memory with bytes that no value has, so that missing data is noticed.
  void poison();
  /// Returns the first wrong value, or "" if all are right.
  [[nodiscard]] std::string wrong(const Selection& selection, std::uint64_t all, int step) const;
  /// The same, compared with values that were read in another way.
  [[nodiscard]] std::string wrong(const Particles& expected) const;

 private:
  [[nodiscard]] std::size_t at(std::size_t variable, std::uint64_t particle) const {
    return structures_ ? particle * particle_bytes + variable * value_bytes
                       : (variable * count_ + particle) * value_bytes;
  }

  std::uint64_t count_;
  bool structures_;
  std::vector<std::byte> bytes_;
};

}  // namespace h5bench
