/// Small sound HDF5 files in memory, in the old and the new format, with every chunk index, filter and kind of link.
#pragma once

#include <cstdint>
#include <vector>

namespace rooftop::h5io::tests {

/// A block of metadata that a checksum stands behind: `bytes` from `at`.
struct Checked {
  std::size_t at = 0, bytes = 0;
};

struct SoundImage {
  std::vector<std::uint8_t> bytes;
  std::vector<std::size_t> places;  ///< of bytes that mean something: those that are not 0, and their neighbours
  std::vector<Checked> checked;
};

/// All of them. Throws std::runtime_error where the library makes none.
std::vector<SoundImage> sound_images();

/// Writes checksums again, once what they are of was changed.
void check_again(const SoundImage& sound, std::vector<std::uint8_t>& bytes);

}  // namespace rooftop::h5io::tests
