// Problems and options that make no sense are refused with one line that names the value.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "rooftop/network.hpp"

namespace {

namespace network = rooftop::network;

network::Problem one_arc() {
  network::Problem problem;
  problem.nodes = 2;
  problem.months = problem.objectives = 1;
  problem.tail = {0};
  problem.head = {1};
  problem.capacity_kg = {100};
  problem.payload_kg = 10;
  problem.per_vehicle = problem.per_kg = {1};
  problem.shipments = {{0, 0, 1, 10}};
  return problem;
}

struct Mistake {
  const char* says;
  std::function<void(network::Problem&, network::Options&)> make;
};

class Refused : public testing::TestWithParam<Mistake> {};

TEST_P(Refused, InOneLine) {
  network::Problem problem = one_arc();
  network::Options options;
  options.iterations = 5;
  EXPECT_EQ(network::solve(problem, options).front.size(), 1U);
  GetParam().make(problem, options);
  try {
    (void)network::solve(problem, options);
    FAIL() << "taken: " << GetParam().says;
  } catch (const network::InvalidInput& error) {
    EXPECT_NE(std::string(error.what()).find(GetParam().says), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("expected"), std::string::npos) << error.what();
  }
}

using P = network::Problem;
using O = network::Options;
const Mistake mistakes[] = {
    {"nodes is 0", [](P& p, O&) { p.nodes = 0; }},
    {"months is 0", [](P& p, O&) { p.months = 0; }},
    {"objectives is 17", [](P& p, O&) { p.objectives = 17; }},
    {"payload is 0", [](P& p, O&) { p.payload_kg = 0; }},
    {"differ in length", [](P& p, O&) { p.tail.clear(); }},
    {"another length", [](P& p, O&) { p.per_kg.push_back(1); }},
    {"head of arc 0 is 2", [](P& p, O&) { p.head[0] = 2; }},
    {"ends where it begins", [](P& p, O&) { p.head[0] = 0; }},
    {"capacity of arc 0 is -1", [](P& p, O&) { p.capacity_kg[0] = -1; }},
    {"figure of arc 0 is nan", [](P& p, O&) { p.per_kg[0] = std::nan(""); }},
    {"figure of arc 0 is inf", [](P& p, O&) { p.per_vehicle[0] = std::numeric_limits<double>::infinity(); }},
    {"figure of arc 0 is -1", [](P& p, O&) { p.per_kg[0] = -1; }},
    {"no shipments", [](P& p, O&) { p.shipments.clear(); }},
    {"month of shipment 0 is 1", [](P& p, O&) { p.shipments[0].month = 1; }},
    {"goes nowhere", [](P& p, O&) { p.shipments[0].to = 0; }},
    {"weight of shipment 0 is 0", [](P& p, O&) { p.shipments[0].kg = 0; }},
    {"weight of shipment 0", [](P& p, O&) { p.shipments[0].kg = std::numeric_limits<std::int64_t>::max(); }},
    {"no path leads from node 1 to node 0",
     [](P& p, O&) {
       p.shipments[0] = {0, 1, 0, 1};
     }},
    {"no path leads from node 2000000001 to node 0",
     [](P& p, O&) {
       p.nodes = 2'000'000'002;
       p.shipments[0] = {0, 2'000'000'001, 0, 1};
     }},
    {"iterations is -1", [](P&, O& o) { o.iterations = -1; }},
    {"seconds is 0", [](P&, O& o) { o.iterations = 0, o.seconds = 0; }},
    {"threads is -1", [](P&, O& o) { o.threads = -1; }},
    {"plans is 0", [](P&, O& o) { o.plans = 0; }},
    {"2 weights",
     [](P&, O& o) {
       o.weights = {1, 2};
     }},
    {"a weight is -1", [](P&, O& o) { o.weights = {-1}; }},
    {"all weights are 0", [](P&, O& o) { o.weights = {0}; }},
};

// What is divided by their range would be infinite, and no path the shortest.
TEST(Figures, TooSmallOrTooLargeToCalculateWithAreRefused) {
  for (const double figure : {1e-310, 9e-101, 2e100}) {
    network::Problem problem = one_arc();
    problem.per_vehicle[0] = problem.per_kg[0] = figure;
    network::Options options;
    options.iterations = 5;
    EXPECT_THROW((void)network::solve(problem, options), network::InvalidInput) << figure;
  }
}

// Of such counts, memory for every node or month would be gigabytes.
TEST(Counts, OfNodesAndMonthsTakeNoMemory) {
  network::Problem problem = one_arc(), sparse = one_arc();
  sparse.nodes = std::numeric_limits<std::int32_t>::max();
  sparse.months = 1 << 20;
  sparse.tail = {7};
  sparse.head = {sparse.nodes - 1};
  sparse.shipments = {{sparse.months - 1, 7, sparse.nodes - 1, 10}};
  network::Options options;
  options.iterations = 5;
  const network::Solution found = network::solve(sparse, options), wanted = network::solve(problem, options);
  ASSERT_EQ(found.front.size(), 1U);
  EXPECT_EQ(found.front[0].values, wanted.front[0].values);
  EXPECT_EQ(found.front[0].paths, wanted.front[0].paths);
}

INSTANTIATE_TEST_SUITE_P(Mistakes, Refused, testing::ValuesIn(mistakes));

}  // namespace
