/// Ranks read their parts of a file with chunks, each by itself, and begin each run without any that an earlier one has
/// decoded.
#pragma once

#include <filesystem>
#include <string>

#include "shared_file.hpp"

namespace hdf5_io {

class ChunksByRanks : public RankRung {
 public:
  ChunksByRanks(const Problem& problem, const std::string& filter, WriteFile write = write_file)
      : ChunksByRanks(problem, in_chunks(problem.parameters, filter), write) {}

  [[nodiscard]] bool starts_anew() const override { return true; }
  void reset() override {
    if (p_.parameters.cold != 0) RankRung::reset();
    file_.drop_chunks();
  }
  void run() override { file_.read(p_.parameters, part_, false, values_.data()); }
  [[nodiscard]] rooftop::Work work() const override {
    rooftop::Work work = RankRung::work();
    // Blocks are nearer to each other than the sizes of chunks: all are read.
    work.device_bytes = static_cast<double>(std::filesystem::file_size(path_));
    return work;
  }

 private:
  ChunksByRanks(const Problem& problem, const Layout& layout, WriteFile write)
      : RankRung(problem, layout, write), file_(path_, opening_for(layout.chunk_bytes())) {}

  SharedFile file_;
};

}  // namespace hdf5_io
