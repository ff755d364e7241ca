/// Creates datasets with the HDF5 library.
#pragma once

#include <string>

#include "library.hpp"
#include "rooftop/h5io.hpp"

namespace rooftop::h5io::internal {

/// Creates a dataset. Returns an invalid id if the library fails; Locked::reason() has the reason. Throws
/// InvalidArgument for an invalid `creation`. The caller holds the library's lock.
DatasetId create_dataset(hid_t file, const std::string& name, const Creation& creation);

}  // namespace rooftop::h5io::internal
