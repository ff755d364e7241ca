/// The values go into records of 32 bytes in memory, as of h5bench's particles, of which each has one value.
/// Changed from the rung below: the pattern in memory, which is no longer the file's. A step back: all other rungs have
/// the right pattern, values next to each other in both. Limit met: the library and MPI scatter four bytes at a time,
/// over eight times the memory. Evidence: the difference to the rung below; bytes and calls asked of the file are the
/// same.
// needs: HDF5, MPI
#include "shared_file.hpp"

namespace {

class InterleavedMemory : public hdf5_io::RankRung {
 public:
  explicit InterleavedMemory(const hdf5_io::Problem& problem)
      : RankRung(problem), file_(problem.file), records_(values_.size() * floats_of_record) {}

  void run() override { file_.read(p_.parameters, part_, true, records_.data(), floats_of_record); }
  void finish() override {
    for (std::size_t i = 0; i < values_.size(); ++i) values_[i] = records_[i * floats_of_record];
    RankRung::finish();
  }
  [[nodiscard]] rooftop::Work work() const override {
    rooftop::Work work = RankRung::work();
    work.working_set_bytes *= static_cast<double>(1 + floats_of_record) / 2;
    return work;
  }

 private:
  static constexpr std::size_t floats_of_record = 8;
  hdf5_io::SharedFile file_;
  std::vector<float> records_;
};

}  // namespace

ROOFTOP_RUNG(hdf5_io::Problem, InterleavedMemory);
