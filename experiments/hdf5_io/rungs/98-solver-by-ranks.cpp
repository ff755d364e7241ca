/// The solver by ranks: each reads its part past the library, and ranks share a read where that costs less.
/// Changed from the collective rung: a few short messages agree on the way of reading, by costs that are measured
/// before the first read. Limit attacked: the calls of independent reads, and the one aggregator of collective ones.
/// Evidence: bytes and calls that are asked of the system.
// needs: rooftop_h5io_mpi, HDF5, MPI
#include <rooftop/h5io_mpi.hpp>

#include "ranks.hpp"

namespace {

namespace h5io = rooftop::h5io;

class SolverByRanks : public hdf5_io::RankRung {
 public:
  explicit SolverByRanks(const hdf5_io::Problem& problem)
      : RankRung(problem), dataset_(h5io::FileByRanks(problem.file, MPI_COMM_WORLD).dataset("x")) {
    const auto size = [](std::int64_t n) { return static_cast<std::uint64_t>(n); };
    const auto& p = problem.parameters;
    selection_ = {
        {size(part_.row), 1, 1, size(part_.rows)},
        {size(part_.block * p.stride + part_.element), size(part_.blocks), size(p.stride), size(part_.elements)}};
    options_.threads = problem.threads;
    options_.costs = dataset_.measured_costs();
  }

  void run() override { dataset_.read(selection_, values_.data(), values_.size() * sizeof(float), options_); }

 private:
  h5io::DatasetByRanks dataset_;
  std::vector<h5io::Span> selection_;
  h5io::OptionsByRanks options_;
};

}  // namespace

ROOFTOP_RUNG(hdf5_io::Problem, SolverByRanks);
