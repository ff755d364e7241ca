/// Chunks are compressed by Zstandard, of level 3, after their bits were sorted by significance.
/// Changed from the rung below: Zstandard for LZ4. Limit attacked: bytes from the device. Evidence: a smaller file, and
/// more time for decoding it: it can win where reads are cold, on a slow device.
// needs: rooftop_h5io, HDF5, MPI
#include "bitshuffle.hpp"
#include "chunks.hpp"

namespace {

class BitshuffleZstd : public hdf5_io::ChunksByRanks {
 public:
  explicit BitshuffleZstd(const hdf5_io::Problem& problem)
      : ChunksByRanks(hdf5_io::with_bitshuffle(problem), "bitshuffle_zstd", hdf5_io::write_bitshuffled) {}
};

}  // namespace

ROOFTOP_RUNG(hdf5_io::Problem, BitshuffleZstd);
