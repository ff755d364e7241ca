/// The library's sieve buffer has 4 MiB instead of 64 KiB.
/// Changed from the rung below: one property of the file's access. Limit attacked: the number of calls for a strided
/// selection. Evidence: a sixty-fourth of the calls; nothing changes for chunks and whole arrays.
// needs: HDF5
#include "library_reading.hpp"

namespace {

class SieveBuffer : public hdf5_io::LibraryReading {
 public:
  explicit SieveBuffer(const hdf5_io::Problem& problem) : LibraryReading(problem, std::size_t{4} << 20) {}
};

}  // namespace

ROOFTOP_RUNG(hdf5_io::Problem, SieveBuffer);
