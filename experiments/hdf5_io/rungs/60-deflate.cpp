/// Chunks are compressed as h5bench does it: gzip of level 9, without a shuffle.
/// Changed from the rung below: a filter. Limit attacked: bytes from the device. Evidence: fewer of these; each rank is
/// busy inflating, which takes longer than a copy from the system's cache by far.
// needs: HDF5, MPI
#include "chunks.hpp"

namespace {

class Deflate : public hdf5_io::ChunksByRanks {
 public:
  explicit Deflate(const hdf5_io::Problem& problem) : ChunksByRanks(problem, "deflate") {}
};

}  // namespace

ROOFTOP_RUNG(hdf5_io::Problem, Deflate);
