#include "checksums.hpp"

#include <libdeflate.h>

#include <algorithm>
#include <cstddef>

namespace rooftop::h5io::internal {

std::vector<std::uint32_t> checksums(const Source& source, const Blocks& blocks, std::uint64_t first,
                                     std::uint64_t last) {
  std::vector<std::uint32_t> sums;
  std::vector<std::byte> block(std::min(blocks.block_bytes, blocks.bytes));
  Asked asked;
  for (std::uint64_t i = first; i < last; ++i) {
    const std::uint64_t begin = i * blocks.block_bytes, bytes = std::min(blocks.block_bytes, blocks.bytes - begin);
    source.read(blocks.address + begin, block.data(), bytes, asked);
    sums.push_back(libdeflate_crc32(0, block.data(), bytes));
  }
  return sums;
}

}  // namespace rooftop::h5io::internal
