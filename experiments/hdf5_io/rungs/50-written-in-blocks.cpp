/// The file was written in blocks: it has what is selected, block after block, and nothing between.
/// Changed from the rungs below: another file, whose pattern is that of the read. Limit attacked: calls for pieces, and
/// bytes between them. Evidence: one call for each rank. The same values come out of a file that has other bytes: rates
/// of useful bytes can be compared with the rungs below, those of bytes read cannot, and another selection gains
/// nothing. Source: the contest on h5bench, which counted the bytes of both as the same.
// needs: HDF5, MPI
#include "shared_file.hpp"

namespace {

hdf5_io::Layout blocks_alone(const hdf5_io::Parameters& p) {
  if (p.chunked()) throw rooftop::Skip("the case's own file has chunks");
  if (p.stride == p.block) throw rooftop::Skip("all is read: blocks lie next to each other in the case's own file");
  return blocks_of(p);
}

class WrittenInBlocks : public hdf5_io::RankRung {
 public:
  explicit WrittenInBlocks(const hdf5_io::Problem& problem)
      : RankRung(problem, blocks_alone(problem.parameters)),
        file_(path_),
        in_file_(selection_in(blocks_of(problem.parameters), problem.parameters)) {}

  void run() override { file_.read(in_file_, part_, false, values_.data()); }

 private:
  hdf5_io::SharedFile file_;
  hdf5_io::Parameters in_file_;
};

}  // namespace

ROOFTOP_RUNG(hdf5_io::Problem, WrittenInBlocks);
