// threads: none, but those of a driver's rung, as in every check of one
#include <gtest/gtest.h>

#include "driver_process.hpp"

namespace {

TEST(DriverDescribe, NamesTheModule) {
  DriverProcess driver({"describe", "--module", fake_module("good")});
  const auto line = nlohmann::json::parse(driver.receive().value());
  EXPECT_EQ(line["protocol"], 1);
  EXPECT_EQ(line["experiment"], "fake");
  EXPECT_EQ(line["module"], "good");
  EXPECT_EQ(line["isa"], nullptr);
  EXPECT_EQ(line["supported"], true);
  EXPECT_EQ(line["reason"], nullptr);
  EXPECT_FALSE(driver.receive().has_value());
  EXPECT_EQ(driver.finish(), 0);
}

#if defined(__x86_64__)
TEST(DriverDescribe, SaysWhatTheProcessorLacks) {
  DriverProcess driver({"describe", "--module", fake_module("good.avx512")});
  const auto line = nlohmann::json::parse(driver.receive().value());
  EXPECT_EQ(line["module"], "good");
  EXPECT_EQ(line["isa"], "avx512");
  const bool supported = line["supported"];
  EXPECT_EQ(supported, line["reason"].is_null());
  if (!supported) {
    EXPECT_TRUE(line["reason"].get<std::string>().starts_with("processor lacks "));
  }
}
#endif

TEST(DriverDescribe, LoadsNothing) {
  DriverProcess driver({"describe", "--module", fake_module("printing")});
  EXPECT_TRUE(driver.receive().has_value());
  EXPECT_FALSE(driver.receive().has_value());
  EXPECT_EQ(driver.finish(), 0);
  EXPECT_EQ(driver.errors(), "");
}

class DriverMisuse : public testing::TestWithParam<std::vector<std::string>> {};

TEST_P(DriverMisuse, IsOneLineAndExitCode2) {
  DriverProcess driver(GetParam());
  EXPECT_FALSE(driver.receive().has_value());
  EXPECT_EQ(driver.finish(), 2);
  const std::string& errors = driver.errors();
  EXPECT_TRUE(errors.starts_with("driver: ")) << errors;
  EXPECT_EQ(errors.find('\n'), errors.size() - 1) << errors;
}

INSTANTIATE_TEST_SUITE_P(Each, DriverMisuse,
                         testing::Values(std::vector<std::string>{}, std::vector<std::string>{"describe"},
                                         std::vector<std::string>{"describe", "--module"},
                                         std::vector<std::string>{"describe", "--module", "/nowhere/at_all.so"},
                                         std::vector<std::string>{"describe", "--module", "/etc/passwd"},
                                         std::vector<std::string>{"describe", "--module", "/"},
                                         std::vector<std::string>{"ponder", "--module", "/nowhere/at_all.so"},
                                         std::vector<std::string>{"run", "--modul", "x.so"},
                                         std::vector<std::string>{"check", "--module", "/nowhere/at_all.so"},
                                         std::vector<std::string>{"check", "--module", "a.so", "--cases", "b",
                                                                  "--threads", "two"}));

}  // namespace
