/// h5bench's particles: seven floats and a number each, in eight arrays or in an array of structures.
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
/// In the order of h5bench's structure.
inline constexpr std::array<const char*, variables> names{"x", "y", "z", "px", "py", "pz", "id_1", "id_2"};

/// The type of a variable by itself.
hid_t number_type(std::size_t variable);
/// The types of particles in memory. HDF5 closes all that it knows when it ends: let none outlive main().
class MemoryTypes {
 public:
  MemoryTypes();

  /// A compound type of one variable.
  [[nodiscard]] hid_t member(std::size_t variable) const { return members_[variable]; }
  /// That of all variables.
  [[nodiscard]] hid_t structure() const { return structure_; }
  /// Of a variable in a dataset, which may be of numbers or of structures.
  [[nodiscard]] hid_t of(hid_t dataset, std::size_t variable, bool structures) const;

 private:
  std::array<Type, variables> members_;
  Type structure_;
};

/// The four bytes of a variable of the particle with this number, of all ranks', at a step. Ramps and numbers that look
/// random, as h5bench's are.
std::uint32_t value_of(std::size_t variable, std::uint64_t particle, std::uint64_t all, int step);

class Particles {
 public:
  Particles(std::uint64_t count, bool structures)
      : count_(count), structures_(structures), bytes_(count * particle_bytes) {
    poison();
  }

  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_.size(); }
  /// Where a variable's array begins; of structures, where the first one does.
  [[nodiscard]] void* data(std::size_t variable) {
    return bytes_.data() + (structures_ ? 0 : variable * count_ * value_bytes);
  }

  /// The particles of a selection at a step. `all`: how many there are, of all ranks.
  void fill(const Selection& selection, std::uint64_t all, int step);
  /// Bytes that no value has: what is not read is seen.
  void poison();
  /// "" where all values are right, else the first that is not.
  [[nodiscard]] std::string wrong(const Selection& selection, std::uint64_t all, int step) const;
  /// The same, held against values that were read otherwise.
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
