/// The C interface as a caller in another language meets it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "in_a_fork.hpp"
#include "rooftop/conv.h"

extern "C" int rooftop_conv_c_caller(void);

namespace {

constexpr rooftop_conv_shape sound{.n = 1, .c = 2, .h = 5, .w = 6, .k = 3, .padding = 0};

bool says(const char* part) { return std::strstr(rooftop_conv_last_error(), part) != nullptr; }

TEST(CInterface, ACallerInCGetsTheRightOutput) { EXPECT_EQ(rooftop_conv_c_caller(), 0); }

TEST(CInterface, VersionIsTheHeaders) { EXPECT_EQ(rooftop_conv_abi_version(), ROOFTOP_CONV_ABI_VERSION); }

TEST(CInterface, MistakesAreStatusesWithAMessage) {
  rooftop_conv_plan* plan = reinterpret_cast<rooftop_conv_plan*>(1);
  EXPECT_EQ(rooftop_conv_plan_create(nullptr, nullptr, &plan), ROOFTOP_CONV_INVALID_ARGUMENT);
  EXPECT_TRUE(says("shape is null"));
  EXPECT_EQ(plan, nullptr);
  EXPECT_EQ(rooftop_conv_plan_create(&sound, nullptr, nullptr), ROOFTOP_CONV_INVALID_ARGUMENT);
  EXPECT_TRUE(says("plan is null"));

  rooftop_conv_shape shape = sound;
  shape.k = -7;
  EXPECT_EQ(rooftop_conv_plan_create(&shape, nullptr, &plan), ROOFTOP_CONV_INVALID_ARGUMENT);
  EXPECT_TRUE(says("-7")) << rooftop_conv_last_error();

  rooftop_conv_options options;
  for (std::int32_t rooftop_conv_options::*field :
       {&rooftop_conv_options::input, &rooftop_conv_options::output, &rooftop_conv_options::accuracy,
        &rooftop_conv_options::algorithm, &rooftop_conv_options::filter}) {
    for (const std::int32_t value : {-1, 5, 1 << 30}) {
      rooftop_conv_default_options(&options);
      options.*field = value;
      EXPECT_EQ(rooftop_conv_plan_create(&sound, &options, &plan), ROOFTOP_CONV_INVALID_ARGUMENT);
      EXPECT_TRUE(says(std::to_string(value).c_str())) << rooftop_conv_last_error();
    }
  }
}

TEST(CInterface, NullsNeverCrash) {
  rooftop_conv_sizes sizes;
  float value = 0;
  rooftop_conv_plan_destroy(nullptr);
  rooftop_conv_default_options(nullptr);
  EXPECT_EQ(rooftop_conv_plan_instruction_set(nullptr), nullptr);
  EXPECT_EQ(rooftop_conv_plan_sizes(nullptr, &sizes), ROOFTOP_CONV_INVALID_ARGUMENT);
  EXPECT_EQ(rooftop_conv_transform_filter(nullptr, &value, &value), ROOFTOP_CONV_INVALID_ARGUMENT);
  EXPECT_EQ(rooftop_conv_run(nullptr, &value, &value, &value, &value), ROOFTOP_CONV_INVALID_ARGUMENT);
  EXPECT_EQ(rooftop_conv_to_blocked(nullptr, &value, 1, 1, 1, 1, 1), ROOFTOP_CONV_INVALID_ARGUMENT);
  EXPECT_EQ(rooftop_conv_from_blocked(&value, nullptr, 1, 1, 1, 1, 1), ROOFTOP_CONV_INVALID_ARGUMENT);

  rooftop_conv_plan* plan = nullptr;
  ASSERT_EQ(rooftop_conv_plan_create(&sound, nullptr, &plan), ROOFTOP_CONV_OK);
  EXPECT_EQ(rooftop_conv_plan_sizes(plan, nullptr), ROOFTOP_CONV_INVALID_ARGUMENT);
  EXPECT_EQ(rooftop_conv_run(plan, nullptr, &value, &value, &value), ROOFTOP_CONV_INVALID_ARGUMENT);
  EXPECT_TRUE(says("image is null"));
  EXPECT_EQ(rooftop_conv_transform_filter(plan, &value, nullptr), ROOFTOP_CONV_INVALID_ARGUMENT);
  EXPECT_NE(rooftop_conv_plan_instruction_set(plan), nullptr);
  rooftop_conv_plan_destroy(plan);
}

TEST(CInterface, SizesOfAnArrayDoNotOverflow) {
  constexpr int64_t huge = std::numeric_limits<int64_t>::max(), least = std::numeric_limits<int64_t>::min();
  float value[16] = {};
  for (const auto turn : {rooftop_conv_to_blocked, rooftop_conv_from_blocked}) {
    EXPECT_EQ(turn(value, value, -1, 1, 1, 1, 1), ROOFTOP_CONV_INVALID_ARGUMENT);
    EXPECT_TRUE(says("n is -1"));
    EXPECT_EQ(turn(value, value, 1, least, 1, 1, 1), ROOFTOP_CONV_INVALID_ARGUMENT);
    EXPECT_TRUE(says("channels is -9223372036854775808"));
    EXPECT_EQ(turn(value, value, 1, 1, huge, huge, 1), ROOFTOP_CONV_INVALID_ARGUMENT);
    EXPECT_TRUE(says("h is 9223372036854775807"));
    EXPECT_EQ(turn(value, value, 1, 1 << 24, 1 << 24, 1 << 24, 1), ROOFTOP_CONV_INVALID_ARGUMENT);
    EXPECT_TRUE(says("more than can be addressed"));
    EXPECT_EQ(turn(value, value, 0, 1, 1, 1, 1), ROOFTOP_CONV_OK);
    EXPECT_EQ(turn(value, value, 1 << 24, 1 << 24, 0, 1, 1), ROOFTOP_CONV_OK);  // at once
  }
}

TEST(CInterface, TheMessageIsTheThreadsOwn) {
  rooftop_conv_plan* plan = nullptr;
  rooftop_conv_shape shape = sound;
  shape.n = -3;
  ASSERT_NE(rooftop_conv_plan_create(&shape, nullptr, &plan), ROOFTOP_CONV_OK);
  std::string other = "not run";
  std::thread([&other] { other = rooftop_conv_last_error(); }).join();
  EXPECT_EQ(other, "");
  EXPECT_TRUE(says("-3"));
}

TEST(CInterface, ARunAndPlanningThatMeasuresStopWhereTheyAreAsked) {
  constexpr rooftop_conv_shape shape{.n = 1, .c = 16, .h = 34, .w = 34, .k = 16, .padding = 0};
  constexpr std::int32_t asked = 1, go_on = 0;
  rooftop_conv_options options;
  rooftop_conv_default_options(&options);
  EXPECT_EQ(options.stop, nullptr);
  options.measure = 1;
  options.stop = &asked;
  rooftop_conv_plan* plan = nullptr;
  EXPECT_EQ(rooftop_conv_plan_create(&shape, &options, &plan), ROOFTOP_CONV_STOPPED);
  EXPECT_EQ(plan, nullptr);
  options.measure = 0;
  ASSERT_EQ(rooftop_conv_plan_create(&shape, &options, &plan), ROOFTOP_CONV_OK);
  rooftop_conv_sizes sizes;
  ASSERT_EQ(rooftop_conv_plan_sizes(plan, &sizes), ROOFTOP_CONV_OK);
  std::vector<float> image(sizes.image_floats, 1.0F), output(sizes.output_floats);
  auto* const filter = static_cast<float*>(std::aligned_alloc(64, (4 * sizes.filter_floats + 64) / 64 * 64));
  void* const scratch = std::aligned_alloc(64, (sizes.scratch_bytes + 64) / 64 * 64);
  std::fill_n(filter, sizes.filter_floats, 0.5F);
  const auto run = [&](const std::int32_t* stop) {
    return rooftop_conv_run_stoppable(plan, image.data(), filter, output.data(), scratch, stop);
  };
  EXPECT_EQ(run(&asked), ROOFTOP_CONV_STOPPED);
  EXPECT_NE(std::strstr(rooftop_conv_last_error(), "stopped"), nullptr);
  EXPECT_EQ(run(&go_on), ROOFTOP_CONV_OK);
  EXPECT_EQ(run(nullptr), ROOFTOP_CONV_OK);
  std::free(filter);
  std::free(scratch);
  rooftop_conv_plan_destroy(plan);
}

TEST(CInterface, WorksInAForkOfAProcessThatUsedIt) {
  if (!ROOFTOP_FORKS) GTEST_SKIP() << "the thread sanitizer lets no thread start there";
  constexpr rooftop_conv_shape shape{.n = 1, .c = 16, .h = 34, .w = 34, .k = 16, .padding = 0};
  rooftop_conv_options options;
  rooftop_conv_default_options(&options);
  options.threads = 2;
  options.filter = 1;  // plain
  rooftop_conv_plan* plan = nullptr;
  ASSERT_EQ(rooftop_conv_plan_create(&shape, &options, &plan), ROOFTOP_CONV_OK);
  rooftop_conv_sizes sizes;
  ASSERT_EQ(rooftop_conv_plan_sizes(plan, &sizes), ROOFTOP_CONV_OK);
  std::vector<float> image(sizes.image_floats, 1.0F), filter(sizes.filter_floats, 0.5F);
  void* const scratch = std::aligned_alloc(64, (sizes.scratch_bytes + 64) / 64 * 64);
  const auto output = [&] {
    std::vector<float> values(sizes.output_floats);
    EXPECT_EQ(rooftop_conv_run(plan, image.data(), filter.data(), values.data(), scratch), ROOFTOP_CONV_OK);
    return values;
  };
  const std::vector<float> before = output();
  EXPECT_TRUE(rooftop::c_interface::right_in_a_fork([&] { return output() == before; }));
  EXPECT_EQ(output(), before);
  std::free(scratch);
  rooftop_conv_plan_destroy(plan);
}

}  // namespace
