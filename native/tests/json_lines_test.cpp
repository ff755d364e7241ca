// threads: none
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <limits>
#include <nlohmann/json.hpp>
#include <rooftop/json_lines.hpp>
#include <stdexcept>
#include <string>
#include <system_error>

namespace {

std::string written(const nlohmann::json& document) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) return "no pipe";
  rooftop::write_json_line(ends[1], document);
  close(ends[1]);
  std::array<char, 4096> buffer{};
  const ssize_t bytes = read(ends[0], buffer.data(), buffer.size());
  close(ends[0]);
  return {buffer.data(), static_cast<std::size_t>(bytes)};
}

TEST(JsonLines, OneLineEach) { EXPECT_EQ(written({{"text", "two\nlines"}}), "{\"text\":\"two\\nlines\"}\n"); }

TEST(JsonLines, NumbersThatJsonLacksAreNull) {
  EXPECT_EQ(written({{"a", std::numeric_limits<double>::quiet_NaN()}, {"b", std::numeric_limits<double>::infinity()}}),
            "{\"a\":null,\"b\":null}\n");
}

TEST(JsonLines, BytesThatAreNotTextAreReplaced) {
  EXPECT_EQ(nlohmann::json::parse(written({{"text", "\xff"}}))["text"], "\xEF\xBF\xBD");
}

/// `levels` lists within each other.
std::string nested(std::size_t levels) { return std::string(levels, '[') + std::string(levels, ']'); }

TEST(JsonLines, WhatIsTooDeepForTheStackIsRefused) {
  EXPECT_EQ(rooftop::parse_json_line(nested(64)).dump(), nested(64));
  EXPECT_THROW((void)rooftop::parse_json_line(nested(65)), std::invalid_argument);
  EXPECT_THROW((void)rooftop::parse_json_line(nested(1'000'000)), std::invalid_argument);
  EXPECT_THROW((void)rooftop::parse_json_line("{\"size\":"), nlohmann::json::parse_error);
}

TEST(JsonLines, ClosedDescriptorThrows) { EXPECT_THROW(rooftop::write_json_line(-1, 1), std::system_error); }

}  // namespace
