/// The C interface as a caller in another language meets it.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "in_a_fork.hpp"
#include "rooftop/fft.h"

extern "C" int rooftop_fft_c_caller(void);

namespace {

constexpr rooftop_fft_shape sound{.nx = 4, .ny = 1, .nz = 1};

bool says(const char* part) { return std::strstr(rooftop_fft_last_error(), part) != nullptr; }

TEST(CInterface, ACallerInCGetsTheRightValues) { EXPECT_EQ(rooftop_fft_c_caller(), 0); }

TEST(CInterface, VersionIsTheHeaders) { EXPECT_EQ(rooftop_fft_abi_version(), ROOFTOP_FFT_ABI_VERSION); }

TEST(CInterface, MistakesAreStatusesWithAMessage) {
  rooftop_fft_plan* plan = reinterpret_cast<rooftop_fft_plan*>(1);
  EXPECT_EQ(rooftop_fft_plan_create(nullptr, nullptr, &plan), ROOFTOP_FFT_INVALID_ARGUMENT);
  EXPECT_TRUE(says("shape is null"));
  EXPECT_EQ(plan, nullptr);
  EXPECT_EQ(rooftop_fft_plan_create(&sound, nullptr, nullptr), ROOFTOP_FFT_INVALID_ARGUMENT);
  EXPECT_TRUE(says("plan is null"));

  rooftop_fft_shape shape = sound;
  shape.nz = -7;
  EXPECT_EQ(rooftop_fft_plan_create(&shape, nullptr, &plan), ROOFTOP_FFT_INVALID_ARGUMENT);
  EXPECT_TRUE(says("nz is -7")) << rooftop_fft_last_error();

  rooftop_fft_options options;
  rooftop_fft_default_options(&options);
  options.axes = 0;
  EXPECT_EQ(rooftop_fft_plan_create(&sound, &options, &plan), ROOFTOP_FFT_INVALID_ARGUMENT);
  EXPECT_TRUE(says("axes is 0")) << rooftop_fft_last_error();
  rooftop_fft_default_options(&options);
  options.forward_scale = INFINITY;
  EXPECT_EQ(rooftop_fft_plan_create(&sound, &options, &plan), ROOFTOP_FFT_INVALID_ARGUMENT);
  EXPECT_TRUE(says("inf")) << rooftop_fft_last_error();
  EXPECT_EQ(plan, nullptr);
}

TEST(CInterface, ValuesThatAPlanCannotTakeAreNamed) {
  rooftop_fft_plan* plan = nullptr;
  rooftop_fft_sizes sizes;
  ASSERT_EQ(rooftop_fft_plan_create(&sound, nullptr, &plan), ROOFTOP_FFT_OK);
  ASSERT_EQ(rooftop_fft_plan_sizes(plan, &sizes), ROOFTOP_FFT_OK);
  double grid[8] = {};
  void* const scratch = std::aligned_alloc(64, (sizes.scratch_bytes + 63) / 64 * 64);
  for (const std::int32_t direction : {-1, 2, 1 << 30}) {
    EXPECT_EQ(rooftop_fft_run(plan, direction, grid, grid, scratch, nullptr), ROOFTOP_FFT_INVALID_ARGUMENT);
    EXPECT_TRUE(says(std::to_string(direction).c_str())) << rooftop_fft_last_error();
  }
  const double ones[4] = {1, 1, 1, 1};
  const rooftop_fft_factors some{ones, nullptr, ones}, all{ones, ones, ones};
  EXPECT_EQ(rooftop_fft_run(plan, ROOFTOP_FFT_BACKWARD, grid, grid, scratch, &some), ROOFTOP_FFT_INVALID_ARGUMENT);
  EXPECT_TRUE(says("factors.y is null"));
  EXPECT_EQ(rooftop_fft_run(plan, ROOFTOP_FFT_FORWARD, grid, grid, scratch, &all), ROOFTOP_FFT_INVALID_ARGUMENT);
  EXPECT_EQ(rooftop_fft_run(plan, ROOFTOP_FFT_BACKWARD, grid, grid, scratch, &all), ROOFTOP_FFT_OK);
  EXPECT_EQ(rooftop_fft_run(plan, ROOFTOP_FFT_FORWARD, grid, grid, nullptr, nullptr), ROOFTOP_FFT_INVALID_ARGUMENT);
  EXPECT_TRUE(says("scratch is null"));
  std::free(scratch);
  rooftop_fft_plan_destroy(plan);
}

TEST(CInterface, NullsNeverCrash) {
  rooftop_fft_sizes sizes;
  double value = 0;
  rooftop_fft_plan_destroy(nullptr);
  rooftop_fft_default_options(nullptr);
  EXPECT_EQ(rooftop_fft_plan_instruction_set(nullptr), nullptr);
  EXPECT_EQ(rooftop_fft_plan_sizes(nullptr, &sizes), ROOFTOP_FFT_INVALID_ARGUMENT);
  EXPECT_EQ(rooftop_fft_run(nullptr, 0, &value, &value, &value, nullptr), ROOFTOP_FFT_INVALID_ARGUMENT);

  rooftop_fft_plan* plan = nullptr;
  ASSERT_EQ(rooftop_fft_plan_create(&sound, nullptr, &plan), ROOFTOP_FFT_OK);
  EXPECT_EQ(rooftop_fft_plan_sizes(plan, nullptr), ROOFTOP_FFT_INVALID_ARGUMENT);
  EXPECT_EQ(rooftop_fft_run(plan, 0, nullptr, &value, &value, nullptr), ROOFTOP_FFT_INVALID_ARGUMENT);
  EXPECT_TRUE(says("in is null"));
  EXPECT_EQ(rooftop_fft_run(plan, 0, &value, nullptr, &value, nullptr), ROOFTOP_FFT_INVALID_ARGUMENT);
  EXPECT_NE(rooftop_fft_plan_instruction_set(plan), nullptr);
  rooftop_fft_plan_destroy(plan);
}

TEST(CInterface, MistakesWithFloatsAreStatusesToo) {
  rooftop_fft_sizes sizes;
  float value = 0;
  rooftop_fft_plan_destroy_float(nullptr);
  EXPECT_EQ(rooftop_fft_plan_instruction_set_float(nullptr), nullptr);
  EXPECT_EQ(rooftop_fft_plan_sizes_float(nullptr, &sizes), ROOFTOP_FFT_INVALID_ARGUMENT);
  EXPECT_EQ(rooftop_fft_run_float(nullptr, 0, &value, &value, &value, nullptr), ROOFTOP_FFT_INVALID_ARGUMENT);
  EXPECT_EQ(rooftop_fft_plan_create_float(&sound, nullptr, nullptr), ROOFTOP_FFT_INVALID_ARGUMENT);

  auto* plan = reinterpret_cast<rooftop_fft_plan_float*>(1);
  rooftop_fft_options options;
  rooftop_fft_default_options(&options);
  options.forward_scale = 1e39;
  EXPECT_EQ(rooftop_fft_plan_create_float(&sound, &options, &plan), ROOFTOP_FFT_INVALID_ARGUMENT);
  EXPECT_TRUE(says("a scale is 1e+39")) << rooftop_fft_last_error();
  EXPECT_EQ(plan, nullptr);
  ASSERT_EQ(rooftop_fft_plan_create_float(&sound, nullptr, &plan), ROOFTOP_FFT_OK);
  EXPECT_EQ(rooftop_fft_run_float(plan, 2, &value, &value, &value, nullptr), ROOFTOP_FFT_INVALID_ARGUMENT);
  EXPECT_TRUE(says("direction")) << rooftop_fft_last_error();
  rooftop_fft_plan_destroy_float(plan);
}

TEST(CInterface, RealValuesGoToTheirModesAndBack) {
  constexpr rooftop_fft_shape shape{.nx = 6, .ny = 2, .nz = 1};
  rooftop_fft_real_plan* plan = nullptr;
  ASSERT_EQ(rooftop_fft_real_plan_create(&shape, nullptr, &plan), ROOFTOP_FFT_OK);
  rooftop_fft_sizes sizes;
  ASSERT_EQ(rooftop_fft_real_plan_sizes(plan, &sizes), ROOFTOP_FFT_OK);
  EXPECT_EQ(sizes.values, 12U);
  EXPECT_NE(rooftop_fft_real_plan_instruction_set(plan), nullptr);
  std::vector<double> values(12), modes(std::size_t{2} * 4 * 2), back(12);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i);
  void* const scratch = std::aligned_alloc(64, (sizes.scratch_bytes + 64) / 64 * 64);
  const auto run = [&](std::int32_t direction, const double* in, double* out, const std::int32_t* stop) {
    return rooftop_fft_real_run_stoppable(plan, direction, in, out, scratch, stop);
  };
  EXPECT_EQ(run(ROOFTOP_FFT_FORWARD, values.data(), modes.data(), nullptr), ROOFTOP_FFT_OK);
  EXPECT_DOUBLE_EQ(modes[0], 66);
  EXPECT_EQ(run(ROOFTOP_FFT_BACKWARD, modes.data(), back.data(), nullptr), ROOFTOP_FFT_OK);
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(back[i], 12 * values[i], 1e-12);
  constexpr std::int32_t asked = 1;
  EXPECT_EQ(run(ROOFTOP_FFT_FORWARD, values.data(), modes.data(), &asked), ROOFTOP_FFT_STOPPED);
  EXPECT_EQ(run(2, values.data(), modes.data(), nullptr), ROOFTOP_FFT_INVALID_ARGUMENT);
  EXPECT_EQ(run(0, nullptr, modes.data(), nullptr), ROOFTOP_FFT_INVALID_ARGUMENT);
  EXPECT_TRUE(says("in is null"));
  EXPECT_EQ(run(1, modes.data(), nullptr, nullptr), ROOFTOP_FFT_INVALID_ARGUMENT);
  std::free(scratch);
  rooftop_fft_real_plan_destroy(plan);
}

