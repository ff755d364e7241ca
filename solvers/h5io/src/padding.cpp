#include "padding.hpp"

#include <algorithm>
#include <cstring>

namespace rooftop::h5io::internal {
namespace {

/// Returns the length of a string without the bytes at its end that equal `padding`.
std::size_t length_without(std::byte padding, const std::byte* string, std::size_t bytes) {
  while (bytes > 0 && string[bytes - 1] == padding) --bytes;
  return bytes;
}

}  // namespace

void end_with_zeros(H5T_str_t padding, std::size_t string_bytes, std::byte* strings, std::uint64_t bytes) {
  for (std::byte* one = strings; one != strings + bytes; one += string_bytes) {
    const std::size_t length = padding == H5T_STR_SPACEPAD
                                   ? length_without(std::byte{' '}, one, string_bytes)
                                   : static_cast<std::size_t>(std::find(one, one + string_bytes, std::byte{0}) - one);
    std::memset(one + length, 0, string_bytes - length);
  }
}

std::vector<std::byte> ended_with_spaces(std::size_t string_bytes, const std::byte* strings, std::uint64_t bytes) {
  std::vector<std::byte> ended(strings, strings + bytes);
  for (std::size_t at = 0; at < ended.size(); at += string_bytes) {
    const std::size_t length = length_without(std::byte{0}, strings + at, string_bytes);
    std::memset(ended.data() + at + length, ' ', string_bytes - length);
  }
  return ended;
}

}  // namespace rooftop::h5io::internal
