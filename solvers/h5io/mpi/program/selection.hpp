/// The elements of an array that a rank reads or writes.
#pragma once

#include <cstdint>
#include <vector>

#include "asked.hpp"
#include "hdf5_objects.hpp"

namespace h5bench {

/// Regularly spaced blocks, as HDF5's hyperslabs.
struct Slab {
  Extent start{0, 0, 0}, stride{1, 1, 1}, count{1, 1, 1}, block{1, 1, 1};
};

/// Elements that are consecutive in the file.
struct Run {
  std::uint64_t first, length;
};

class Selection {
 public:
  /// `whole`: the extent of the array, of all ranks together. Throws std::invalid_argument if the selection exceeds it.
  Selection(const Asked& asked, const Extent& whole, int rank, int ranks);

  /// Selects the blocks of one slab.
  Selection(int dimensions, const Extent& whole, const Slab& slab);

  [[nodiscard]] std::uint64_t elements() const { return elements_; }
  /// Returns the selected elements in the order of the file, numbered in row-major order.
  [[nodiscard]] const std::vector<Run>& runs() const { return runs_; }
  /// Returns the slabs: at least one if this rank reads or writes.
  [[nodiscard]] const std::vector<Slab>& slabs() const { return slabs_; }
  /// Returns the dataspace in the file, with the selection.
  [[nodiscard]] Space in_file() const;
  /// Returns the dataspace in memory, selected as a whole, with the shape that h5bench uses.
  [[nodiscard]] Space in_memory() const;

 private:
  void add(const Slab& slab);
  void find_runs();

  int dimensions_;
  Extent whole_;
  bool unlimited_ = false;
  std::vector<Slab> slabs_;
  std::vector<Run> runs_;
  std::uint64_t elements_ = 0;
};

}  // namespace h5bench
