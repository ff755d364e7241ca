/// One call of H5Dread by one process, with the selection as a hyperslab.
/// Limit attacked: none yet. Evidence: of a strided selection the library asks the system for pieces through a sieve
/// buffer of 64 KiB, and chunks are decoded by one thread.
// needs: HDF5
#include <array>

#include "reading.hpp"

namespace {

class Library : public hdf5_io::ReadingRung {
 public:
  explicit Library(const hdf5_io::Problem& problem)
      : ReadingRung(problem),
        file_(H5Fopen(problem.file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT)),
        dataset_(H5Dopen2(file_, "x", H5P_DEFAULT)),
        file_space_(H5Dget_space(dataset_)) {
    const auto& p = problem.parameters;
    const auto size = [](std::int64_t n) { return static_cast<hsize_t>(n); };
    const std::array<hsize_t, 2> start{0, 0}, stride{1, size(p.stride)}, count{1, size(p.blocks())},
        block{size(p.rows), size(p.block)}, memory{size(p.rows), size(p.blocks() * p.block)};
    H5Sselect_hyperslab(file_space_, H5S_SELECT_SET, start.data(), stride.data(), count.data(), block.data());
    memory_space_ = H5Screate_simple(2, memory.data(), nullptr);
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  ~Library() override { H5Sclose(memory_space_), H5Sclose(file_space_), H5Dclose(dataset_), H5Fclose(file_); }

  void run() override {
    rooftop::require(H5Dread(dataset_, H5T_NATIVE_FLOAT, memory_space_, file_space_, H5P_DEFAULT, p_.out) >= 0, p_.file,
                     " cannot be read");
  }

 private:
  hid_t file_, dataset_, file_space_, memory_space_ = H5I_INVALID_HID;
};

}  // namespace

ROOFTOP_RUNG(hdf5_io::Problem, Library);
