/// Chunks, one at a time, as they were before they were written.
#pragma once

#include <hdf5.h>

#include <cstddef>
#include <string>
#include <vector>

#include "open_file.hpp"

namespace rooftop::h5io::internal {

/// One thread's buffers and state, of a dataset that has a pipeline.
class ChunkReader {
 public:
  ChunkReader(const Dataset::Open& dataset, Asked& asked);

  /// All elements of the chunk whose first one is `begin`, valid until the next call. The fill value stands for a chunk
  /// that was never written. Throws FileError.
  const std::byte* read(const std::vector<hsize_t>& begin);

 private:
  /// Whether the chunk was ever written; as it lies in the file then.
  bool read_stored(const std::vector<hsize_t>& begin, std::uint32_t& skipped);
  /// Throws FileError unless the chunk, which the library does not give as it lies in the file for that `reason`, can
  /// be read all the same: then nothing was ever written.
  void require_absent(const std::vector<hsize_t>& begin, const std::string& reason) const;
  [[nodiscard]] std::string where(const std::vector<hsize_t>& begin) const;

  const Dataset::Open& dataset_;
  Asked& asked_;
  const ChunkPlaces* places_;
  Decoder decoder_;
  Bytes chunk_;
};

}  // namespace rooftop::h5io::internal
