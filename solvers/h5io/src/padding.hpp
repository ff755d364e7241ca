/// Padding of strings of fixed length: zeros in memory, as in NumPy; zeros or spaces in the file, by the type.
#pragma once

#include <hdf5.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rooftop::h5io::internal {

/// Replaces the padding of strings, `bytes` bytes in all, by zeros: trailing spaces if the type pads with spaces,
/// otherwise everything after the first zero.
void end_with_zeros(H5T_str_t padding, std::size_t string_bytes, std::byte* strings, std::uint64_t bytes);

/// Returns a copy of zero-padded strings, padded with spaces instead.
std::vector<std::byte> ended_with_spaces(std::size_t string_bytes, const std::byte* strings, std::uint64_t bytes);

}  // namespace rooftop::h5io::internal
