/// Small valid HDF5 files in memory, in the old and the new format, with every chunk index, filter and kind of link.
#pragma once

#include <cstdint>
#include <vector>

namespace rooftop::h5io::tests {

/// A block of metadata, `bytes` bytes at `at`, that is followed by its checksum.
struct Checked {
  std::size_t at = 0, bytes = 0;
};

struct SoundImage {
  std::vector<std::uint8_t> bytes;
  std::vector<std::size_t> places;  ///< of meaningful bytes: those that are not 0, and their neighbours
  std::vector<Checked> checked;
};

/// Returns all images. Throws std::runtime_error if the library fails to create one.
std::vector<SoundImage> sound_images();

/// Recomputes the checksums of changed blocks.
void check_again(const SoundImage& sound, std::vector<std::uint8_t>& bytes);

}  // namespace rooftop::h5io::tests
