// threads: none
#include <gtest/gtest.h>

#include <rooftop/clock.hpp>
#include <rooftop/ranks.hpp>
#include <rooftop/timing.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

/// Counts its runs, each of which lasts at least as long as asked.
class Counter : public rooftop::Rung {
 public:
  explicit Counter(std::int64_t run_ns) : run_ns_(run_ns) {}
  void run() override {
    ++runs;
    const std::int64_t end = rooftop::now_ns() + run_ns_;
    while (rooftop::now_ns() < end) {
    }
  }
  [[nodiscard]] rooftop::Work work() const override { return {}; }
  std::int64_t runs = 0;

 private:
  std::int64_t run_ns_;
};

TEST(Timing, SampleRunsOnceMoreThanItTimes) {
  Counter counter(0);
  rooftop::Alone alone;
  EXPECT_GE(rooftop::sample_ns(counter, 8, alone).at(0), 0);
  EXPECT_EQ(counter.runs, 9);
}

TEST(Timing, ElapsedTimeCoversAllRuns) {
  Counter counter(10000);
  rooftop::Alone alone;
  EXPECT_GE(rooftop::time_runs_ns(counter, 5, alone).at(0), 50000);
}

TEST(Timing, CalibrationDoublesUntilLongEnough) {
  Counter counter(1000);
  rooftop::Alone alone;
  const auto calibration = rooftop::calibrate(counter, 100000, alone);
  EXPECT_GE(calibration.elapsed_ns, 100000);
  // 1 untimed, then 1 + 2 + 4 + … + iterations
  EXPECT_EQ(counter.runs, 2 * calibration.iterations);
  EXPECT_EQ(calibration.iterations & (calibration.iterations - 1), 0);
}

TEST(Timing, OneRunLongerThanAskedIsOneIteration) {
  Counter counter(5'000'000);
  rooftop::Alone alone;
  EXPECT_EQ(rooftop::calibrate(counter, 1000, alone).iterations, 1);
}

TEST(Timing, LongRunsAreNotDoneJustToFillCaches) {
  Counter counter(0);
  rooftop::Alone alone;
  EXPECT_GE(rooftop::sample_ns(counter, 2, alone, rooftop::long_run_ns).at(0), 0);
  EXPECT_EQ(counter.runs, 2);
  EXPECT_GE(rooftop::sample_ns(counter, 2, alone, rooftop::long_run_ns - 1).at(0), 0);
  EXPECT_EQ(counter.runs, 5);
  Counter slow(5'000'000);
  EXPECT_EQ(rooftop::calibrate(slow, 1000, alone, rooftop::long_run_ns).iterations, 1);
  EXPECT_EQ(slow.runs, 1);
}

/// Its runs are quick, its resets are not.
class Anew final : public rooftop::Rung {
 public:
  explicit Anew(std::int64_t reset_ns) : reset_ns_(reset_ns) {}
  [[nodiscard]] bool starts_anew() const override { return true; }
  void reset() override {
    ++resets;
    const std::int64_t end = rooftop::now_ns() + reset_ns_;
    while (rooftop::now_ns() < end) {
    }
  }
  void run() override {
    ++runs;
    always_after_a_reset = always_after_a_reset && runs == resets;
  }
  [[nodiscard]] rooftop::Work work() const override { return {}; }
  std::int64_t runs = 0, resets = 0;
  bool always_after_a_reset = true;

 private:
  std::int64_t reset_ns_;
};

TEST(Timing, AResetBeforeEachRunIsNotTimed) {
  Anew anew(50'000'000);
  rooftop::Alone alone;
  EXPECT_LT(rooftop::sample_ns(anew, 4, alone).at(0), 50'000'000);
  // None is done before, to fill caches that a reset empties.
  EXPECT_EQ(anew.runs, 4);
  EXPECT_TRUE(anew.always_after_a_reset);
  Anew quick(0);
  EXPECT_GE(rooftop::calibrate(quick, 1000, alone).iterations, 1);
  EXPECT_TRUE(quick.always_after_a_reset);
}

/// Says of itself how long a run took.
class Reporting final : public rooftop::Rung {
 public:
  explicit Reporting(bool anew) : anew_(anew) {}
  [[nodiscard]] bool starts_anew() const override { return anew_; }
  void run() override {}
  [[nodiscard]] std::int64_t reported_ns() const override { return hour_ns; }
  [[nodiscard]] rooftop::Work work() const override { return {}; }
  static constexpr std::int64_t hour_ns = 3'600'000'000'000;

 private:
  bool anew_;
};

TEST(Timing, WhatARungReportsCountsWhereRunsBeginAnew) {
  rooftop::Alone alone;
  Reporting anew(true), warm(false);
  EXPECT_EQ(rooftop::sample_ns(anew, 2, alone).at(0), 2 * Reporting::hour_ns);
  EXPECT_LT(rooftop::sample_ns(warm, 2, alone).at(0), Reporting::hour_ns);
}

/// Three ranks of which this process plays the first: the others are twice as slow, and the last one's limit is longer.
class SlowerOthers final : public rooftop::Ranks {
 public:
  [[nodiscard]] int rank() const override { return 0; }
  [[nodiscard]] int size() const override { return 3; }
  void meet() override { ++meetings; }
  [[nodiscard]] std::vector<std::int64_t> all(std::int64_t mine) override { return {mine, 2 * mine, 2 * mine}; }
  [[nodiscard]] std::string from(int /*rank*/, const std::string& text) override { return text; }
  [[nodiscard]] std::string await(const std::string& text) override { return text; }
  [[noreturn]] void abandon(const std::string& why) override { throw std::domain_error("abandoned: " + why); }
  int meetings = 0;
};

TEST(Timing, TheSlowestRankDecidesAndAllBeginTogether) {
  Counter counter(100000);
  SlowerOthers ranks;
  const auto calibration = rooftop::calibrate(counter, 1'000'000, ranks);
  // Their limit is 2 ms, and they take 0.2 ms a run.
  EXPECT_GE(calibration.elapsed_ns, 2'000'000);
  EXPECT_LE(calibration.iterations, 16);
  EXPECT_GT(ranks.meetings, 0);
  const auto times = rooftop::sample_ns(counter, 1, ranks);
  ASSERT_EQ(times.size(), 3U);
  EXPECT_EQ(times[1], 2 * times[0]);
}

class Failing final : public rooftop::Rung {
 public:
  void run() override { throw std::runtime_error("no more"); }
  [[nodiscard]] rooftop::Work work() const override { return {}; }
};

TEST(Timing, ARankThatFailsAmidARunEndsAll) {
  Failing failing;
  SlowerOthers ranks;
  rooftop::Alone alone;
  EXPECT_THROW(rooftop::run_together(failing, ranks), std::domain_error);
  EXPECT_THROW(rooftop::run_together(failing, alone), std::runtime_error);
}

}  // namespace
