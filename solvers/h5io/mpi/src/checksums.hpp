/// Checksums of blocks of a contiguous array. The ranks share the blocks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ranks.hpp"
#include "source.hpp"

namespace rooftop::h5io::internal {

/// A range of a file's bytes, divided into blocks of equal size; the last one may be shorter.
struct Blocks {
  std::uint64_t address = 0, bytes = 0, block_bytes = 1;

  [[nodiscard]] std::uint64_t count() const { return (bytes + block_bytes - 1) / block_bytes; }
  /// Returns the first block of a rank. The rank's blocks end at the first block of the next rank.
  [[nodiscard]] std::uint64_t first_of(std::uint64_t rank, const Ranks& ranks) const {
    return count() * rank / static_cast<std::uint64_t>(ranks.size());
  }
};

/// Reads the blocks from `first` to `last - 1` and returns the CRC-32 of each. Throws FileError.
std::vector<std::uint32_t> checksums(const Source& source, const Blocks& blocks, std::uint64_t first,
                                     std::uint64_t last);

}  // namespace rooftop::h5io::internal
