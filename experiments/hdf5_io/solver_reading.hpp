/// Reads by the solver, by one process with all threads.
#pragma once

#include <rooftop/h5io.hpp>
#include <vector>

#include "reading.hpp"

namespace hdf5_io {

class SolverReading : public ReadingRung {
 public:
  explicit SolverReading(const Problem& problem) : SolverReading(problem, layout_of(problem.parameters)) {}
  SolverReading(const Problem& problem, const Layout& layout, WriteFile write = write_file)
      : ReadingRung(problem, layout, write), dataset_(rooftop::h5io::File(path_).dataset("x")) {
    const Parameters& p = problem.parameters;
    const auto size = [](std::int64_t n) { return static_cast<std::uint64_t>(n); };
    selection_ = {{0, 1, 1, size(p.rows)}, {0, size(p.blocks()), size(p.stride), size(p.block)}};
    options_.threads = problem.threads;
  }

  void run() override { read_into(p_.out); }
  [[nodiscard]] rooftop::Work work() const override {
    rooftop::Work work = ReadingRung::work();
    if (report_.reads > 0) {
      work.device_bytes = static_cast<double>(report_.read_bytes);
      work.device_calls = static_cast<double>(report_.reads);
    }
    return work;
  }

 protected:
  void read_into(float* to) { report_ = dataset_.read(selection_, to, dataset_.selected_bytes(selection_), options_); }

 private:
  rooftop::h5io::Dataset dataset_;
  std::vector<rooftop::h5io::Span> selection_;
  rooftop::h5io::Options options_;
  rooftop::h5io::Report report_;
};

}  // namespace hdf5_io
