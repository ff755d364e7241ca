/// Chunks are compressed by LZ4 after their bits were sorted by significance.
/// Changed from the rung below: the filter, whose decoding is a copy of runs and a transposition in vector registers.
/// Limit attacked: the time of inflating. Evidence: the share of the time that decoding takes; files of about the same
/// size.
// needs: rooftop_h5io, HDF5, MPI
#include "bitshuffle.hpp"
#include "chunks.hpp"

namespace {

class BitshuffleLz4 : public hdf5_io::ChunksByRanks {
 public:
  explicit BitshuffleLz4(const hdf5_io::Problem& problem)
      : ChunksByRanks(hdf5_io::with_bitshuffle(problem), "bitshuffle_lz4", hdf5_io::write_bitshuffled) {}
};

}  // namespace

ROOFTOP_RUNG(hdf5_io::Problem, BitshuffleLz4);
