/// One call of H5Dread by one process, with the selection as a hyperslab.
/// Limit attacked: none yet. Evidence: of a strided selection the library asks the system for pieces through a sieve
/// buffer of 64 KiB, and chunks are decoded by one thread.
// needs: HDF5
#include "library_reading.hpp"

namespace {

class Library : public hdf5_io::LibraryReading {
 public:
  explicit Library(const hdf5_io::Problem& problem) : LibraryReading(problem, std::size_t{64} << 10) {}
};

}  // namespace

ROOFTOP_RUNG(hdf5_io::Problem, Library);
