/// HDF5 files for tests, written by the library, and what it reads of them.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "rooftop/h5io.hpp"

namespace rooftop::h5io::tests {

/// A file in the folder for temporary files, removed in the end.
class SampleFile {
 public:
  explicit SampleFile(const std::string& name, hsize_t userblock = 0);
  SampleFile(const SampleFile&) = delete;
  SampleFile& operator=(const SampleFile&) = delete;
  ~SampleFile();

  [[nodiscard]] const std::string& path() const { return path_; }
  /// Adds an array of 32-bit whole numbers: 0, 1, 2, … Its layout is what `arrange` makes of its creation properties.
  void add(
      const std::string& name, const std::vector<std::uint64_t>& shape,
      const std::function<void(hid_t)>& arrange = [](hid_t) {}, bool written = true);
  /// Adds the same of another type.
  void add_typed(const std::string& name, hid_t file_type, const void* values, hid_t memory_type, hsize_t count);

 private:
  std::string path_;
};

/// Sets the shape of chunks.
void chunk(hid_t properties, const std::vector<std::uint64_t>& shape);

/// What H5Dread reads of an array of 32-bit whole numbers.
std::vector<std::int32_t> read_by_hdf5(const std::string& path, const std::string& name,
                                       const std::vector<Span>& spans);

/// Overwrites some bytes in the middle of the chunk that begins at `corner`.
void damage_chunk(const std::string& path, const std::string& name, const std::vector<hsize_t>& corner);

}  // namespace rooftop::h5io::tests
