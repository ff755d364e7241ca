/// Where the chunks of a dataset lie in its file.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "rooftop/h5io.hpp"

namespace rooftop::h5io::internal {

struct ChunkPlace {
  std::uint64_t address = 0, bytes = 0;  ///< 0 bytes: never written
  std::uint32_t skipped = 0;             ///< bit i where the i-th filter was not applied
};

/// Immutable: readers share it.
class ChunkPlaces {
 public:
  /// Nothing where finding them would take longer than it saves, the library's addresses are not the file's, or what it
  /// says cannot be: places beyond the file's bytes, outside the array, or twice the same. Called under the library's
  /// lock.
  static std::optional<ChunkPlaces> find(hid_t file, hid_t dataset, const Description& description,
                                         std::uint64_t file_bytes);

  /// Of the chunk whose first element is `begin`.
  [[nodiscard]] const ChunkPlace& at(const std::vector<hsize_t>& begin) const { return places_[number(begin)]; }

 private:
  explicit ChunkPlaces(const Description& description);
  [[nodiscard]] std::size_t number(const std::vector<hsize_t>& begin) const;
  /// Returns whether it can be there.
  bool keep(const hsize_t* begin, const ChunkPlace& place, std::uint64_t file_bytes);
  [[nodiscard]] bool are_apart() const;

  std::vector<std::uint64_t> chunk_, chunks_;  ///< elements of one, and how many there are, in each dimension
  std::uint64_t plain_bytes_ = 0;              ///< of a chunk that goes through no filter; 0: all may
  std::vector<ChunkPlace> places_;             ///< row by row
};

}  // namespace rooftop::h5io::internal
