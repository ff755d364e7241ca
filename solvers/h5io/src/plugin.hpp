/// Filter plugins: finds their functions, to call them without the HDF5 library.
#pragma once

#include <hdf5.h>

#include <string>

namespace rooftop::h5io::internal {

/// Returns the function of a filter from the library's plugin folders; null if there is none, or if it is not known to
/// be thread-safe. The caller holds the library's lock.
H5Z_func_t plugin_function(int filter);

/// Whether the library can apply the filter, built in or from a plugin. The caller holds the library's lock.
bool is_available(int filter);

/// Returns what to do if the library cannot, for messages.
std::string remedy_for(int filter);

}  // namespace rooftop::h5io::internal
