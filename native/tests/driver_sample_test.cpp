// threads: none, but those of a driver's rung, as in every check of one
#include <gtest/gtest.h>

#include "driver_process.hpp"

namespace {

TEST(DriverSample, CalibratesAndSamples) {
  auto driver = DriverProcess::run("good");
  driver.ask_case(10000);
  const auto calibration = driver.ask({{"op", "calibrate"}, {"min_ns", 1000000}});
  EXPECT_EQ(calibration["event"], "calibrate");
  EXPECT_GE(calibration["elapsed_ns"], 1000000);
  const std::int64_t iterations = calibration["iterations"];
  EXPECT_GE(iterations, 1);
  const auto sample = driver.ask({{"op", "sample"}, {"iterations", iterations}});
  EXPECT_EQ(sample["event"], "sample");
  EXPECT_EQ(sample["iterations"], iterations);
  EXPECT_GT(sample["elapsed_ns"], 0);
  EXPECT_EQ(sample["ranks_ns"], nlohmann::json::array({sample["elapsed_ns"]}));
}

TEST(DriverSample, WrongResultHasNoTime) {
  auto driver = DriverProcess::run("wrong");
  driver.ask_case();
  EXPECT_EQ(driver.ask({{"op", "sample"}, {"iterations", 1}})["event"], "error");
  EXPECT_EQ(driver.ask({{"op", "calibrate"}, {"min_ns", 1000}})["event"], "error");
}

TEST(DriverSample, ExceptionWhileTimingFails) {
  auto driver = DriverProcess::run("throwing_late");
  EXPECT_EQ(driver.ask_case()["outcome"], "ok");
  const auto reply = driver.ask({{"op", "sample"}, {"iterations", 5}});
  EXPECT_EQ(reply["event"], "sample");
  EXPECT_EQ(reply["outcome"], "failed");
  EXPECT_EQ(reply["stage"], "sample");
  EXPECT_EQ(reply["reason"], "worn out");
  EXPECT_FALSE(reply.contains("elapsed_ns"));
}

class DriverBadRequest : public testing::TestWithParam<const char*> {};

TEST_P(DriverBadRequest, IsAnsweredByAnErrorAndTheDriverGoesOn) {
  auto driver = DriverProcess::run("good");
  driver.ask_case();
  const auto reply = driver.ask_line(GetParam());
  EXPECT_EQ(reply["protocol"], 1);
  EXPECT_EQ(reply["event"], "error");
  EXPECT_FALSE(reply["message"].get<std::string>().empty());
  EXPECT_EQ(driver.ask_case()["outcome"], "ok");
  EXPECT_EQ(driver.finish(), 0);
}

INSTANTIATE_TEST_SUITE_P(Each, DriverBadRequest,
                         testing::Values("{", "[]", "3", "null", "\"case\"", R"({"op":3})", R"({"op":"dance"})",
                                         R"({"op":"case"})", R"({"op":"case","case":5,"threads":1})",
                                         R"({"op":"case","case":{"size":3}})",
                                         R"({"op":"case","case":{"size":3},"threads":0})",
                                         R"({"op":"case","case":{"size":3},"threads":1e9})",
                                         R"({"op":"case","case":{"size":3},"threads":1,"seed":-1})",
                                         R"({"op":"sample"})", R"({"op":"sample","iterations":0})",
                                         R"({"op":"sample","iterations":-5})", R"({"op":"sample","iterations":1.5})",
                                         R"({"op":"sample","iterations":18446744073709551615})",
                                         R"({"op":"sample","iterations":"8"})", R"({"op":"calibrate","min_ns":0})",
                                         "\x01\xff\xfe not even text", "\xEF\xBB\xBF"));

TEST(DriverSample, NothingBeforeACase) {
  auto driver = DriverProcess::run("good");
  for (const char* request :
       {R"({"op":"sample","iterations":1})", R"({"op":"calibrate","min_ns":1})", R"({"op":"verify"})"}) {
    EXPECT_EQ(driver.ask_line(request)["event"], "error") << request;
  }
}

}  // namespace
