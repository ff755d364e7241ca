/// HDF5 files for tests, written and read by the library.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "rooftop/h5io.hpp"

namespace rooftop::h5io::tests {

/// A temporary file, removed by the destructor.
class SampleFile {
 public:
  explicit SampleFile(const std::string& name, hsize_t userblock = 0);
  SampleFile(const SampleFile&) = delete;
  SampleFile& operator=(const SampleFile&) = delete;
  ~SampleFile();

  [[nodiscard]] const std::string& path() const { return path_; }
  /// Adds a dataset of 32-bit integers 0, 1, 2, … `arrange` sets its creation properties.
  void add(
      const std::string& name, const std::vector<std::uint64_t>& shape,
      const std::function<void(hid_t)>& arrange = [](hid_t) {}, bool written = true);
  /// Adds a dataset of `count` values of another type.
  void add_typed(const std::string& name, hid_t file_type, const void* values, hid_t memory_type, hsize_t count);

 private:
  std::string path_;
};

/// Sets the chunk shape.
void chunk(hid_t properties, const std::vector<std::uint64_t>& shape);

/// Reads a selection of 32-bit integers with H5Dread.
std::vector<std::int32_t> read_by_hdf5(const std::string& path, const std::string& name,
                                       const std::vector<Span>& spans);

/// Overwrites some bytes in the middle of the chunk whose first element is `corner`.
void damage_chunk(const std::string& path, const std::string& name, const std::vector<hsize_t>& corner);

}  // namespace rooftop::h5io::tests
