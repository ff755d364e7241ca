/// Converts between HDF5 types and the type strings of NumPy's array interface.
#pragma once

#include <hdf5.h>

#include <string>

#include "library.hpp"

namespace rooftop::h5io::internal {

/// Returns the type string of NumPy's array interface, or "" if there is none. The caller holds the library's lock.
std::string numpy_type(hid_t type);

/// Returns a NumPy type to which the library can convert numbers of an unusual form, or "" if there is none. The caller
/// holds the library's lock.
std::string nearest_type(hid_t type);

/// Returns the name of the type's class for messages, such as "compound".
std::string class_name(hid_t type);

/// Returns the HDF5 type for a NumPy type string, the inverse of numpy_type(). Throws InvalidArgument if there is none.
/// The caller holds the library's lock.
TypeId hdf5_type(const std::string& type);

}  // namespace rooftop::h5io::internal
