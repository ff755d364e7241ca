// threads: none
#include "program.hpp"

#include <gtest/gtest.h>

#include <rooftop/require.hpp>
#include <sstream>

namespace rooftop::simulate {
namespace {

constexpr const char* head = "{\"format\":\"rooftop/recording/1\",\"ranks\":2}\n";

std::string refusal(const std::string& text) {
  std::istringstream lines(text);
  try {
    read_recording(lines);
  } catch (const RequirementFailed& failed) {
    return failed.what();
  }
  return "";
}

TEST(Program, IsReadByRank) {
  std::istringstream lines(
      std::string(head) +
      R"({"ranks":[1,0],"body":[{"op":"loop","times":3,"body":[{"op":"send","to":1,"bytes":8}]}]})");
  const Recording found = read_recording(lines);
  EXPECT_EQ(found.program_of, (std::vector<int>{0, 0}));
  EXPECT_EQ(found.programs.at(0).at(0).times, 3);
  EXPECT_EQ(found.programs.at(0).at(0).body.at(0).partner, 1);
}

TEST(Program, WhatIsWrongIsNamedWithItsLine) {
  EXPECT_EQ(refusal(""), "the recording is empty");
  EXPECT_EQ(refusal("{\"format\":\"trace\"}"), "line 1: the format is 'trace', expected rooftop/recording/1");
  EXPECT_EQ(refusal(std::string(head) + R"({"ranks":[0],"body":[]})"), "rank 1 has no program");
  EXPECT_EQ(refusal(std::string(head) + R"({"ranks":[0,0],"body":[]})"), "line 2: rank 0 has two programs");
  EXPECT_EQ(refusal(std::string(head) + R"({"ranks":[0],"body":[{"op":"send","to":2}]})"),
            "line 2: send has rank 2, and there are 2");
  EXPECT_EQ(refusal(std::string(head) + R"({"ranks":[0],"body":[{"op":"work","seconds":-1}]})"),
            "line 2: 'seconds' is -1, expected 0 to 1e+12");
  EXPECT_EQ(refusal(std::string(head) + R"({"ranks":[0],"body":[{"op":"sum"}]})"), "line 2: 'sum' is not simulated");
  EXPECT_EQ(refusal(std::string(head) + R"({"ranks":[0],"body":[{"op":"bcast","group":"row"}]})"),
            "line 2: bcast names the group 'row', which the first line does not have");
  EXPECT_NE(refusal(std::string(head) + "{"), "");
}

TEST(Program, BracketsInBracketsAreRefused) {
  const std::string deep = std::string(200'000, '[') + std::string(200'000, ']');
  const auto with = [&](const std::string& field) {
    return refusal(head + (R"({"ranks":[0,1],"body":[{"op":"send",)" + field) + deep + "}]}");
  };
  EXPECT_EQ(with(R"("to":)"), "line 2: a list or object is no whole number");
  EXPECT_EQ(with(R"("to":1,"bytes":)"), "line 2: 'bytes' is a list or object, expected a number");
}

}  // namespace
}  // namespace rooftop::simulate
