/// Outputs past the caches and through them have the same bits, whatever their size.
#include <gtest/gtest.h>

#include <cstring>
#include <utility>
#include <vector>

#include "convolution.hpp"
#include "races_only.hpp"
#include "scheduled_run.hpp"

namespace rooftop::conv::internal {
namespace {

using running::races_only;

/// Where an output lies: planes need not begin with a line.
struct Place {
  Layout layout;
  GuardedArray::Place place;
};

class Streaming : public testing::TestWithParam<Shape> {};

TEST_P(Streaming, LeavesTheBitsAlone) {
  const Convolution convolution(GetParam());
  for (const Place& where :
       {Place{Layout::nchw, GuardedArray::Place::back}, Place{Layout::nchw, GuardedArray::Place::front},
        Place{Layout::blocked, GuardedArray::Place::line}}) {
    for (const auto& [m, algorithm] :
         {std::pair(0, Algorithm::direct), {2, Algorithm::f2}, {4, Algorithm::f4}, {6, Algorithm::f6}}) {
      Schedule schedule{.m = m, .block_tiles = 7, .threads = 2};
      const std::vector<float> through = scheduled_run(convolution, schedule, {.output = where.layout}, where.place);
      schedule.stream = true;
      const std::vector<float> past = scheduled_run(convolution, schedule, {.output = where.layout}, where.place);
      ASSERT_FALSE(through.empty());
      ASSERT_EQ(past.size(), through.size());
      EXPECT_EQ(std::memcmp(past.data(), through.data(), through.size() * sizeof(float)), 0) << to_string(algorithm);
      if (where.layout == Layout::blocked) continue;
      EXPECT_LE(relative_error(convolution.shape(), past, convolution.reference()), tolerance(algorithm));
    }
  }
}

/// Few channels and many; planes of whole lines in rows that are and are not; one output, primes.
std::vector<Shape> shapes() {
  std::vector<Shape> found;
  for (const std::int64_t c : {1, 3, 5, 6, 17}) {
    found.push_back({.n = 1, .c = c, .h = 3, .w = 3, .k = 1});
    found.push_back({.n = 2, .c = c, .h = 13, .w = 31, .k = 37, .padding = 1});
    found.push_back({.n = 1, .c = c, .h = 16, .w = 7, .k = 19, .padding = 1});
    found.push_back({.n = 1, .c = c, .h = 9, .w = 80, .k = 16, .padding = 1});
    if (races_only) continue;
    found.push_back({.n = 1, .c = c, .h = 10, .w = 66, .k = 35});
    found.push_back({.n = 3, .c = c, .h = 4, .w = 101, .k = 5, .padding = 1});
  }
  return found;
}

INSTANTIATE_TEST_SUITE_P(Shapes, Streaming, testing::ValuesIn(shapes()), test_name);

}  // namespace
}  // namespace rooftop::conv::internal
