/// Ranks read their parts of a shared file of their rung's own, and begin each run without any chunk that an earlier
/// one has decoded.
#pragma once

#include "shared_file.hpp"

namespace hdf5_io {

class SharedReading : public RankRung {
 public:
  SharedReading(const Problem& problem, const Layout& layout, WriteFile write, const Opening& opening, bool together)
      : RankRung(problem, layout, write),
        file_(path_, opening),
        in_file_(selection_in(layout, problem.parameters)),
        together_(together) {}

  [[nodiscard]] bool starts_anew() const override { return true; }
  void reset() override {
    if (p_.parameters.cold != 0) RankRung::reset();
    file_.drop_chunks();
  }
  /// Ends when all ranks have their parts: where they are more than the cores, one may have ended before another began.
  void run() override {
    file_.read(in_file_, part_, together_, values_.data());
    MPI_Barrier(MPI_COMM_WORLD);
  }

 private:
  SharedFile file_;
  Parameters in_file_;
  bool together_;
};

}  // namespace hdf5_io
