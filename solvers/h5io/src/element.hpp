/// Memory layout of a dataset's elements: numbers, strings, compounds, arrays, and values of variable length.
#pragma once

#include <hdf5.h>

#include <string>

#include "library.hpp"

namespace rooftop::h5io::internal {

struct Element {
  std::string type;        ///< as in Description; "" if it is not supported
  std::string structure;   ///< as in Description
  TypeId memory;           ///< the library's type for reading it into memory
  bool converted = false;  ///< the library converts the stored bytes
  bool variable = false;   ///< contains pointers to memory allocated by the library
};

/// Of a string of variable length by itself.
inline constexpr const char* structure_of_text = R"({"text":true})";

/// Returns the memory layout of a type in a file. The caller holds the library's lock.
Element element_of(hid_t type);

}  // namespace rooftop::h5io::internal
