/// fio reads the file by pread through the system's cache, 1 MiB a call, by as many threads. Cold reads only; the time
/// is the one that fio reports.
// needs: HDF5
#include "fio_reading.hpp"

namespace {

class Fio : public hdf5_io::FioReading {
 public:
  explicit Fio(const hdf5_io::Problem& problem) : FioReading(problem, {"--ioengine=psync"}) {}
};

}  // namespace

ROOFTOP_RUNG(hdf5_io::Problem, Fio);
