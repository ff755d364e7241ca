// The whole front of networks small enough to look at every plan.
// threads: none
#include <gtest/gtest.h>

#include <vector>

#include "every_plan.hpp"
#include "rooftop/network.hpp"

namespace {

namespace network = rooftop::network;
using network_test::bill;
using network_test::Point;
using network_test::values_of;

class SmallNetworks : public testing::TestWithParam<int> {};

TEST_P(SmallNetworks, HaveTheirWholeFrontFound) {
  const auto seed = static_cast<std::uint64_t>(GetParam());
  const network::Problem problem = network_test::random_problem(seed, 5, 5, 4, 1 + GetParam() % 2);
  const std::vector<Point> expected = network_test::whole_front(problem);
  network::Options options;
  options.iterations = 1600;
  options.seed = 1;
  options.threads = 1;
  const network::Solution found = network::solve(problem, options);
  ASSERT_FALSE(expected.empty());
  EXPECT_EQ(values_of(found), expected);
  for (const network::PlanOfPaths& plan : found.front) EXPECT_EQ(bill(problem, plan.paths).values, plan.values);
}

INSTANTIATE_TEST_SUITE_P(Random, SmallNetworks, testing::Range(1, 25));

}  // namespace
