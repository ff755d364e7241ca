/// Reads and decodes chunks, one at a time.
#pragma once

#include <hdf5.h>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "open_file.hpp"

namespace rooftop::h5io::internal {

/// Reads chunks of a dataset that has a pipeline. Each thread needs a reader of its own.
class ChunkReader {
 public:
  ChunkReader(const Dataset::Open& dataset, Asked& asked);

  /// Returns all elements of the chunk whose first element is `begin`; fill values if it was never written. They are
  /// valid until the next call. Throws FileError.
  const std::byte* read(const std::vector<hsize_t>& begin);
  /// What the last call returned, which the caller has from now on.
  [[nodiscard]] Bytes take() { return std::move(chunk_); }

 private:
  /// Reads a chunk as stored, still encoded. Returns false if it was never written.
  bool read_stored(const std::vector<hsize_t>& begin, std::uint32_t& skipped);
  /// Throws FileError with `reason`, for which the library cannot return the stored chunk, unless H5Dread() can read
  /// the chunk's first element: then the chunk was never written.
  void require_absent(const std::vector<hsize_t>& begin, const std::string& reason) const;
  [[nodiscard]] std::string where(const std::vector<hsize_t>& begin) const;

  const Dataset::Open& dataset_;
  Asked& asked_;
  std::shared_ptr<const ChunkPlaces> places_;
  Decoder decoder_;
  Bytes chunk_;
};

}  // namespace rooftop::h5io::internal
