/// Each rank reads its part of the shared file by itself, through MPI-IO.
/// Changed from the rung below: all ranks have the file. Limit attacked: the one rank's rate, and the messages.
/// Evidence: no messages; of a strided selection one call for each piece, since the MPI-IO driver has no sieve buffer.
// needs: HDF5, MPI
#include "ranks.hpp"
#include "shared_file.hpp"

namespace {

class Independent : public hdf5_io::RankRung {
 public:
  explicit Independent(const hdf5_io::Problem& problem) : RankRung(problem), file_(problem.file) {}
  void run() override { file_.read(p_.parameters, part_, false, values_.data()); }

 private:
  hdf5_io::SharedFile file_;
};

}  // namespace

ROOFTOP_RUNG(hdf5_io::Problem, Independent);
