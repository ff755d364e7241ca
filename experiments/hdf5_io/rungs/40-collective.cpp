/// All ranks read the shared file together, in two phases: aggregators read, and hand on.
/// Changed from the rung below: the transfer is collective. Limit attacked: the number of calls. Evidence: few large
/// calls, by one aggregator on a host, which reads what lies between the pieces, too.
// needs: HDF5, MPI
#include "ranks.hpp"
#include "shared_file.hpp"

namespace {

class Collective : public hdf5_io::RankRung {
 public:
  explicit Collective(const hdf5_io::Problem& problem) : RankRung(problem), file_(problem.file) {}
  void run() override { file_.read(p_.parameters, part_, true, values_.data()); }

 private:
  hdf5_io::SharedFile file_;
};

}  // namespace

ROOFTOP_RUNG(hdf5_io::Problem, Collective);
