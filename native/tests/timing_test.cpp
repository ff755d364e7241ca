#include <gtest/gtest.h>

#include <rooftop/clock.hpp>
#include <rooftop/timing.hpp>

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
  EXPECT_GE(rooftop::sample_ns(counter, 8), 0);
  EXPECT_EQ(counter.runs, 9);
}

TEST(Timing, ElapsedTimeCoversAllRuns) {
  Counter counter(10000);
  EXPECT_GE(rooftop::time_runs_ns(counter, 5), 50000);
}

TEST(Timing, CalibrationDoublesUntilLongEnough) {
  Counter counter(1000);
  const auto calibration = rooftop::calibrate(counter, 100000);
  EXPECT_GE(calibration.elapsed_ns, 100000);
  // 1 untimed, then 1 + 2 + 4 + … + iterations
  EXPECT_EQ(counter.runs, 2 * calibration.iterations);
  EXPECT_EQ(calibration.iterations & (calibration.iterations - 1), 0);
}

TEST(Timing, OneRunLongerThanAskedIsOneIteration) {
  Counter counter(5'000'000);
  EXPECT_EQ(rooftop::calibrate(counter, 1000).iterations, 1);
}

}  // namespace
