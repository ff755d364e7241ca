/// fio reads the file past the system's cache by O_DIRECT, with 16 reads of 1 MiB queued by each thread. Cold reads
/// only; the time is the one that fio reports.
// needs: HDF5
#include "fio_reading.hpp"

namespace {

class FioDirect : public hdf5_io::FioReading {
 public:
  explicit FioDirect(const hdf5_io::Problem& problem)
      : FioReading(problem, {"--direct=1", "--ioengine=libaio", "--iodepth=16"}) {}
};

}  // namespace

ROOFTOP_RUNG(hdf5_io::Problem, FioDirect);
