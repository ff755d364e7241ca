/// LZF, the filter that h5py brings with it and no other library has, read.
#pragma once

#include <hdf5.h>

namespace rooftop::h5io::internal {

constexpr H5Z_filter_t lzf_id = 32000;

/// Decodes; whoever asks it to encode gets 0, which leaves a chunk as it is.
extern const H5Z_class2_t lzf_filter;

}  // namespace rooftop::h5io::internal
