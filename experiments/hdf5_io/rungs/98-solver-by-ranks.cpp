/// The solver by ranks: each reads its part past the library, and ranks share a read where that costs less.
/// Changed from the collective rung: the ranks agree on the way of reading before the first run, by costs that are
/// measured then; in a run only ranks that share a read exchange messages. Limit attacked: the calls of independent
/// reads, and the one aggregator of collective ones. Evidence: bytes and calls that are asked of the system.
// needs: rooftop_h5io_mpi, HDF5, MPI
#include <rooftop/h5io_mpi.hpp>

#include "ranks.hpp"

namespace {

namespace h5io = rooftop::h5io;

class SolverByRanks : public hdf5_io::RankRung {
 public:
  explicit SolverByRanks(const hdf5_io::Problem& problem)
      : RankRung(problem), read_(planned(h5io::FileByRanks(problem.file, MPI_COMM_WORLD).dataset("x"))) {}

  void run() override { read_.run(); }

 private:
  h5io::PlannedRead planned(const h5io::DatasetByRanks& dataset) {
    const auto size = [](std::int64_t n) { return static_cast<std::uint64_t>(n); };
    const auto& p = p_.parameters;
    h5io::OptionsByRanks options;
    options.threads = p_.threads;
    options.costs = dataset.measured_costs();
    // As in all rungs, a rank that cannot read its part tells the others by the driver.
    options.errors = h5io::ThrownOn::own_rank;
    return dataset.plan(
        {{size(part_.row), 1, 1, size(part_.rows)},
         {size(part_.block * p.stride + part_.element), size(part_.blocks), size(p.stride), size(part_.elements)}},
        values_.data(), values_.size() * sizeof(float), options);
  }

  h5io::PlannedRead read_;
};

}  // namespace

ROOFTOP_RUNG(hdf5_io::Problem, SolverByRanks);
