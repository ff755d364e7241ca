/// The same reads with h5io's MPI library instead of the HDF5 library.
#pragma once

#include <optional>
#include <string>

#include "selection.hpp"
#include "steps.hpp"

namespace h5bench {

struct BySolver {
  double seconds =
      0;              ///< from before the file is opened until all ranks have the last step; without emulated computing
  std::string wrong;  ///< the first wrong value, or ""
};

/// Reads all steps, and verifies them outside the timed section. Returns nothing if h5io does not support the
/// benchmark: writes, one file per rank, structures, and several parts of a dataset. Collective. Throws the exceptions
/// of h5io.
std::optional<BySolver> read_by_solver(const Asked& asked, const Selection& selection, const Values& values, bool known,
                                       const std::string& path);

}  // namespace h5bench
