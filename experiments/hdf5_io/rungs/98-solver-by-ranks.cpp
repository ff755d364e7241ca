/// The solver by ranks: each reads its part past the library, with gaps read along that cost less than a call.
/// Changed from the collective rung: no messages, and no more than a part's own bytes. Limit attacked: the calls of
/// independent reads, and the one aggregator of collective ones. Evidence: bytes and calls that are asked of the
/// system.
// needs: rooftop_h5io, HDF5, MPI
#include <rooftop/h5io.hpp>

#include "ranks.hpp"

namespace {

namespace h5io = rooftop::h5io;

class SolverByRanks : public hdf5_io::RankRung {
 public:
  explicit SolverByRanks(const hdf5_io::Problem& problem)
      : RankRung(problem), dataset_(h5io::File(problem.file).dataset("x")) {
    const auto size = [](std::int64_t n) { return static_cast<std::uint64_t>(n); };
    const auto& p = problem.parameters;
    selection_ = {
        {size(part_.row), 1, 1, size(part_.rows)},
        {size(part_.block * p.stride + part_.element), size(part_.blocks), size(p.stride), size(part_.elements)}};
    options_.threads = problem.threads;
  }

  void run() override { dataset_.read(selection_, values_.data(), values_.size() * sizeof(float), options_); }

 private:
  h5io::Dataset dataset_;
  std::vector<h5io::Span> selection_;
  h5io::Options options_;
};

}  // namespace

ROOFTOP_RUNG(hdf5_io::Problem, SolverByRanks);
