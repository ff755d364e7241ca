/// One rank reads everything by H5Dread, and sends the others their parts.
/// Changed from the rung below: ranks, of which one has the file. Limit attacked: none; it is what programs do whose
/// file format knows no ranks. Evidence: the time of one process, and that of the messages on top.
// needs: HDF5, MPI
#include "ranks.hpp"

namespace {

using hdf5_io::Part;

class OneRank : public hdf5_io::RankRung {
 public:
  explicit OneRank(const hdf5_io::Problem& problem) : RankRung(problem) {
    if (p_.rank != 0) return;
    file_ = H5Fopen(p_.file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    dataset_ = H5Dopen2(file_, "x", H5P_DEFAULT);
  }
  OneRank(const OneRank&) = delete;
  OneRank& operator=(const OneRank&) = delete;
  ~OneRank() override {
    if (p_.rank == 0) H5Dclose(dataset_), H5Fclose(file_);
  }

  void run() override {
    if (p_.rank != 0) {
      MPI_Recv(values_.data(), static_cast<int>(values_.size()), MPI_FLOAT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      return;
    }
    std::vector<float> values;
    for (int rank = p_.ranks - 1; rank > 0; --rank) {
      const Part part = part_of(p_.parameters, rank, p_.ranks);
      values.resize(size_of(part));
      read(part, values.data());
      MPI_Send(values.data(), static_cast<int>(values.size()), MPI_FLOAT, rank, 1, MPI_COMM_WORLD);
    }
    read(part_, values_.data());
  }

 private:
  void read(const Part& part, float* to) const {
    rooftop::require(read_part(dataset_, p_.parameters, part, H5P_DEFAULT, to) >= 0, p_.file, " cannot be read");
  }

  hid_t file_ = H5I_INVALID_HID, dataset_ = H5I_INVALID_HID;
};

}  // namespace

ROOFTOP_RUNG(hdf5_io::Problem, OneRank);
