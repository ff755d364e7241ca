#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <limits>
#include <nlohmann/json.hpp>
#include <rooftop/json_lines.hpp>
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

TEST(JsonLines, ClosedDescriptorThrows) { EXPECT_THROW(rooftop::write_json_line(-1, 1), std::system_error); }

}  // namespace
