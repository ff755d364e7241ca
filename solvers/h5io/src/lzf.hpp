/// Decoder of the LZF filter, which h5py has and the HDF5 library lacks.
#pragma once

#include <hdf5.h>

namespace rooftop::h5io::internal {

constexpr H5Z_filter_t lzf_id = 32000;

/// Decodes only. Returns 0 (failure) if asked to encode, which leaves the chunk unchanged.
extern const H5Z_class2_t lzf_filter;

}  // namespace rooftop::h5io::internal
