/// Ranks read their parts of a file with chunks, each by itself.
#pragma once

#include <filesystem>
#include <string>

#include "shared_reading.hpp"

namespace hdf5_io {

class ChunksByRanks : public SharedReading {
 public:
  ChunksByRanks(const Problem& problem, const std::string& filter, WriteFile write = write_file)
      : ChunksByRanks(problem, in_chunks(problem.parameters, filter), write) {}

  [[nodiscard]] rooftop::Work work() const override {
    rooftop::Work work = SharedReading::work();
    // Blocks are nearer to each other than the sizes of chunks: all are read.
    work.device_bytes = static_cast<double>(std::filesystem::file_size(path_));
    return work;
  }

 private:
  ChunksByRanks(const Problem& problem, const Layout& layout, WriteFile write)
      : SharedReading(problem, layout, write, opening_for(layout.chunk_bytes()), false) {}
};

}  // namespace hdf5_io
