// threads: none
#include "padding.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

namespace rooftop::h5io::internal {
namespace {

std::string with_zeros(H5T_str_t padding, std::size_t bytes, std::string strings) {
  end_with_zeros(padding, bytes, reinterpret_cast<std::byte*>(strings.data()), strings.size());
  return strings;
}

std::string with_spaces(std::size_t bytes, const std::string& strings) {
  const auto ended = ended_with_spaces(bytes, reinterpret_cast<const std::byte*>(strings.data()), strings.size());
  return {reinterpret_cast<const char*>(ended.data()), ended.size()};
}

TEST(Padding, EndsWithZeros) {
  const std::string zeros(3, '\0');
  EXPECT_EQ(with_zeros(H5T_STR_SPACEPAD, 3, "a   a abc   "),
            "a" + zeros.substr(1) + " a" + zeros.substr(2) + "abc" + zeros);
  EXPECT_EQ(with_zeros(H5T_STR_NULLTERM, 3, std::string("a\0xabc\0yz", 9)), "a" + zeros.substr(1) + "abc" + zeros);
  EXPECT_EQ(with_zeros(H5T_STR_NULLTERM, 1, "abc"), "abc");
  EXPECT_EQ(with_zeros(H5T_STR_SPACEPAD, 3, ""), "");
}

TEST(Padding, EndsWithSpaces) {
  EXPECT_EQ(with_spaces(3, std::string("a\0\0abc\0\0\0a\0b", 12)), std::string("a  abc   a\0b", 12));
  EXPECT_EQ(with_spaces(3, ""), "");
}

}  // namespace
}  // namespace rooftop::h5io::internal