TEST(CInterface, NullsOfRealPlansNeverCrash) {
  rooftop_fft_sizes sizes;
  float value = 0;
  rooftop_fft_real_plan_destroy(nullptr);
  rooftop_fft_real_plan_destroy_float(nullptr);
  EXPECT_EQ(rooftop_fft_real_plan_instruction_set_float(nullptr), nullptr);
  EXPECT_EQ(rooftop_fft_real_plan_sizes_float(nullptr, &sizes), ROOFTOP_FFT_INVALID_ARGUMENT);
  EXPECT_EQ(rooftop_fft_real_run_stoppable_float(nullptr, 0, &value, &value, &value, nullptr),
            ROOFTOP_FFT_INVALID_ARGUMENT);
  EXPECT_EQ(rooftop_fft_real_plan_create_float(&sound, nullptr, nullptr), ROOFTOP_FFT_INVALID_ARGUMENT);
  rooftop_fft_real_plan_float* plan = nullptr;
  ASSERT_EQ(rooftop_fft_real_plan_create_float(&sound, nullptr, &plan), ROOFTOP_FFT_OK);
  EXPECT_EQ(rooftop_fft_real_run_stoppable_float(plan, 0, &value, &value, nullptr, nullptr),
            ROOFTOP_FFT_INVALID_ARGUMENT);
  EXPECT_TRUE(says("scratch is null"));
  rooftop_fft_real_plan_destroy_float(plan);
}

