/// Reading what is selected of an array of floats in an HDF5 file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "tunables.hpp"

namespace hdf5_io {

/// The array, how it lies in the file, and what is read of it: of each row, blocks of `block` elements whose first
/// elements are `stride` apart, from the row's first element on, as many as fit.
struct Parameters {
  std::int64_t rows = 1, columns = 1, block = 1, stride = 1;
  std::int64_t chunk_rows = 0, chunk_columns = 0;  ///< 0: the array lies in one piece
  std::string filter = "none";                     ///< of chunks: "none", "deflate" or "shuffle_deflate"
  std::int64_t cold = 0;                           ///< 1: the system's cache has nothing of the file before a run

  [[nodiscard]] std::int64_t blocks() const { return (columns - block) / stride + 1; }
  [[nodiscard]] std::int64_t selected() const { return rows * blocks() * block; }
  [[nodiscard]] bool chunked() const { return chunk_rows > 0; }
};

struct Problem {
  Parameters parameters;
  int threads;
  std::string file;         ///< its path; written by whoever needs it first, and shared by all rungs
  float* out;               ///< selected() values, row by row, 64-byte aligned; of rank 0 alone
  int rank = 0, ranks = 1;  ///< of an MPI program
  Tunables tunables;        ///< for the rung that is tuned
};

/// The array's element `index`, counted row by row, the same for all seeds, so that a file serves all campaigns: an
/// exact float of which 16 bits say where it is, in steps, and 8 are noise, as the last bits of measured data are.
/// Chunks of it compress to less than half.
[[nodiscard]] inline float value(std::uint64_t index) {
  std::uint64_t noise = index * 0x9E3779B97F4A7C15U;
  noise ^= noise >> 32U;
  return static_cast<float>((index & 0xFFFFU) << 8U | (noise & 0xFFU));
}

}  // namespace hdf5_io
