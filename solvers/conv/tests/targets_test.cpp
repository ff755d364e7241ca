/// Every instruction set that is compiled in and that this processor has gives the right result.
#include <gtest/gtest.h>
#include <hwy/highway.h>

#include <cstdint>
#include <set>
#include <string>

#include "convolution.hpp"

namespace rooftop::conv {
namespace {

TEST(Targets, EachOneThatRunsHereIsRight) {
  std::set<std::string> seen;
  const std::vector<Convolution> convolutions = [] {
    std::vector<Convolution> list;
    list.emplace_back(Shape{.n = 1, .c = 3, .h = 3, .w = 3, .k = 1});
    for (const std::int64_t c : {1, 2, 4, 5}) {  // kernels of their own, as 3 has
      list.emplace_back(Shape{.n = 1, .c = c, .h = 11, .w = 75, .k = 19, .padding = 1});
    }
    list.emplace_back(Shape{.n = 1, .c = 3, .h = 66, .w = 258, .k = 64});  // written past the caches
    list.emplace_back(Shape{.n = 2, .c = 17, .h = 13, .w = 10, .k = 33, .padding = 1});
    list.emplace_back(Shape{.n = 2, .c = 3, .h = 21, .w = 75, .k = 35, .padding = 1});
    list.emplace_back(Shape{.n = 1, .c = 48, .h = 30, .w = 29, .k = 64});
    list.emplace_back(Shape{.n = 1, .c = 130, .h = 9, .w = 9, .k = 97, .padding = 1});
    return list;
  }();
  const std::int64_t supported = hwy::SupportedTargets();
  for (std::int64_t rest = supported; rest != 0; rest &= rest - 1) {
    const std::int64_t target = rest & -rest;
    hwy::SetSupportedTargetsForTest(target);
    const std::string name = Plan({}, {}).instruction_set();
    // A target that the kernels leave out falls back to another.
    if (!seen.insert(name).second) continue;
    SCOPED_TRACE(name);
    for (const Convolution& convolution : convolutions) {
      for (const Algorithm algorithm : {Algorithm::direct, Algorithm::f2, Algorithm::f4, Algorithm::f6}) {
        for (const Layout layout : {Layout::nchw, Layout::blocked}) {
          convolution.run({.input = layout, .output = layout, .algorithm = algorithm, .threads = 2});
        }
      }
    }
  }
  hwy::SetSupportedTargetsForTest(0);
  std::string names;
  for (const std::string& name : seen) names += name + " ";
  RecordProperty("targets", names);
  std::printf("targets run: %s\n", names.c_str());
  // The best one must be the one used without being asked.
  EXPECT_TRUE(seen.contains(Plan({}, {}).instruction_set()));
}

}  // namespace
}  // namespace rooftop::conv