TEST(CInterface, TheMessageIsTheThreadsOwn) {
  rooftop_fft_plan* plan = nullptr;
  rooftop_fft_shape shape = sound;
  shape.nx = -3;
  ASSERT_NE(rooftop_fft_plan_create(&shape, nullptr, &plan), ROOFTOP_FFT_OK);
  std::string other = "not run";
  std::thread([&other] { other = rooftop_fft_last_error(); }).join();
  EXPECT_EQ(other, "");
  EXPECT_TRUE(says("-3"));
}

TEST(CInterface, ARunStopsWhereItIsAsked) {
  constexpr rooftop_fft_shape shape{.nx = 32, .ny = 9, .nz = 5};
  constexpr std::int32_t asked = 1, go_on = 0;
  rooftop_fft_plan* plan = nullptr;
  ASSERT_EQ(rooftop_fft_plan_create(&shape, nullptr, &plan), ROOFTOP_FFT_OK);
  rooftop_fft_sizes sizes;
  ASSERT_EQ(rooftop_fft_plan_sizes(plan, &sizes), ROOFTOP_FFT_OK);
  std::vector<double> grid(2 * sizes.values, 1.0), modes(grid.size());
  void* const scratch = std::aligned_alloc(64, (sizes.scratch_bytes + 64) / 64 * 64);
  const auto run = [&](const std::int32_t* stop) {
    return rooftop_fft_run_stoppable(plan, ROOFTOP_FFT_FORWARD, grid.data(), modes.data(), scratch, nullptr, stop);
  };
  EXPECT_EQ(run(&asked), ROOFTOP_FFT_STOPPED);
  EXPECT_TRUE(says("stopped"));
  EXPECT_EQ(run(&go_on), ROOFTOP_FFT_OK);
  EXPECT_DOUBLE_EQ(modes[0], static_cast<double>(sizes.values));
  std::free(scratch);
  rooftop_fft_plan_destroy(plan);
}

TEST(CInterface, WorksInAForkOfAProcessThatUsedIt) {
  if (!ROOFTOP_FORKS) GTEST_SKIP() << "the thread sanitizer lets no thread start there";
  constexpr rooftop_fft_shape shape{.nx = 32, .ny = 32, .nz = 32};
  rooftop_fft_options options;
  rooftop_fft_default_options(&options);
  options.threads = 2;
  rooftop_fft_plan* plan = nullptr;
  ASSERT_EQ(rooftop_fft_plan_create(&shape, &options, &plan), ROOFTOP_FFT_OK);
  rooftop_fft_sizes sizes;
  ASSERT_EQ(rooftop_fft_plan_sizes(plan, &sizes), ROOFTOP_FFT_OK);
  std::vector<double> grid(2 * sizes.values);
  for (std::size_t i = 0; i < grid.size(); ++i) grid[i] = static_cast<double>(i % 17);
  void* const scratch = std::aligned_alloc(64, (sizes.scratch_bytes + 64) / 64 * 64);
  const auto modes = [&] {
    std::vector<double> values(grid.size());
    EXPECT_EQ(rooftop_fft_run(plan, 0, grid.data(), values.data(), scratch, nullptr), ROOFTOP_FFT_OK);
    return values;
  };
  const std::vector<double> before = modes();
  EXPECT_TRUE(rooftop::c_interface::right_in_a_fork([&] { return modes() == before; }));
  EXPECT_EQ(modes(), before);
  std::free(scratch);
  rooftop_fft_plan_destroy(plan);
}

}  // namespace
