#include "element_type.hpp"

#include <array>
#include <charconv>
#include <cstring>
#include <string>

#include "rooftop/h5io.hpp"

namespace rooftop::h5io::internal {
namespace {

struct FloatForm {
  std::size_t bytes, sign_at, exponent_at, exponent_bits, mantissa_bits, bias;
};
/// IEEE 754: half, single and double precision.
constexpr std::array ieee{FloatForm{2, 15, 10, 5, 10, 15}, FloatForm{4, 31, 23, 8, 23, 127},
                          FloatForm{8, 63, 52, 11, 52, 1023}};

std::string with_order(hid_t type, char kind) {
  const std::size_t bytes = H5Tget_size(type);
  const H5T_order_t order = H5Tget_order(type);
  const char mark = bytes == 1 ? '|' : (order == H5T_ORDER_LE ? '<' : '>');
  if (bytes > 1 && order != H5T_ORDER_LE && order != H5T_ORDER_BE) return "";
  return std::string{mark, kind} + std::to_string(bytes);
}

std::string integer(hid_t type) {
  const std::size_t bytes = H5Tget_size(type);
  const bool whole = (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8) && H5Tget_precision(type) == 8 * bytes;
  if (!whole) return "";
  return with_order(type, H5Tget_class(type) == H5T_INTEGER && H5Tget_sign(type) == H5T_SGN_2 ? 'i' : 'u');
}

std::string floating(hid_t type) {
  std::size_t sign_at = 0, exponent_at = 0, exponent_bits = 0, mantissa_at = 0, mantissa_bits = 0;
  if (H5Tget_fields(type, &sign_at, &exponent_at, &exponent_bits, &mantissa_at, &mantissa_bits) < 0) return "";
  for (const FloatForm& form : ieee) {
    if (H5Tget_size(type) == form.bytes && H5Tget_offset(type) == 0 && sign_at == form.sign_at &&
        exponent_at == form.exponent_at && exponent_bits == form.exponent_bits && mantissa_at == 0 &&
        mantissa_bits == form.mantissa_bits && H5Tget_ebias(type) == form.bias) {
      return with_order(type, 'f');
    }
  }
  return "";
}

bool member_is(hid_t type, unsigned member, const char* name) {
  char* const found = H5Tget_member_name(type, member);
  const bool same = found != nullptr && std::strcmp(found, name) == 0;
  H5free_memory(found);
  return same;
}

std::string enumeration(hid_t type) {
  const TypeId base(H5Tget_super(type));
  if (H5Tget_size(type) == 1 && H5Tget_nmembers(type) == 2) {
    signed char first = -1, second = -1;
    if (H5Tget_member_value(type, 0, &first) >= 0 && H5Tget_member_value(type, 1, &second) >= 0 && first == 0 &&
        second == 1 && member_is(type, 0, "FALSE") && member_is(type, 1, "TRUE")) {
      return "|b1";
    }
  }
  return integer(base.get());
}

/// Returns the NumPy type of a complex number: a compound of two floats `r` and `i`, as h5py writes it.
std::string complex_number(hid_t type) {
  if (H5Tget_nmembers(type) != 2 || !member_is(type, 0, "r") || !member_is(type, 1, "i")) return "";
  const TypeId real(H5Tget_member_type(type, 0)), imaginary(H5Tget_member_type(type, 1));
  const std::size_t bytes = H5Tget_size(real.get());
  if (H5Tequal(real.get(), imaginary.get()) <= 0 || bytes < 4 || H5Tget_size(type) != 2 * bytes ||
      H5Tget_member_offset(type, 0) != 0 || H5Tget_member_offset(type, 1) != bytes) {
    return "";
  }
  const std::string part = H5Tget_class(real.get()) == H5T_FLOAT ? floating(real.get()) : "";
  return part.empty() ? "" : part.substr(0, 1) + "c" + std::to_string(2 * bytes);
}

}  // namespace

std::string numpy_type(hid_t type) {
  switch (H5Tget_class(type)) {
    case H5T_INTEGER:
    case H5T_BITFIELD:
      return integer(type);
    case H5T_FLOAT:
      return H5Tequal(type, H5T_NATIVE_LDOUBLE) > 0 ? with_order(type, 'f') : floating(type);
    case H5T_STRING:
      return H5Tis_variable_str(type) > 0 ? "" : "|S" + std::to_string(H5Tget_size(type));
    case H5T_OPAQUE:
    case H5T_REFERENCE:
      return "|V" + std::to_string(H5Tget_size(type));
    case H5T_ENUM:
      return enumeration(type);
    case H5T_COMPOUND:
      return complex_number(type);
    default:
      return "";
  }
}

std::string nearest_type(hid_t type) {
  const H5T_class_t kind = H5Tget_class(type);
  if (kind == H5T_ENUM) return nearest_type(TypeId(H5Tget_super(type)).get());
  const char mark = H5Tget_order(type) == H5T_ORDER_BE ? '>' : '<';
  const std::size_t bytes = H5Tget_size(type);
  if (kind == H5T_INTEGER || kind == H5T_BITFIELD) {
    for (const std::size_t room : {1, 2, 4, 8}) {
      if (room < bytes) continue;
      const char sign = kind == H5T_INTEGER && H5Tget_sign(type) == H5T_SGN_2 ? 'i' : 'u';
      return std::string{room == 1 ? '|' : mark, sign} + std::to_string(room);
    }
    return "";
  }
  if (kind != H5T_FLOAT) return "";
  std::size_t sign_at = 0, exponent_at = 0, exponent_bits = 0, mantissa_at = 0, mantissa_bits = 0;
  if (H5Tget_fields(type, &sign_at, &exponent_at, &exponent_bits, &mantissa_at, &mantissa_bits) < 0) return "";
  for (const FloatForm& form : ieee) {
    if (exponent_bits <= form.exponent_bits && mantissa_bits <= form.mantissa_bits) {
      return std::string{mark, 'f'} + std::to_string(form.bytes);
    }
  }
  return "<f" + std::to_string(H5Tget_size(H5T_NATIVE_LDOUBLE));
}

std::string class_name(hid_t type) {
  switch (H5Tget_class(type)) {
    case H5T_INTEGER:
      return "integer of an unusual form";
    case H5T_FLOAT:
      return "float that is not IEEE 754";
    case H5T_STRING:
      return "string of variable length";
    case H5T_COMPOUND:
      return "compound";
    case H5T_REFERENCE:
      return "reference";
    case H5T_VLEN:
      return "sequence of variable length";
    case H5T_ARRAY:
      return "array";
    default:
      return "type of class " + std::to_string(static_cast<int>(H5Tget_class(type)));
  }
}

namespace {

/// Returns the library's type of a number in little-endian or big-endian order; invalid if it has none.
TypeId number_type(char kind, std::size_t bytes, bool little) {
  if (kind == 'f' && bytes == 2) {
    // Half precision, with the fields listed in `ieee`.
    TypeId half(H5Tcopy(little ? H5T_IEEE_F32LE : H5T_IEEE_F32BE));
    H5Tset_fields(half.get(), 15, 10, 5, 0, 10);
    H5Tset_size(half.get(), 2);
    H5Tset_ebias(half.get(), 15);
    return half;
  }
  const std::array<hid_t, 4> signed_types{little ? H5T_STD_I8LE : H5T_STD_I8BE, little ? H5T_STD_I16LE : H5T_STD_I16BE,
                                          little ? H5T_STD_I32LE : H5T_STD_I32BE,
                                          little ? H5T_STD_I64LE : H5T_STD_I64BE};
  const std::array<hid_t, 4> unsigned_types{
      little ? H5T_STD_U8LE : H5T_STD_U8BE, little ? H5T_STD_U16LE : H5T_STD_U16BE,
      little ? H5T_STD_U32LE : H5T_STD_U32BE, little ? H5T_STD_U64LE : H5T_STD_U64BE};
  for (std::size_t power = 0; power < signed_types.size(); ++power) {
    if (bytes != std::size_t{1} << power) continue;
    if (kind == 'i') return TypeId(H5Tcopy(signed_types[power]));
    if (kind == 'u') return TypeId(H5Tcopy(unsigned_types[power]));
    if (kind == 'f' && bytes == 4) return TypeId(H5Tcopy(little ? H5T_IEEE_F32LE : H5T_IEEE_F32BE));
    if (kind == 'f' && bytes == 8) return TypeId(H5Tcopy(little ? H5T_IEEE_F64LE : H5T_IEEE_F64BE));
  }
  if (kind == 'f' && little && bytes == H5Tget_size(H5T_NATIVE_LDOUBLE)) return TypeId(H5Tcopy(H5T_NATIVE_LDOUBLE));
  return {};
}

TypeId truth_type() {
  TypeId type(H5Tenum_create(H5T_STD_I8LE));
  const signed char no = 0, yes = 1;
  H5Tenum_insert(type.get(), "FALSE", &no);
  H5Tenum_insert(type.get(), "TRUE", &yes);
  return type;
}

TypeId complex_type(std::size_t bytes, bool little) {
  const TypeId part = number_type('f', bytes / 2, little);
  if (bytes < 8 || !part.valid()) return {};
  TypeId type(H5Tcreate(H5T_COMPOUND, bytes));
  H5Tinsert(type.get(), "r", 0, part.get());
  H5Tinsert(type.get(), "i", bytes / 2, part.get());
  return type;
}

TypeId of_length(hid_t like, H5T_class_t kind, std::size_t bytes) {
  if (bytes == 0) return {};
  if (kind == H5T_OPAQUE) return TypeId(H5Tcreate(H5T_OPAQUE, bytes));
  TypeId type(H5Tcopy(like));
  H5Tset_size(type.get(), bytes);
  H5Tset_strpad(type.get(), H5T_STR_NULLPAD);
  return type;
}

}  // namespace

TypeId hdf5_type(const std::string& type) {
  TypeId found;
  std::size_t bytes = 0;
  const bool formed =
      type.size() >= 3 && std::strchr("<>|", type[0]) != nullptr &&
      std::from_chars(type.data() + 2, type.data() + type.size(), bytes).ptr == type.data() + type.size();
  if (formed) {
    const bool little = type[0] != '>';
    switch (type[1]) {
      case 'b':
        if (bytes == 1) found = truth_type();
        break;
      case 'c':
        found = complex_type(bytes, little);
        break;
      case 'S':
        found = of_length(H5T_C_S1, H5T_STRING, bytes);
        break;
      case 'V':
        found = of_length(H5I_INVALID_HID, H5T_OPAQUE, bytes);
        break;
      default:
        found = number_type(type[1], bytes, little);
    }
  }
  if (!found.valid()) {
    throw InvalidArgument("the type is \"" + type +
                          "\"; expected one of NumPy's array interface, such as \"<f8\", \">i2\" or \"|S10\"");
  }
  return found;
}

}  // namespace rooftop::h5io::internal
