/// The file has chunks: 1 Mi elements of one row, or 512 x 256. Each rank reads those of its part by itself.
/// Changed from the independent rung: the layout, and a cache for chunks that holds two. Limit attacked: the calls of
/// strided reads, since a chunk is read whole and gathered from. Evidence: calls are chunks; whole arrays are copied
/// once more, through the cache.
// needs: HDF5, MPI
#include "chunks.hpp"

namespace {

class Chunks : public hdf5_io::ChunksByRanks {
 public:
  explicit Chunks(const hdf5_io::Problem& problem) : ChunksByRanks(problem, "none") {}
};

}  // namespace

ROOFTOP_RUNG(hdf5_io::Problem, Chunks);
