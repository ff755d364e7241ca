#include "element.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "element_type.hpp"

namespace rooftop::h5io::internal {
namespace {

/// Nesting deeper than this is taken as a sign of a damaged file.
constexpr int most_depth = 64;

std::string quoted(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      quoted.append({'\\', c});
    } else if (static_cast<unsigned char>(c) < 0x20) {
      std::array<char, 8> escape{};
      std::snprintf(escape.data(), escape.size(), "\\u%04x", static_cast<unsigned>(c));
      quoted += escape.data();
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

Element element_at(hid_t type, int depth);

/// Returns an enumeration with the names of `type` and values of the type `number`; invalid if a value does not
/// convert.
TypeId enumeration_of(hid_t type, const TypeId& number) {
  const TypeId base(H5Tget_super(type));
  TypeId made(H5Tenum_create(number.get()));
  std::vector<unsigned char> value(std::max(H5Tget_size(type), H5Tget_size(number.get())));
  for (int i = 0; made.valid() && i < H5Tget_nmembers(type); ++i) {
    char* const name = H5Tget_member_name(type, static_cast<unsigned>(i));
    const bool added = name != nullptr && H5Tget_member_value(type, static_cast<unsigned>(i), value.data()) >= 0 &&
                       H5Tconvert(base.get(), number.get(), 1, value.data(), nullptr, H5P_DEFAULT) >= 0 &&
                       H5Tenum_insert(made.get(), name, value.data()) >= 0;
    H5free_memory(name);
    if (!added) return {};
  }
  return made;
}

/// Returns an element that has a NumPy type of its own. If its form in the file is unusual, the library converts it to
/// the nearest NumPy type.
Element plain(hid_t type) {
  Element found;
  found.type = numpy_type(type);
  if (!found.type.empty()) {
    found.memory = TypeId(H5Tcopy(type));
  } else {
    found.type = nearest_type(type);
    if (found.type.empty()) return {};
    found.converted = true;
    if (H5Tget_class(type) == H5T_BITFIELD) {
      const bool little = found.type[0] != '>';
      const std::array<hid_t, 4> bits{H5T_STD_B8LE, little ? H5T_STD_B16LE : H5T_STD_B16BE,
                                      little ? H5T_STD_B32LE : H5T_STD_B32BE, little ? H5T_STD_B64LE : H5T_STD_B64BE};
      for (const hid_t one : bits) {
        if (std::to_string(H5Tget_size(one)) == found.type.substr(2)) found.memory = TypeId(H5Tcopy(one));
      }
    } else {
      found.memory = hdf5_type(found.type);
      if (H5Tget_class(type) == H5T_ENUM) found.memory = enumeration_of(type, found.memory);
      if (!found.memory.valid()) return {};
    }
  }
  found.structure = quoted(found.type);
  return found;
}

/// Returns a string. Padding of a dataset's strings is replaced when they are read; padding of strings within compounds
/// and arrays is not, and is described in the structure.
Element text(hid_t type, int depth) {
  if (H5Tis_variable_str(type) > 0) {
    Element found;
    found.structure = structure_of_text;
    found.memory = TypeId(H5Tcopy(type));
    found.variable = true;
    return found;
  }
  Element found = plain(type);
  const H5T_str_t padding = H5Tget_strpad(type);
  if (depth == 0 || padding == H5T_STR_NULLPAD || found.type.empty()) return found;
  const char* const behind = padding == H5T_STR_SPACEPAD ? "space" : "null";
  found.structure = R"({"string":)" + quoted(found.type) + R"(,"ends":")" + behind + "\"}";
  return found;
}

Element compound(hid_t type, int depth) {
  Element found;
  const int members = H5Tget_nmembers(type);
  std::vector<Element> parts;
  std::vector<std::string> names;
  for (int i = 0; i < members; ++i) {
    const TypeId member(H5Tget_member_type(type, static_cast<unsigned>(i)));
    char* const name = H5Tget_member_name(type, static_cast<unsigned>(i));
    names.emplace_back(name == nullptr ? "" : name);
    H5free_memory(name);
    parts.push_back(element_at(member.get(), depth + 1));
    if (parts.back().type.empty()) return {};
    found.converted = found.converted || parts.back().converted;
    found.variable = found.variable || parts.back().variable;
  }
  std::size_t bytes = H5Tget_size(type);
  std::vector<std::size_t> offsets;
  if (found.converted) {
    bytes = 0;
    for (const Element& part : parts) {
      offsets.push_back(bytes);
      bytes += H5Tget_size(part.memory.get());
    }
    found.memory = TypeId(H5Tcreate(H5T_COMPOUND, bytes));
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (H5Tinsert(found.memory.get(), names[i].c_str(), offsets[i], parts[i].memory.get()) < 0) return {};
    }
  } else {
    for (int i = 0; i < members; ++i) offsets.push_back(H5Tget_member_offset(type, static_cast<unsigned>(i)));
    found.memory = TypeId(H5Tcopy(type));
  }
  std::string all_names, formats, all_offsets;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string comma = i == 0 ? "" : ",";
    all_names += comma + quoted(names[i]);
    formats += comma + parts[i].structure;
    all_offsets += comma + std::to_string(offsets[i]);
  }
  found.structure = R"({"names":[)" + all_names + R"(],"formats":[)" + formats + R"(],"offsets":[)" + all_offsets +
                    R"(],"itemsize":)" + std::to_string(bytes) + "}";
  return found;
}

