/// What of h5bench's configuration the ranks are to do, each as a word NAME=VALUE.
#pragma once

#include <hdf5.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace h5bench {

using Extent = std::array<hsize_t, 3>;

/// h5bench's READ_OPTION: all of the array, or which parts of two dimensions.
enum class Part : std::uint8_t {
  whole,
  strided,          ///< blocks at a stride, of one dimension
  left_diagonal,    ///< LDC: the first and the last corner
  right_diagonal,   ///< RDC: the other two corners
  frame,            ///< PRL: along all four edges
  diagonal_blocks,  ///< CS: blocks from the first corner on, by a stride in both dimensions
};

struct Asked {
  std::string file;
  bool write = false;
  bool existing = false;             ///< a write into datasets that are there
  bool append = false;               ///< of those: behind what they have
  bool particles_in_memory = false;  ///< an array of structures instead of eight arrays
  bool particles_in_file = false;    ///< one dataset of a compound type instead of eight of numbers
  Part part = Part::whole;
  int dimensions = 1;
  Extent extent{1, 1, 1};             ///< of each rank
  std::vector<std::uint64_t> shares;  ///< of each rank, of one dimension, where ranks have different ones
  std::uint64_t count = 0, elements = 0;
  std::array<std::uint64_t, 2> stride{0, 0}, block{0, 0};
  int steps = 1, delay = 0;  ///< steps after which datasets are closed, of asynchronous ones
  std::uint64_t compute_us = 0;
  bool collective_data = false, collective_metadata = false, file_per_rank = false, asynchronous = false;
  Extent chunk{0, 0, 0};  ///< none where the first is 0
  bool deflate = false;
  bool unlimited = false;  ///< the first dimension can grow
  std::uint64_t alignment_threshold = 0, alignment = 0;
  std::uint64_t memory_limit = 0;  ///< of asynchronous steps that are under way, in bytes
  bool cold = false;               ///< the file leaves the system's cache before it is read, and reaches the device

  [[nodiscard]] bool creates() const { return write && !existing; }
};

/// Throws std::invalid_argument.
Asked asked_by(const std::vector<std::string>& words);

}  // namespace h5bench
