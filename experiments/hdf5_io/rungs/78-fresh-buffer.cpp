/// Each run reads into a buffer that nothing has touched, in pages of 4 KiB.
/// Changed from the solver's read of the case's own file: the state of the memory, which all other rungs have touched
/// before. A step back, for the next rung to be held against. Limit met: a page fault for each 4 KiB, in which the
/// kernel clears the page. Evidence: so many faults.
// needs: rooftop_h5io, HDF5
#include "fresh_buffer.hpp"

namespace {

class OrdinaryPages : public hdf5_io::FreshReading {
 public:
  explicit OrdinaryPages(const hdf5_io::Problem& problem) : FreshReading(problem, MADV_NOHUGEPAGE) {}
};

}  // namespace

ROOFTOP_RUNG(hdf5_io::Problem, OrdinaryPages);
