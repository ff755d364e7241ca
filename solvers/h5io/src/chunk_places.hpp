/// Addresses of a dataset's chunks in its file.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "rooftop/h5io.hpp"

namespace rooftop::h5io::internal {

struct ChunkPlace {
  std::uint64_t address = 0, bytes = 0;  ///< 0 bytes: never written
  std::uint32_t skipped = 0;             ///< bit i is set if the i-th filter was not applied
};

/// The addresses and sizes of all chunks of a dataset. Immutable, so that threads can share it.
class ChunkPlaces {
 public:
  /// Returns the places of all chunks. Returns nothing if finding them would take longer than it saves, if the file has
  /// a user block (the library's addresses are then not offsets in the file), or if the index is damaged: a chunk lies
  /// beyond the end of the file or outside the array, or two chunks overlap. The caller holds the library's lock.
  static std::optional<ChunkPlaces> find(hid_t file, hid_t dataset, const Description& description,
                                         std::uint64_t file_bytes);

  /// Returns the place of the chunk whose first element is `begin`.
  [[nodiscard]] const ChunkPlace& at(const std::vector<hsize_t>& begin) const { return places_[number(begin)]; }

 private:
  explicit ChunkPlaces(const Description& description);
  [[nodiscard]] std::size_t number(const std::vector<hsize_t>& begin) const;
  /// Stores the place of a chunk. Returns false if it is invalid.
  bool keep(const hsize_t* begin, const ChunkPlace& place, std::uint64_t file_bytes);
  [[nodiscard]] bool are_apart() const;

  std::vector<std::uint64_t> chunk_, chunks_;  ///< shape of a chunk; number of chunks in each dimension
  std::uint64_t plain_bytes_ = 0;              ///< size of every chunk if there are no filters, otherwise 0
  std::vector<ChunkPlace> places_;             ///< in row-major order
};

}  // namespace rooftop::h5io::internal
