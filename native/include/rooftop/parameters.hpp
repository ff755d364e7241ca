/// Typed parameters: a struct and the list of its members, by which the driver fills it. No JSON is read here.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <variant>

namespace rooftop {

/// What a parameter can be, and its type as an index of that.
using ParameterValue = std::variant<std::int64_t, double, std::string>;
enum class ParameterType : std::uint8_t { whole, number, text };

/// One member of a parameter struct: its name in a case, its type, and the numbers that make sense.
struct Field {
  const char* name;
  ParameterType type;
  double lowest;
  double highest;
  ParameterValue (*read)(const void* parameters);
  void (*write)(void* parameters, const ParameterValue& value);
};

namespace detail {

template <auto member>
struct Access;
template <typename Struct, typename Member, Member Struct::*member>
struct Access<member> {
  static constexpr bool whole = std::is_same_v<Member, std::int64_t>;
  static constexpr bool number = std::is_same_v<Member, double>;
  static_assert(whole || number || std::is_same_v<Member, std::string>,
                "a parameter is a std::int64_t, a double or a std::string");
  static constexpr ParameterType type = whole    ? ParameterType::whole
                                        : number ? ParameterType::number
                                                 : ParameterType::text;
  static ParameterValue read(const void* parameters) { return static_cast<const Struct*>(parameters)->*member; }
  static void write(void* parameters, const ParameterValue& value) {
    static_cast<Struct*>(parameters)->*member = std::get<Member>(value);
  }
};

}  // namespace detail

/// Describes a number, a std::int64_t or a double: `field<&Parameters::length>("length", 1, 1e6)`.
template <auto member>
constexpr Field field(const char* name, double lowest, double highest) {
  using Access = detail::Access<member>;
  static_assert(Access::type != ParameterType::text, "a text has no range");
  return {name, Access::type, lowest, highest, Access::read, Access::write};
}

/// Describes a std::string.
template <auto member>
constexpr Field field(const char* name) {
  using Access = detail::Access<member>;
  static_assert(Access::type == ParameterType::text, "a number has a range: its lowest and its highest value");
  return {name, Access::type, 0, 0, Access::read, Access::write};
}

}  // namespace rooftop
