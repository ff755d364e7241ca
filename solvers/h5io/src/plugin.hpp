/// Filters that the HDF5 library loads from files: their functions, called without the library.
#pragma once

#include <hdf5.h>

#include <string>

namespace rooftop::h5io::internal {

/// The function of a filter in the folders where the library looks for plugins, or null where there is none, or where
/// the filter may not be called by several threads at once. Called under the library's lock.
H5Z_func_t plugin_function(int filter);

/// Whether the library can apply the filter, its own or a plugin's. Called under the library's lock.
bool is_available(int filter);

/// What to do where it cannot, for messages.
std::string remedy_for(int filter);

}  // namespace rooftop::h5io::internal
