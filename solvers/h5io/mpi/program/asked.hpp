/// The arguments of the program: one benchmark of an h5bench configuration, as words NAME=VALUE.
#pragma once

#include <hdf5.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace h5bench {

using Extent = std::array<hsize_t, 3>;

/// h5bench's READ_OPTION: all of the array, or certain parts of one or two dimensions.
enum class Part : std::uint8_t {
  whole,
  strided,          ///< blocks at a stride, in one dimension
  left_diagonal,    ///< LDC: the blocks at the first and the last corner
  right_diagonal,   ///< RDC: the blocks at the other two corners
  frame,            ///< PRL: a frame along all four edges
  diagonal_blocks,  ///< CS: blocks from the first corner, at a stride in both dimensions
};

struct Asked {
  std::string file;
  bool write = false;
  bool existing = false;             ///< writes into existing datasets
  bool append = false;               ///< writes behind their present data
  bool particles_in_memory = false;  ///< an array of structures instead of eight arrays
  bool particles_in_file = false;    ///< one dataset of a compound type instead of eight datasets of numbers
  Part part = Part::whole;
  int dimensions = 1;
  Extent extent{1, 1, 1};             ///< of each rank
  std::vector<std::uint64_t> shares;  ///< one-dimensional extent of each rank, if they differ
  std::uint64_t count = 0, elements = 0;
  std::array<std::uint64_t, 2> stride{0, 0}, block{0, 0};
  int steps = 1, delay = 0;  ///< `delay`: asynchronous datasets are closed so many steps later
  std::uint64_t compute_us = 0;
  bool collective_data = false, collective_metadata = false, file_per_rank = false, asynchronous = false;
  Extent chunk{0, 0, 0};  ///< no chunks if the first is 0
  bool deflate = false;
  bool unlimited = false;  ///< the first dimension can grow
  std::uint64_t alignment_threshold = 0, alignment = 0;
  std::uint64_t memory_limit = 0;  ///< bytes of asynchronous steps in progress
  bool cold = false;               ///< drop the file from the page cache before reading; sync it after writing

  [[nodiscard]] bool creates() const { return write && !existing; }
};

/// Throws std::invalid_argument.
Asked asked_by(const std::vector<std::string>& words);

}  // namespace h5bench
