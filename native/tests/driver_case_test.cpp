// threads: none, but those of a driver's rung, as in every check of one
#include <gtest/gtest.h>

#include "driver_process.hpp"

namespace {

TEST(DriverCase, GoodRungIsOk) {
  auto driver = DriverProcess::run("good");
  const auto reply = driver.ask_case(1000, 2);
  EXPECT_EQ(reply["protocol"], 1);
  EXPECT_EQ(reply["event"], "case");
  EXPECT_EQ(reply["outcome"], "ok");
  EXPECT_EQ(reply["error"], 0.0);
  EXPECT_EQ(reply["tolerance"], 0.0);
  EXPECT_GE(reply["first_run_ns"], 0);
  EXPECT_EQ(reply["work"]["add_flops"], 1000.0);
  EXPECT_EQ(reply["work"]["memory_bytes"], 16000.0);
  EXPECT_EQ(reply["work"]["algorithm"], "exact");
  ASSERT_EQ(reply["binding"].size(), 2U);
  EXPECT_FALSE(reply["binding"][0].empty());
  EXPECT_EQ(driver.finish(), 0);
}

TEST(DriverCase, OneCaseAfterAnother) {
  auto driver = DriverProcess::run("good");
  for (const int size : {1, 1000000, 7}) EXPECT_EQ(driver.ask_case(size)["outcome"], "ok") << size;
  EXPECT_EQ(driver.ask_case(100, 1)["binding"].size(), 1U);
  EXPECT_EQ(driver.ask_case(100, 3)["binding"].size(), 3U);
}

#if defined(__x86_64__)
TEST(DriverCase, ModulesOfNewerInstructionSetsRunOrAreSkipped) {
  for (const char* name : {"good.avx2", "good.avx512"}) {
    auto driver = DriverProcess::run(name);
    const auto reply = driver.ask_case();
    if (reply["outcome"] != "ok") {
      EXPECT_EQ(reply["outcome"], "skipped");
      EXPECT_TRUE(reply["reason"].get<std::string>().starts_with("processor lacks "));
    }
  }
}
#endif

TEST(DriverCase, ResultBroughtIntoPlaceByFinishIsOk) {
  auto driver = DriverProcess::run("finishing");
  EXPECT_EQ(driver.ask_case()["outcome"], "ok");
  EXPECT_EQ(driver.ask({{"op", "verify"}})["outcome"], "ok");
}

TEST(DriverCase, WhatARunReportsAndReadsFromStorageIsTold) {
  auto driver = DriverProcess::run("anew");
  const auto reply = driver.ask_case();
  EXPECT_EQ(reply["outcome"], "ok");
  EXPECT_EQ(reply["first_run_ns"], 5'000'000'000);
  // Asked after the run, which is when it is known.
  EXPECT_EQ(reply["work"]["device_calls"], 1.0);
  EXPECT_EQ(reply["work"]["device_extent_bytes"], 8.0);
  if (reply.contains("facts")) {
    EXPECT_GE(reply["facts"][0]["figures"]["storage_read_bytes"], 0);
  }
  const auto sample = driver.ask({{"op", "sample"}, {"iterations", 2}});
  EXPECT_EQ(sample["elapsed_ns"], 10'000'000'000);
}

TEST(DriverCase, WrongRungIsWrong) {
  auto driver = DriverProcess::run("wrong");
  const auto reply = driver.ask_case();
  EXPECT_EQ(reply["outcome"], "wrong");
  EXPECT_GT(reply["error"], 0.0);
  EXPECT_EQ(reply["reason"], "some element is not doubled");
}

TEST(DriverCase, UntouchedOutputIsWrong) {
  auto driver = DriverProcess::run("untouched");
  EXPECT_EQ(driver.ask_case()["outcome"], "wrong");
}

TEST(DriverCase, NanIsWrongAndNull) {
  auto driver = DriverProcess::run("nan");
  const auto reply = driver.ask_case();
  EXPECT_EQ(reply["outcome"], "wrong");
  EXPECT_TRUE(reply["error"].is_null());
}

TEST(DriverCase, SkippingRungIsSkippedWithItsReason) {
  auto driver = DriverProcess::run("skipping");
  auto reply = driver.ask_case(4);
  EXPECT_EQ(reply["outcome"], "skipped");
  EXPECT_EQ(reply["reason"], "only three elements will do");
  EXPECT_EQ(driver.ask_case(3)["outcome"], "ok");
}

TEST(DriverCase, ParameterThatTheExperimentRefusesFailsAtSetUp) {
  auto driver = DriverProcess::run("good");
  auto reply = driver.ask_case(0);
  EXPECT_EQ(reply["outcome"], "failed");
  EXPECT_EQ(reply["stage"], "set_up");
  EXPECT_EQ(reply["reason"], "'size' is 0: expected 1 or more");
  reply = driver.ask_line(R"({"op":"case","case":{},"seed":1,"threads":1})");
  EXPECT_EQ(reply["outcome"], "failed");
  EXPECT_EQ(reply["stage"], "set_up");
  EXPECT_EQ(driver.ask_case()["outcome"], "ok");
}

TEST(DriverCase, VerifyRunsAgain) {
  auto driver = DriverProcess::run("decaying");
  EXPECT_EQ(driver.ask_case()["outcome"], "ok");
  EXPECT_EQ(driver.ask({{"op", "verify"}})["outcome"], "ok");
  const auto reply = driver.ask({{"op", "verify"}});
  EXPECT_EQ(reply["event"], "verify");
  EXPECT_EQ(reply["outcome"], "wrong");
  EXPECT_EQ(reply["error"], 1.0);
}

}  // namespace
