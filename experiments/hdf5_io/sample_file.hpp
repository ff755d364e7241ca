/// The file that is read: written once, by whoever needs it first.
#pragma once

#include <fcntl.h>
#include <hdf5.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <rooftop/require.hpp>
#include <string>
#include <vector>

#include "problem.hpp"

namespace hdf5_io {

/// A descriptor, closed in the end.
class Descriptor {
 public:
  Descriptor(const std::string& path, int flags) : number_(open(path.c_str(), flags | O_CLOEXEC, 0644)) {
    rooftop::require(number_ >= 0, path, " cannot be opened");
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close(number_); }
  [[nodiscard]] int get() const { return number_; }

 private:
  int number_;
};

/// Writes the array, some rows or parts of a row at a time.
inline void write_array(hid_t dataset, hid_t file_space, const Problem& problem) {
  const Parameters& p = problem.parameters;
  constexpr std::int64_t at_once = 1 << 22;
  const std::int64_t width = std::min(p.columns, at_once), height = std::max<std::int64_t>(1, at_once / p.columns);
  std::vector<float> values;
  for (std::int64_t row = 0; row < p.rows; row += height) {
    const std::int64_t rows = std::min(height, p.rows - row);
    for (std::int64_t column = 0; column < p.columns; column += width) {
      const std::int64_t columns = std::min(width, p.columns - column);
      values.clear();
      for (std::int64_t i = row; i < row + rows; ++i) {
        for (std::int64_t j = column; j < column + columns; ++j) {
          values.push_back(value(static_cast<std::uint64_t>(i * p.columns + j)));
        }
      }
      const std::array start{static_cast<hsize_t>(row), static_cast<hsize_t>(column)};
      const std::array count{static_cast<hsize_t>(rows), static_cast<hsize_t>(columns)};
      H5Sselect_hyperslab(file_space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr);
      const hid_t memory_space = H5Screate_simple(2, count.data(), nullptr);
      const herr_t done = H5Dwrite(dataset, H5T_NATIVE_FLOAT, memory_space, file_space, H5P_DEFAULT, values.data());
      H5Sclose(memory_space);
      rooftop::require(done >= 0, problem.file, " cannot be written");
    }
  }
}

inline void write_file(const std::string& path, const Problem& problem) {
  const Parameters& p = problem.parameters;
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  rooftop::require(file >= 0, path, " cannot be made");
  const std::array shape{static_cast<hsize_t>(p.rows), static_cast<hsize_t>(p.columns)};
  const hid_t space = H5Screate_simple(2, shape.data(), nullptr);
  const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_fill_time(properties, H5D_FILL_TIME_NEVER);
  if (p.chunked()) {
    const std::array chunk{static_cast<hsize_t>(p.chunk_rows), static_cast<hsize_t>(p.chunk_columns)};
    H5Pset_chunk(properties, 2, chunk.data());
    if (p.filter == "shuffle_deflate") H5Pset_shuffle(properties);
    // h5bench's gzip is of level 9 and without a shuffle.
    if (p.filter != "none") H5Pset_deflate(properties, p.filter == "deflate" ? 9 : 1);
  }
  const hid_t dataset = H5Dcreate2(file, "x", H5T_IEEE_F32LE, space, H5P_DEFAULT, properties, H5P_DEFAULT);
  write_array(dataset, space, problem);
  H5Dclose(dataset), H5Pclose(properties), H5Sclose(space);
  rooftop::require(H5Fclose(file) >= 0, path, " cannot be written");
}

/// Writes the problem's file unless it is there. Others wait meanwhile, and see it whole or not at all.
inline void require_file(const Problem& problem) {
  const Descriptor lock(std::filesystem::path(problem.file).parent_path() / "lock", O_RDWR | O_CREAT);
  flock(lock.get(), LOCK_EX);
  if (std::filesystem::exists(problem.file)) return;
  const std::string unfinished = problem.file + ".unfinished";
  write_file(unfinished, problem);
  const Descriptor written(unfinished, O_RDONLY);
  fsync(written.get());
  std::filesystem::rename(unfinished, problem.file);
}

/// Lets the system's cache forget the file. What was written is on the device: pages that are not would stay.
inline void drop_cache(const std::string& path) {
  const Descriptor file(path, O_RDONLY);
  fdatasync(file.get());
  rooftop::require(posix_fadvise(file.get(), 0, 0, POSIX_FADV_DONTNEED) == 0, path, ": the cache keeps it");
}

}  // namespace hdf5_io
