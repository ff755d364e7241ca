/// Checksums of an array's bytes, block by block, that ranks compute together.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ranks.hpp"
#include "source.hpp"

namespace rooftop::h5io::internal {

/// Bytes of a file, and how they are cut.
struct Blocks {
  std::uint64_t address = 0, bytes = 0, block_bytes = 1;

  [[nodiscard]] std::uint64_t count() const { return (bytes + block_bytes - 1) / block_bytes; }
  /// The first of a rank's blocks; the last one's successor is the next rank's first.
  [[nodiscard]] std::uint64_t first_of(std::uint64_t rank, const Ranks& ranks) const {
    return count() * rank / static_cast<std::uint64_t>(ranks.size());
  }
};

/// CRC-32 of the blocks from `first` to `last - 1`, read from the file. Throws FileError.
std::vector<std::uint32_t> checksums(const Source& source, const Blocks& blocks, std::uint64_t first,
                                     std::uint64_t last);

}  // namespace rooftop::h5io::internal
