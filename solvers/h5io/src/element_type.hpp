/// HDF5's types in NumPy's words.
#pragma once

#include <hdf5.h>

#include <string>

#include "library.hpp"

namespace rooftop::h5io::internal {

/// The type as NumPy's array interface has it, or "" where there is no such type. Called under the library's lock.
std::string numpy_type(hid_t type);

/// A type of NumPy's that holds the values of a number of an unusual form, or "" where there is none: the library
/// converts them. Called under its lock.
std::string nearest_type(hid_t type);

/// What HDF5 calls the type's class, such as "compound".
std::string class_name(hid_t type);

/// The type of a file that `numpy_type` calls so. Throws InvalidArgument where there is none. Called under the
/// library's lock.
TypeId hdf5_type(const std::string& type);

}  // namespace rooftop::h5io::internal
