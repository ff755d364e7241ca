/// Which elements of an array a rank reads or writes.
#pragma once

#include <cstdint>
#include <vector>

#include "asked.hpp"
#include "hdf5_objects.hpp"

namespace h5bench {

/// Blocks at a stride, as HDF5's hyperslabs.
struct Slab {
  Extent start{0, 0, 0}, stride{1, 1, 1}, count{1, 1, 1}, block{1, 1, 1};
};

/// Neighbours in the file.
struct Run {
  std::uint64_t first, length;
};

class Selection {
 public:
  /// `whole`: the array's extent, all ranks' together. Throws std::invalid_argument where the selection leaves it.
  Selection(const Asked& asked, const Extent& whole, int rank, int ranks);

  /// Blocks of an array, for a look at them.
  Selection(int dimensions, const Extent& whole, const Slab& slab);

  [[nodiscard]] std::uint64_t elements() const { return elements_; }
  /// In the order of the file, numbered row by row.
  [[nodiscard]] const std::vector<Run>& runs() const { return runs_; }
  /// At least one of a rank that reads or writes.
  [[nodiscard]] const std::vector<Slab>& slabs() const { return slabs_; }
  /// Of the file, with the selection.
  [[nodiscard]] Space in_file() const;
  /// All of a space whose shape is h5bench's.
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
