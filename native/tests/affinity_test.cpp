#include <gtest/gtest.h>
#include <omp.h>
#include <sched.h>

#include <algorithm>
#include <rooftop/affinity.hpp>

namespace {

TEST(Affinity, AllowedCoresAreAscendingAndNotEmpty) {
  const auto cores = rooftop::allowed_cores();
  ASSERT_FALSE(cores.empty());
  EXPECT_TRUE(std::is_sorted(cores.begin(), cores.end()));
}

TEST(Affinity, FollowsABinding) {
  const auto before = rooftop::allowed_cores();
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(static_cast<std::size_t>(before.back()), &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  EXPECT_EQ(rooftop::allowed_cores(), std::vector<int>{before.back()});
  cpu_set_t all;
  CPU_ZERO(&all);
  for (const int core : before) CPU_SET(static_cast<std::size_t>(core), &all);
  ASSERT_EQ(sched_setaffinity(0, sizeof all, &all), 0);
}

TEST(Affinity, OneEntryPerThread) {
  omp_set_dynamic(0);
  for (const int threads : {1, 2, 5}) {
    const auto binding = rooftop::team_binding(threads);
    ASSERT_EQ(binding.size(), static_cast<std::size_t>(threads));
    for (const auto& cores : binding) EXPECT_FALSE(cores.empty());
  }
}

}  // namespace
