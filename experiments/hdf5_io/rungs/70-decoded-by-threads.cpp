/// The chunks of bitshuffle and LZ4 are decoded by the threads of one process, past the library.
/// Changed from rung 62: threads for ranks, which share what is read, and need neither the library's lock nor its
/// cache. Limit attacked: the library decodes one chunk at a time, and copies it twice. Evidence: all cores are busy
/// decoding.
// needs: rooftop_h5io, HDF5
#include "bitshuffle.hpp"
#include "solver_reading.hpp"

namespace {

class DecodedByThreads : public hdf5_io::SolverReading {
 public:
  explicit DecodedByThreads(const hdf5_io::Problem& problem)
      : SolverReading(hdf5_io::with_bitshuffle(problem), hdf5_io::in_chunks(problem.parameters, "bitshuffle_lz4"),
                      hdf5_io::write_bitshuffled) {}
};

}  // namespace

ROOFTOP_RUNG(hdf5_io::Problem, DecodedByThreads);
