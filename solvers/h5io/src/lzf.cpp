#include "lzf.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <utility>

namespace rooftop::h5io::internal {
namespace {

/// The longest output of one repetition, and the bytes that encode it.
constexpr std::size_t longest_repetition = 264, repetition_bytes = 3;

/// Decodes a stream of LibLZF (http://oldhome.schmorp.de/marc/liblzf.html). A control byte below 32 is followed by that
/// many literal bytes plus one. Otherwise it begins a repetition: its upper three bits are the length minus 2, and if
/// they are 7, the next byte is added; its lower five bits and the last byte are the distance back, minus 1. Returns
/// the number of bytes written, nothing if the stream is damaged, and more than `room` if there is too little room.
std::optional<std::size_t> decode(const std::uint8_t* from, std::size_t bytes, std::uint8_t* to, std::size_t room) {
  const std::uint8_t* const end = from + bytes;
  std::size_t done = 0;
  while (from < end) {
    const std::size_t control = *from++;
    if (control < 32) {
      const std::size_t run = control + 1;
      if (static_cast<std::size_t>(end - from) < run) return {};
      if (room - done < run) return room + 1;
      std::memcpy(to + done, from, run);
      from += run, done += run;
      continue;
    }
    std::size_t length = (control >> 5) + 2;
    if (length == 9) {
      if (from == end) return {};
      length += *from++;
    }
    if (from == end) return {};
    const std::size_t back = ((control & 31) << 8 | *from++) + 1;
    if (back > done) return {};
    if (room - done < length) return room + 1;
    // Byte by byte, since source and destination may overlap.
    for (std::size_t i = 0; i < length; ++i) to[done + i] = to[done + i - back];
    done += length;
  }
  return done;
}

std::size_t filter(unsigned flags, std::size_t count, const unsigned values[], std::size_t bytes, std::size_t* room,
                   void** data) {
  if ((flags & H5Z_FLAG_REVERSE) == 0) return 0;
  // h5py stores the size of a chunk in the third parameter.
  std::size_t size = std::max<std::size_t>({bytes, count > 2 ? values[2] : 0, 1});
  const std::size_t most = (bytes / repetition_bytes + 1) * longest_repetition;
  for (;; size = std::min(2 * size, std::max(most, size))) {
    void* const decoded = std::malloc(size);
    if (decoded == nullptr) return 0;
    const auto done = decode(static_cast<const std::uint8_t*>(*data), bytes, static_cast<std::uint8_t*>(decoded), size);
    if (done && *done <= size) {
      std::free(std::exchange(*data, decoded));
      *room = size;
      return *done;
    }
    std::free(decoded);
    if (!done || size >= most) return 0;
  }
}

}  // namespace

const H5Z_class2_t lzf_filter{H5Z_CLASS_T_VERS, lzf_id, 1, 1, "lzf", nullptr, nullptr, filter};

}  // namespace rooftop::h5io::internal
