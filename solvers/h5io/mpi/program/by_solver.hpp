/// The same reads by h5io's library for ranks, past the HDF5 library.
#pragma once

#include <optional>
#include <string>

#include "selection.hpp"
#include "steps.hpp"

namespace h5bench {

struct BySolver {
  double seconds =
      0;              ///< from before the file is opened until all ranks have the last step; without emulated computing
  std::string wrong;  ///< the first value that is not right, or ""
};

/// Reads all steps, and verifies them untimed. None where h5io has no such read: of writes, of a file for each rank, of
/// structures, and of several parts of a dataset. Collective. Throws what h5io throws.
std::optional<BySolver> read_by_solver(const Asked& asked, const Selection& selection, const Values& values, bool known,
                                       const std::string& path);

}  // namespace h5bench