Element array(hid_t type, int depth) {
  const TypeId base(H5Tget_super(type));
  Element found = element_at(base.get(), depth + 1);
  std::array<hsize_t, H5S_MAX_RANK> extents{};
  const int dimensions = H5Tget_array_ndims(type);
  if (found.type.empty() || dimensions < 1 || dimensions > H5S_MAX_RANK ||
      H5Tget_array_dims2(type, extents.data()) < 0) {
    return {};
  }
  std::string shape;
  for (int d = 0; d < dimensions; ++d) {
    if (d > 0) shape += ',';
    shape += std::to_string(extents.at(std::size_t(d)));
  }
  found.structure = R"({"base":)" + found.structure + R"(,"shape":[)" + shape + "]}";
  found.memory =
      TypeId(found.converted ? H5Tarray_create2(found.memory.get(), static_cast<unsigned>(dimensions), extents.data())
                             : H5Tcopy(type));
  return found;
}

Element sequence(hid_t type, int depth) {
  const TypeId base(H5Tget_super(type));
  Element found = element_at(base.get(), depth + 1);
  if (found.type.empty()) return {};
  found.structure = R"({"sequence":)" + found.structure + "}";
  found.memory = TypeId(found.converted ? H5Tvlen_create(found.memory.get()) : H5Tcopy(type));
  found.variable = true;
  return found;
}

/// Gives an element that is no plain NumPy type a type of its size: `|O` if it has pointers, otherwise `|V`.
Element unnamed(Element found) {
  const std::size_t bytes = found.memory.valid() ? H5Tget_size(found.memory.get()) : 0;
  if (bytes == 0) return {};
  found.type = (found.variable ? "|O" : "|V") + std::to_string(bytes);
  return found;
}

Element element_at(hid_t type, int depth) {
  if (depth > most_depth) return {};
  switch (H5Tget_class(type)) {
    case H5T_STRING: {
      Element found = text(type, depth);
      if (!found.variable) return found;
      return unnamed(std::move(found));
    }
    case H5T_COMPOUND: {
      Element found = plain(type);
      if (!found.type.empty()) return found;
      return unnamed(compound(type, depth));
    }
    case H5T_ARRAY:
      return unnamed(array(type, depth));
    case H5T_VLEN:
      return unnamed(sequence(type, depth));
    default:
      return plain(type);
  }
}

}  // namespace

Element element_of(hid_t type) { return element_at(type, 0); }

}  // namespace rooftop::h5io::internal
