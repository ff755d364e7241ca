/// What ranks do besides their reading: each has a part of the selection, and rank 0 gets all of it to be verified.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "reading.hpp"

namespace hdf5_io {

/// A rank's part: whole rows where there are enough, else blocks of each row, else a part of each row's only block.
struct Part {
  std::int64_t row, rows, block, blocks, element, elements;

  [[nodiscard]] std::int64_t values() const { return rows * blocks * elements; }
};

/// From where to where one of `parts` goes.
inline std::array<std::int64_t, 2> share_of(std::int64_t all, int part, int parts) {
  return {all * part / parts, all * (part + 1) / parts};
}

inline Part part_of(const Parameters& p, int rank, int ranks) {
  Part part{0, p.rows, 0, p.blocks(), 0, p.block};
  const auto cut = [&](std::int64_t& first, std::int64_t& count) {
    const auto [begin, end] = share_of(count, rank, ranks);
    first = begin, count = end - begin;
  };
  if (p.rows >= ranks) {
    cut(part.row, part.rows);
  } else if (p.blocks() >= ranks) {
    cut(part.block, part.blocks);
  } else {
    cut(part.element, part.elements);
  }
  return part;
}

/// By H5Dread. A rank without elements takes part all the same: others may wait for it. `apart`: how many floats lie
/// between the beginnings of two values in memory.
inline herr_t read_part(hid_t dataset, const Parameters& p, const Part& part, hid_t transfer, float* to,
                        std::int64_t apart = 1) {
  const auto size = [](std::int64_t n) { return static_cast<hsize_t>(n); };
  const std::array<hsize_t, 2> start{size(part.row), size(part.block * p.stride + part.element)},
      stride{1, size(p.stride)}, count{1, size(part.blocks)}, block{size(part.rows), size(part.elements)},
      in_memory{size(part.rows), size(part.blocks * part.elements)}, memory{in_memory[0], in_memory[1] * size(apart)},
      nothing{0, 0}, step{1, size(apart)};
  const hid_t file_space = H5Dget_space(dataset), memory_space = H5Screate_simple(2, memory.data(), nullptr);
  if (part.values() > 0) {
    H5Sselect_hyperslab(file_space, H5S_SELECT_SET, start.data(), stride.data(), count.data(), block.data());
    if (apart > 1) {
      H5Sselect_hyperslab(memory_space, H5S_SELECT_SET, nothing.data(), step.data(), in_memory.data(), nullptr);
    }
  } else {
    H5Sselect_none(file_space), H5Sselect_none(memory_space);
  }
  const herr_t done = H5Dread(dataset, H5T_NATIVE_FLOAT, memory_space, file_space, transfer, to);
  H5Sclose(memory_space), H5Sclose(file_space);
  return done;
}

class RankRung : public ReadingRung {
 public:
  explicit RankRung(const Problem& problem) : RankRung(problem, layout_of(problem.parameters)) {}
  /// `sharing`: of so many ranks, the first ones, each has a part; 0: all.
  RankRung(const Problem& problem, const Layout& layout, WriteFile write = write_file, int sharing = 0)
      : ReadingRung(problem, layout, write),
        sharing_(sharing > 0 ? sharing : p_.ranks),
        part_(p_.rank < sharing_ ? part_of(p_.parameters, p_.rank, sharing_) : Part{}),
        values_(size_of(part_)) {}

  /// By rank 0, the others wait: pages that one has dropped another must not bring back.
  void reset() override {
    MPI_Barrier(MPI_COMM_WORLD);
    if (p_.rank == 0) drop_cache(path_);
    MPI_Barrier(MPI_COMM_WORLD);
  }

  void finish() override {
    if (p_.rank >= sharing_) return;
    if (p_.rank != 0) {
      MPI_Send(values_.data(), static_cast<int>(values_.size()), MPI_FLOAT, 0, 0, MPI_COMM_WORLD);
      return;
    }
    place(part_, values_);
    for (int rank = 1; rank < sharing_; ++rank) {
      const Part part = part_of(p_.parameters, rank, sharing_);
      std::vector<float> values(size_of(part));
      MPI_Recv(values.data(), static_cast<int>(values.size()), MPI_FLOAT, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      place(part, values);
    }
  }

 protected:
  static std::size_t size_of(const Part& part) { return static_cast<std::size_t>(part.values()); }

  int sharing_;
  Part part_;
  std::vector<float> values_;  ///< this rank's, row by row

 private:
  void place(const Part& part, const std::vector<float>& values) const {
    const Parameters& p = p_.parameters;
    auto from = values.begin();
    for (std::int64_t row = part.row; row < part.row + part.rows; ++row) {
      for (std::int64_t block = part.block; block < part.block + part.blocks; ++block, from += part.elements) {
        std::copy_n(from, part.elements, p_.out + (row * p.blocks() + block) * p.block + part.element);
      }
    }
  }
};

}  // namespace hdf5_io
