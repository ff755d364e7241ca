/// The structures of the C interface from and to those of C++.
#pragma once

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "rooftop/h5io.h"
#include "rooftop/h5io.hpp"
#include "status.hpp"

namespace rooftop::h5io::c_structures {

inline void require_pointer(const void* pointer, const char* name) {
  c_interface::require_pointer<InvalidArgument>(pointer, name);
}

/// Copies what fits, and a null behind it.
inline void copy_text(const std::string& text, char* to, std::size_t room) {
  if (room == 0) return;
  const std::size_t length = std::min(text.size(), room - 1);
  std::memcpy(to, text.data(), length);
  to[length] = '\0';
}

inline void require_dimensions(int32_t dimensions) {
  if (dimensions >= 0 && dimensions <= ROOFTOP_H5IO_DIMENSIONS) return;
  throw InvalidArgument("dimensions is " + std::to_string(dimensions) + "; expected 0 to " +
                        std::to_string(ROOFTOP_H5IO_DIMENSIONS));
}

inline std::vector<Span> selection_of(int32_t dimensions, const rooftop_h5io_span* spans) {
  require_dimensions(dimensions);
  if (dimensions > 0) require_pointer(spans, "spans");
  std::vector<Span> selection;
  selection.reserve(static_cast<std::size_t>(dimensions));
  for (int32_t d = 0; d < dimensions; ++d) {
    selection.push_back({spans[d].start, spans[d].count, spans[d].stride, spans[d].block});
  }
  return selection;
}

inline Options options_of(const rooftop_h5io_options* options) {
  if (options == nullptr) return {};
  return {options->threads, options->library != 0, options->gap_bytes, options->stop};
}

inline void tell(const Report& done, rooftop_h5io_report* report) {
  if (report == nullptr) return;
  *report = {static_cast<int32_t>(done.way), done.selected_bytes, done.read_bytes, done.reads};
}

inline void describe(const Description& found, rooftop_h5io_description& description) {
  description = {};
  description.dimensions = static_cast<int32_t>(found.shape.size());
  description.layout = static_cast<int32_t>(found.layout);
  description.filters = static_cast<int32_t>(found.filters.size());
  std::copy(found.shape.begin(), found.shape.end(), description.shape);
  std::copy(found.chunk.begin(), found.chunk.end(), description.chunk);
  description.element_bytes = found.element_bytes;
  description.stored_bytes = found.stored_bytes;
  copy_text(found.type, description.type, sizeof description.type);
}

inline Creation creation_of(const rooftop_h5io_creation& given) {
  require_dimensions(given.dimensions);
  require_pointer(given.type, "creation.type");
  if (given.dimensions > 0) require_pointer(given.shape, "creation.shape");
  if (given.filter_count > 0) require_pointer(given.filters, "creation.filters");
  Creation creation;
  creation.type = given.type;
  creation.shape.assign(given.shape, given.shape + given.dimensions);
  if (given.chunk != nullptr) creation.chunk.assign(given.chunk, given.chunk + given.dimensions);
  for (int32_t i = 0; i < given.filter_count; ++i) {
    const rooftop_h5io_filter_step& step = given.filters[i];
    Filter filter;
    filter.id = step.id;
    if (step.parameter_count > 0) {
      require_pointer(step.parameters, "creation.filters.parameters");
      filter.parameters.assign(step.parameters, step.parameters + step.parameter_count);
    }
    creation.filters.push_back(filter);
  }
  return creation;
}

}  // namespace rooftop::h5io::c_structures
