/// Each rank has a file of its own, with the part of the array that its blocks lie in.
/// Changed from the rung below: as many files as ranks. Limit attacked: the one rank's rate, and the messages.
/// Evidence: no messages, and no rank waits for another; of a strided selection the sieve buffer is at work in each.
/// What it costs is not in the time: another number of ranks needs other files. Source: a course's "all to all", one
/// file for each process.
// needs: HDF5, MPI
#include "ranks.hpp"

namespace {

using hdf5_io::Layout;
using hdf5_io::Parameters;
using hdf5_io::Part;

/// From a part's first element to its last; a case's chunks at most as large as that.
Layout layout_of_part(const Parameters& p, const Part& part) {
  Layout layout = layout_of(p);
  if (part.values() == 0) return {};
  layout.row = part.row, layout.rows = part.rows;
  layout.column = part.block * p.stride + part.element;
  layout.columns = (part.blocks - 1) * p.stride + part.elements;
  layout.chunk_rows = std::min(p.chunk_rows, layout.rows);
  layout.chunk_columns = std::min(p.chunk_columns, layout.columns);
  return layout;
}

class FilePerRank : public hdf5_io::RankRung {
 public:
  explicit FilePerRank(const hdf5_io::Problem& problem)
      : RankRung(problem, layout_of_part(problem.parameters, part_of(problem.parameters, problem.rank, problem.ranks))),
        in_file_{0, part_.rows, 0, part_.blocks, 0, part_.elements} {
    if (part_.values() == 0) return;
    file_ = H5Fopen(path_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    dataset_ = H5Dopen2(file_, "x", H5P_DEFAULT);
  }
  FilePerRank(const FilePerRank&) = delete;
  FilePerRank& operator=(const FilePerRank&) = delete;
  ~FilePerRank() override {
    if (part_.values() > 0) H5Dclose(dataset_), H5Fclose(file_);
  }

  void reset() override {
    if (part_.values() > 0) hdf5_io::drop_cache(path_);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  void run() override {
    if (part_.values() == 0) return;
    rooftop::require(read_part(dataset_, p_.parameters, in_file_, H5P_DEFAULT, values_.data()) >= 0, path_,
                     " cannot be read");
  }

  [[nodiscard]] rooftop::Work work() const override {
    const auto bytes = static_cast<double>(p_.parameters.selected()) * sizeof(float);
    return {.memory_bytes = 2 * bytes, .working_set_bytes = 2 * bytes, .device_bytes = bytes, .algorithm = "exact"};
  }

 private:
  Part in_file_;
  hid_t file_ = H5I_INVALID_HID, dataset_ = H5I_INVALID_HID;
};

}  // namespace

ROOFTOP_RUNG(hdf5_io::Problem, FilePerRank);
