/// Results do not depend on how many threads there are, who else runs, or what the scratch memory held.
#include <gtest/gtest.h>
#include <omp.h>

#include <cstring>
#include <thread>

#include "convolution.hpp"

namespace rooftop::conv {
namespace {

constexpr Algorithm algorithms[] = {Algorithm::direct, Algorithm::f2, Algorithm::f4, Algorithm::f6};
constexpr Layout layouts[] = {Layout::nchw, Layout::blocked};

bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

class ThreadCount : public testing::TestWithParam<Shape> {};

TEST_P(ThreadCount, LeavesTheBitsAlone) {
  const Convolution convolution(GetParam());
  for (const Algorithm algorithm : algorithms) {
    for (const Layout layout : layouts) {
      // Each layout with a form of the filter, which has bits of its own.
      const FilterForm filter = layout == Layout::nchw ? FilterForm::plain : FilterForm::transformed;
      Options options{.input = layout, .output = layout, .algorithm = algorithm, .filter = filter, .threads = 1};
      const std::vector<float> serial = convolution.run(options);
      for (const int threads : {2, 3, 8}) {
        options.threads = threads;
        EXPECT_TRUE(same_bits(convolution.run(options), serial)) << to_string(GetParam()) << " " << to_string(options);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, ThreadCount,
                         testing::Values(Shape{.n = 1, .c = 3, .h = 3, .w = 3, .k = 2},
                                         Shape{.n = 5, .c = 17, .h = 11, .w = 13, .k = 33, .padding = 1},
                                         Shape{.n = 1, .c = 64, .h = 30, .w = 30, .k = 64},
                                         Shape{.n = 1, .c = 256, .h = 7, .w = 7, .k = 128, .padding = 1},
                                         Shape{.n = 1, .c = 200, .h = 14, .w = 14, .k = 80, .padding = 1},
                                         Shape{.n = 2, .c = 3, .h = 57, .w = 60, .k = 32, .padding = 1}),
                         test_name);

TEST(Threads, FewerThanAskedForWhenTheCallerIsItselfATeam) {
  // Inside a parallel region OpenMP grants a team of one, whatever the plan asked for.
  const Convolution convolution({.n = 2, .c = 20, .h = 19, .w = 18, .k = 35, .padding = 1});
  for (const Algorithm algorithm : algorithms) {
    for (const int threads : {1, 8}) {
      std::string complaints[2];
#pragma omp parallel num_threads(2)
      {
        // The second of the caller's threads runs more often: no barrier of the solver's may wait for the first.
        const int caller = omp_get_thread_num();
        for (int run = 0; run <= caller; ++run) {
          complaints[caller] += convolution.complaint(
              {.algorithm = algorithm, .filter = static_cast<FilterForm>(run), .threads = threads},
              GuardedArray::Place::back);
        }
      }
      EXPECT_EQ(complaints[0] + complaints[1], "") << to_string(algorithm);
    }
  }
}

TEST(Threads, SeveralPlansAtOnce) {
  std::vector<Convolution> convolutions;
  convolutions.emplace_back(Shape{.n = 1, .c = 32, .h = 20, .w = 20, .k = 32, .padding = 1});
  convolutions.emplace_back(Shape{.n = 2, .c = 7, .h = 31, .w = 9, .k = 19});
  convolutions.emplace_back(Shape{.n = 1, .c = 65, .h = 8, .w = 8, .k = 64});
  std::vector<std::string> complaints(12);
  std::vector<std::thread> callers;
  for (std::size_t i = 0; i < complaints.size(); ++i) {
    callers.emplace_back([&, i] {
      const Options options{.input = layouts[i % 2], .algorithm = algorithms[i / 3], .threads = 2};
      complaints[i] = convolutions[i % 3].complaint(options, GuardedArray::Place::back);
    });
  }
  for (std::thread& caller : callers) caller.join();
  for (const std::string& complaint : complaints) EXPECT_EQ(complaint, "");
}

TEST(Threads, OnePlanSharedByCallersWithTheirOwnScratch) {
  const Convolution convolution({.n = 1, .c = 33, .h = 18, .w = 22, .k = 40, .padding = 1});
  for (const Algorithm algorithm : algorithms) {
    const Plan plan(convolution.shape(), {.algorithm = algorithm, .threads = 2});
    const GuardedArray transformed(plan.filter_floats() * sizeof(float));
    plan.transform_filter(convolution.filter().data(), transformed.floats().data());
    std::vector<std::vector<float>> outputs(4, std::vector<float>(plan.output_floats()));
    std::vector<std::thread> callers;
    for (std::vector<float>& output : outputs) {
      callers.emplace_back([&] {
        const GuardedArray scratch(plan.scratch_bytes());
        for (int run = 0; run < 3; ++run) {
          plan.run(convolution.image().data(), transformed.floats().data(), output.data(), scratch.data());
        }
      });
    }
    for (std::thread& caller : callers) caller.join();
    EXPECT_LE(relative_error(convolution.shape(), outputs[0], convolution.reference()), tolerance(algorithm));
    for (const std::vector<float>& output : outputs) EXPECT_TRUE(same_bits(output, outputs[0])) << to_string(algorithm);
  }
}

TEST(Threads, TheTransformedFilterServesAnyNumberOfThreads) {
  // A caller may keep it for as long as the plan's algorithm stays.
  const Convolution convolution({.n = 1, .c = 40, .h = 12, .w = 12, .k = 50, .padding = 1});
  for (const Algorithm algorithm : algorithms) {
    const Plan one(convolution.shape(), {.algorithm = algorithm, .threads = 1});
    const Plan three(convolution.shape(), {.algorithm = algorithm, .threads = 3});
    ASSERT_EQ(one.filter_floats(), three.filter_floats());
    const GuardedArray a(one.filter_floats() * sizeof(float));
    const GuardedArray b(one.filter_floats() * sizeof(float));
    one.transform_filter(convolution.filter().data(), a.floats().data());
    three.transform_filter(convolution.filter().data(), b.floats().data());
    EXPECT_EQ(std::memcmp(a.data(), b.data(), one.filter_floats() * sizeof(float)), 0) << to_string(algorithm);
  }
}

TEST(Threads, AMovedPlanRunsOn) {
  const Convolution convolution({.n = 1, .c = 8, .h = 10, .w = 10, .k = 8});
  Plan first(convolution.shape(), {.algorithm = Algorithm::f4, .threads = 1});
  Plan second = std::move(first);
  first = Plan({.n = 1, .c = 1, .h = 3, .w = 3, .k = 1});
  first = std::move(second);
  const GuardedArray transformed(first.filter_floats() * sizeof(float));
  const GuardedArray scratch(first.scratch_bytes());
  std::vector<float> output(first.output_floats());
  first.transform_filter(convolution.filter().data(), transformed.floats().data());
  first.run(convolution.image().data(), transformed.floats().data(), output.data(), scratch.data());
  EXPECT_LE(relative_error(convolution.shape(), output, convolution.reference()), tolerance(Algorithm::f4));
}

}  // namespace
}  // namespace rooftop::conv
