/// Each run reads into a buffer that nothing has touched, in pages of 2 MiB.
/// Changed from the rung below: madvise asks for huge pages. Limit attacked: page faults. Evidence: a 512th of them;
/// the memory is cleared all the same. The buffer of both is as fresh: rungs that read into touched memory do less.
// needs: rooftop_h5io, HDF5
#include <fstream>
#include <string>

#include "fresh_buffer.hpp"

namespace {

const hdf5_io::Problem& require_huge_pages(const hdf5_io::Problem& problem) {
  const char* const setting = "/sys/kernel/mm/transparent_hugepage/enabled";
  std::string said;
  std::getline(std::ifstream(setting), said);
  if (said.empty() || said.find("[never]") != std::string::npos) {
    throw rooftop::Skip(std::string("huge pages are off: ") + setting + " is '" + said +
                        "', expected madvise or always");
  }
  return problem;
}

class HugePages : public hdf5_io::FreshReading {
 public:
  explicit HugePages(const hdf5_io::Problem& problem) : FreshReading(require_huge_pages(problem), MADV_HUGEPAGE) {}
};

}  // namespace

ROOFTOP_RUNG(hdf5_io::Problem, HugePages);
