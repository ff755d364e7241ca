/// A caller may stop a run, and planning that measures, from any thread.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "brief_request.hpp"
#include "convolution.hpp"

namespace rooftop::conv {
namespace {

constexpr std::int32_t asked = 1;

/// Arrays of one plan, and its output where nobody stopped it.
class Runs {
 public:
  Runs(const Convolution& convolution, const Options& options)
      : convolution_(convolution),
        plan_(convolution.shape(), options),
        transformed_(plan_.filter_floats() * sizeof(float)),
        scratch_(plan_.scratch_bytes()),
        output_(plan_.output_floats() * sizeof(float)) {
    plan_.transform_filter(convolution.filter().data(), transformed_.floats().data());
    run(nullptr);
    whole_.assign(output_.floats().begin(), output_.floats().end());
  }

  void run(const std::int32_t* stop) {
    plan_.run(convolution_.image().data(), transformed_.floats().data(), output_.floats().data(),
              scratch_.floats().data(), stop);
  }
  [[nodiscard]] bool whole() const { return std::equal(whole_.begin(), whole_.end(), output_.floats().begin()); }

 private:
  const Convolution& convolution_;
  Plan plan_;
  GuardedArray transformed_, scratch_, output_;
  std::vector<float> whole_;
};

struct Case {
  Shape shape;
  Algorithm algorithm;
  Accuracy accuracy = Accuracy::balanced;
};

// Of each kernel: few channels, rows of pixels, tiles for each thread, tiles for all threads together.
const Case cases[] = {
    {{2, 3, 20, 70, 20, 1}, Algorithm::automatic}, {{2, 20, 20, 30, 40, 1}, Algorithm::direct},
    {{3, 40, 26, 26, 40, 1}, Algorithm::f4},       {{1, 200, 7, 7, 200, 1}, Algorithm::f2},
    {{1, 64, 40, 40, 200, 0}, Algorithm::f6},      {{1, 16, 12, 12, 16, 1}, Algorithm::automatic, Accuracy::strict},
};

class EveryKernel : public testing::TestWithParam<Case> {};

TEST_P(EveryKernel, StopsWhenItIsAskedAndWorksAfterwards) {
  const auto& [shape, algorithm, accuracy] = GetParam();
  const Convolution convolution(shape);
  for (const int threads : {1, 2, 3, 5}) {
    Runs runs(convolution, {.accuracy = accuracy, .algorithm = algorithm, .threads = threads});
    const std::int32_t go_on = 0;
    EXPECT_THROW(runs.run(&asked), Stopped);
    runs.run(&go_on);
    EXPECT_TRUE(runs.whole());
  }
}

TEST_P(EveryKernel, StopsInTheMiddleWithoutADeadlockOrASilentHole) {
  const auto& [shape, algorithm, accuracy] = GetParam();
  const Convolution convolution(shape);
  Runs runs(convolution, {.accuracy = accuracy, .algorithm = algorithm, .threads = 3});
  for (int turn = 0; turn < 30; ++turn) {
    const running::BriefRequest request(200 * turn);
    try {
      runs.run(request.flag());
      EXPECT_TRUE(runs.whole());
    } catch (const Stopped& stopped) {
      EXPECT_STRNE(stopped.what(), "");
    }
  }
  runs.run(nullptr);
  EXPECT_TRUE(runs.whole());
}

INSTANTIATE_TEST_SUITE_P(Stop, EveryKernel, testing::ValuesIn(cases));

TEST(Stop, EndsPlanningThatMeasures) {
  const Shape shape{1, 32, 20, 20, 32, 1};
  EXPECT_THROW(Plan(shape, {.measure = true, .threads = 2, .stop = &asked}), Stopped);
  const std::int32_t go_on = 0;
  EXPECT_NO_THROW(Plan(shape, {.measure = true, .threads = 2, .stop = &go_on}));
  EXPECT_NO_THROW(Plan(shape, {.threads = 2, .stop = &asked})) << "it measures nothing";
}

}  // namespace
}  // namespace rooftop::conv
