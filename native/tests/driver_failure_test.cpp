// threads: none, but those of a driver's rung, as in every check of one
#include <gtest/gtest.h>

#include <csignal>

#include "driver_process.hpp"

namespace {

TEST(DriverFailure, ThrowingRungFailsAtItsStage) {
  auto driver = DriverProcess::run("throwing");
  const auto reply = driver.ask_case();
  EXPECT_EQ(reply["event"], "case");
  EXPECT_EQ(reply["outcome"], "failed");
  EXPECT_EQ(reply["stage"], "run");
  EXPECT_EQ(reply["reason"], "the fan stopped");
  EXPECT_EQ(driver.ask({{"op", "sample"}, {"iterations", 1}})["event"], "error");
  EXPECT_EQ(driver.finish(), 0);
}

TEST(DriverFailure, ThrownIntegerFailsToo) {
  auto driver = DriverProcess::run("throwing_int");
  EXPECT_EQ(driver.ask_case()["outcome"], "failed");
}

TEST(DriverFailure, CrashEndsTheProcessWithoutAReply) {
  auto driver = DriverProcess::run("crashing");
  driver.send(R"({"op":"case","case":{"size":3},"seed":1,"threads":1})");
  EXPECT_FALSE(driver.receive().has_value());
  EXPECT_EQ(driver.finish(), -SIGKILL);
}

TEST(DriverFailure, PrintingRungDoesNotCorruptTheProtocol) {
  auto driver = DriverProcess::run("printing");
  EXPECT_EQ(driver.ask_case()["outcome"], "ok");
  const auto reply = driver.ask({{"op", "sample"}, {"iterations", 3}});
  EXPECT_EQ(reply["event"], "sample");
  EXPECT_EQ(driver.ask_case()["event"], "case");
  EXPECT_EQ(driver.finish(), 0);
  EXPECT_NE(driver.errors().find("loaded"), std::string::npos);
  EXPECT_NE(driver.errors().find("run"), std::string::npos);
}

TEST(DriverFailure, ReadingRungDoesNotSwallowRequests) {
  auto driver = DriverProcess::run("reading");
  driver.send(R"({"op":"case","case":{"size":3},"seed":1,"threads":1})");
  driver.send(R"({"op":"sample","iterations":1})");
  EXPECT_EQ(nlohmann::json::parse(driver.receive().value())["outcome"], "ok");
  EXPECT_EQ(nlohmann::json::parse(driver.receive().value())["event"], "sample");
}

class DriverLoad : public testing::TestWithParam<const char*> {};

TEST_P(DriverLoad, ModuleThatDoesNotFitFailsAtLoad) {
  auto driver = DriverProcess::run(GetParam());
  const auto reply = driver.ask_case();
  EXPECT_EQ(reply["outcome"], "failed");
  EXPECT_EQ(reply["stage"], "load");
  EXPECT_FALSE(reply["reason"].get<std::string>().empty());
  EXPECT_EQ(driver.finish(), 0);
}

INSTANTIATE_TEST_SUITE_P(Each, DriverLoad, testing::Values("other_problem", "other_contract", "no_module"));

}  // namespace
