/// One call of H5Dread by one process.
#pragma once

#include <array>

#include "reading.hpp"

namespace hdf5_io {

class LibraryReading : public ReadingRung {
 public:
  /// `sieve_bytes`: of the buffer that strided reads go through; 64 KiB is the library's own.
  LibraryReading(const Problem& problem, std::size_t sieve_bytes) : ReadingRung(problem) {
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_sieve_buf_size(access, sieve_bytes);
    file_ = H5Fopen(problem.file.c_str(), H5F_ACC_RDONLY, access);
    H5Pclose(access);
    dataset_ = H5Dopen2(file_, "x", H5P_DEFAULT);
    file_space_ = H5Dget_space(dataset_);
    const Parameters& p = problem.parameters;
    const auto size = [](std::int64_t n) { return static_cast<hsize_t>(n); };
    const std::array<hsize_t, 2> start{0, 0}, stride{1, size(p.stride)}, count{1, size(p.blocks())},
        block{size(p.rows), size(p.block)}, memory{size(p.rows), size(p.blocks() * p.block)};
    H5Sselect_hyperslab(file_space_, H5S_SELECT_SET, start.data(), stride.data(), count.data(), block.data());
    memory_space_ = H5Screate_simple(2, memory.data(), nullptr);
  }
  LibraryReading(const LibraryReading&) = delete;
  LibraryReading& operator=(const LibraryReading&) = delete;
  ~LibraryReading() override { H5Sclose(memory_space_), H5Sclose(file_space_), H5Dclose(dataset_), H5Fclose(file_); }

  void run() override {
    rooftop::require(H5Dread(dataset_, H5T_NATIVE_FLOAT, memory_space_, file_space_, H5P_DEFAULT, p_.out) >= 0, p_.file,
                     " cannot be read");
  }

 private:
  hid_t file_ = H5I_INVALID_HID, dataset_ = H5I_INVALID_HID, file_space_ = H5I_INVALID_HID,
        memory_space_ = H5I_INVALID_HID;
};

}  // namespace hdf5_io
