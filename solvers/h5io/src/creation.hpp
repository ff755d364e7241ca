/// A new dataset, made by the HDF5 library.
#pragma once

#include <string>

#include "library.hpp"
#include "rooftop/h5io.hpp"

namespace rooftop::h5io::internal {

/// Not valid where the library cannot make it, and then says why. Throws InvalidArgument for what cannot be. Called
/// under the library's lock.
DatasetId create_dataset(hid_t file, const std::string& name, const Creation& creation);

}  // namespace rooftop::h5io::internal
