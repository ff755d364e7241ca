/// Ends of strings of a fixed length: zeros in memory, as NumPy has them, and what the type says in the file.
#pragma once

#include <hdf5.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rooftop::h5io::internal {

/// Sets what lies behind the strings of `bytes` bytes to zeros: behind the first zero, or from the last spaces on.
void end_with_zeros(H5T_str_t padding, std::size_t string_bytes, std::byte* strings, std::uint64_t bytes);

/// Copies strings that end with zeros, and ends them with spaces instead.
std::vector<std::byte> ended_with_spaces(std::size_t string_bytes, const std::byte* strings, std::uint64_t bytes);

}  // namespace rooftop::h5io::internal
