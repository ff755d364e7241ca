/// Datasets in each layout, for tests.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rooftop/h5io.hpp"
#include "sample_file.hpp"

namespace rooftop::h5io::tests {

inline const std::vector<std::uint64_t> shape{23, 17, 30}, chunks{5, 17, 8};

/// Returns the selection of a whole array.
inline std::vector<Span> whole(const std::vector<std::uint64_t>& extents) {
  std::vector<Span> spans;
  for (const std::uint64_t extent : extents) spans.push_back({0, 1, 1, extent});
  return spans;
}

/// Adds datasets "contiguous", "chunked", "deflated", "compact" and "checked". The last two are read by the library.
inline void add_all_layouts(SampleFile& sample) {
  sample.add("contiguous", shape);
  sample.add("chunked", shape, [](hid_t properties) { chunk(properties, chunks); });
  sample.add("deflated", shape, [](hid_t properties) {
    chunk(properties, chunks);
    H5Pset_deflate(properties, 4);
  });
  sample.add("compact", shape, [](hid_t properties) { H5Pset_layout(properties, H5D_COMPACT); });
  sample.add("checked", shape, [](hid_t properties) {
    chunk(properties, chunks);
    H5Pset_fletcher32(properties);
  });
}

inline const std::vector<std::string> layouts{"contiguous", "chunked", "deflated", "compact", "checked"};

}  // namespace rooftop::h5io::tests
