/// What an element is in memory: numbers, compounds and arrays of them, and what has a length of its own.
#pragma once

#include <hdf5.h>

#include <string>

#include "library.hpp"

namespace rooftop::h5io::internal {

struct Element {
  std::string type;        ///< as in Description; "" where it is not supported
  std::string structure;   ///< as in Description
  TypeId memory;           ///< what the library reads it as
  bool converted = false;  ///< the library changes its bytes
  bool variable = false;   ///< pointers to memory of the library's are in it
};

/// Called under the library's lock.
Element element_of(hid_t type);

}  // namespace rooftop::h5io::internal
