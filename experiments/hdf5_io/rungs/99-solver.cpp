/// The solver: straight from the file where the layout allows it, with gaps read along that cost less than a call, and
/// chunks decoded by all threads. Changed from the rungs before: whichever way costs least is found from the selection.
/// Limit attacked: calls, the library's one thread. Evidence: bytes and calls that are asked of the system; both cores
/// busy while chunks are decoded.
// needs: rooftop_h5io, HDF5
#include <rooftop/h5io.hpp>

#include "reading.hpp"

namespace {

namespace h5io = rooftop::h5io;

class Solver : public hdf5_io::ReadingRung {
 public:
  explicit Solver(const hdf5_io::Problem& problem)
      : ReadingRung(problem), dataset_(h5io::File(problem.file).dataset("x")) {
    const auto& p = problem.parameters;
    const auto size = [](std::int64_t n) { return static_cast<std::uint64_t>(n); };
    selection_ = {{0, 1, 1, size(p.rows)}, {0, size(p.blocks()), size(p.stride), size(p.block)}};
    options_.threads = problem.threads;
  }

  void run() override { report_ = dataset_.read(selection_, p_.out, dataset_.selected_bytes(selection_), options_); }
  [[nodiscard]] rooftop::Work work() const override {
    rooftop::Work work = ReadingRung::work();
    if (report_.reads > 0) {
      work.device_bytes = static_cast<double>(report_.read_bytes);
      work.device_calls = static_cast<double>(report_.reads);
    }
    return work;
  }

 private:
  h5io::Dataset dataset_;
  std::vector<h5io::Span> selection_;
  h5io::Options options_;
  h5io::Report report_;
};

}  // namespace

ROOFTOP_RUNG(hdf5_io::Problem, Solver);
