// Exchanges that are found gain what is said, whatever the instruction set, and tables of arrangements agree with
// tours.
// threads: none
#include "exchange_search.hpp"

#include <gtest/gtest.h>
#include <hwy/highway.h>

#include <algorithm>
#include <random>
#include <set>

#include "balance.hpp"
#include "field.hpp"

namespace rooftop::routing {
namespace {

std::vector<City> shuffled(City cities, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<City> order = counted(cities);
  std::shuffle(order.begin(), order.end(), random);
  return order;
}

Length length(const ArrayTour& tour) {
  Length sum = 0;
  for (City p = 0; p < tour.cities(); ++p) sum += tour.cost_behind(p);
  return sum;
}

/// Exchanges what is found around each city in turn until nothing is. The tour in the end.
std::vector<City> improved(const Field& field, std::vector<City> order, std::set<int>& depths) {
  ArrayTour tour(field.costs, std::move(order));
  ExchangeSearch search{.costs = &field.costs, .candidates = &field.candidates, .tour = &tour};
  for (bool found = true; found;) {
    found = false;
    for (City city = 0; city < tour.cities(); ++city) {
      if (!find_exchange(search, city)) continue;
      found = true;
      const Length before = length(tour);
      ArrayTour::Pieces pieces;
      EXPECT_GT(search.gain, 0);
      EXPECT_TRUE(tour.joins(search.exchange, pieces));
      tour.apply(pieces);
      tour.keep();
      EXPECT_EQ(length(tour), before - search.gain);
      depths.insert(search.exchange.edges);
      if (testing::Test::HasFailure()) return tour.order();
    }
  }
  return tour.order();
}

TEST(ExchangeSearch, GainsWhatItSaysInEveryInstructionSet) {
  for (const City cities : {9, 10, 17, 101, 1000}) {
    SCOPED_TRACE(cities);
    const Instance instance = in_plane(cities, 1000);
    const Field field(instance);
    const std::vector<City> order = shuffled(cities, 7);
    std::set<int> depths;
    const std::vector<City> expected = improved(field, order, depths);
    ASSERT_FALSE(HasFailure());
    EXPECT_TRUE(cities < 101 || depths == (std::set<int>{2, 3, 4, 5}));
    for (std::int64_t rest = hwy::SupportedTargets(); rest != 0; rest &= rest - 1) {
      hwy::SetSupportedTargetsForTest(rest & -rest);
      EXPECT_EQ(improved(field, order, depths), expected) << hwy::TargetName(rest & -rest);
      hwy::SetSupportedTargetsForTest(0);
    }
  }
}

TEST(ExchangeSearch, KeepsWhatIsFixed) {
  Instance instance = in_plane(60, 1000);
  instance.fixed_edges = {{3, 40}, {40, 11}, {20, 21}};
  const Field field(instance);
  const std::vector<City>& mates = field.nodes.mates();
  // Mates beside one another, in an order that is as bad as any.
  std::vector<City> order;
  for (City c = 0; c < field.costs.cities(); ++c) {
    const City mate = field.costs.mate(c);
    if (mate >= 0 && mate < c) continue;
    order.push_back(c);
    if (mate >= 0) order.push_back(mate);
  }
  ASSERT_EQ(order.size(), mates.size());
  std::set<int> depths;
  const ArrayTour tour(field.costs, improved(field, order, depths));
  EXPECT_FALSE(depths.empty());
  for (City c = 0; c < tour.cities(); ++c) {
    EXPECT_TRUE(mates[index(c)] < 0 || tour.has_edge(c, mates[index(c)])) << c;
  }
}

TEST(Arrangements, CloseWhatTheTourJoins) {
  const Arrangements& all = Arrangements::all();
  const Instance instance = in_plane(40, 1000);
  const Nodes nodes(instance, counted(40));
  const Costs costs(instance, nodes);
  const ArrayTour tour(costs, shuffled(40, 3));
  std::mt19937 random(4);
  int joined = 0;
  for (int trial = 0; trial < 20'000; ++trial) {
    std::vector<City> cuts = shuffled(40, static_cast<std::uint32_t>(random()));
    Exchange exchange;
    Arrangements::Number arrangement = 0;
    bool closes = false;
    const int edges = 2 + trial % 4;
    for (int e = 0; e < edges; ++e) {
      const City cut = cuts[index(e)], a = tour.at(cut), b = tour.next(a);
      const bool forward = random() % 2 == 0;
      exchange.ends[index(2 * e)] = forward ? a : b;
      exchange.ends[index(2 * e + 1)] = forward ? b : a;
      exchange.edges = e + 1;
      const auto before = std::count_if(cuts.begin(), cuts.begin() + e, [&](City other) { return other < cut; });
      const int place = Arrangements::place(static_cast<int>(before), forward);
      closes = (all.closing(arrangement) >> static_cast<unsigned>(place) & 1U) != 0;
      if (exchange.edges < most_exchanged) arrangement = all.with(arrangement, place);
    }
    ArrayTour::Pieces pieces;
    ASSERT_EQ(closes, tour.joins(exchange, pieces));
    joined += static_cast<int>(closes);
  }
  EXPECT_GT(joined, 1000);
}

TEST(Balance, IsZeroWhereExchangesLeadBack) {
  // Two edges are exchanged, and then those that have entered for those that have left.
  Exchange there;
  there.edges = 2;
  there.ends = {1, 2, 7, 6};
  Exchange back;
  back.edges = 2;
  back.ends = {2, 7, 6, 1};
  EXPECT_NE(balance(there), 0U);
  EXPECT_EQ(balance(there) + balance(back), 0U);
}

}  // namespace
}  // namespace rooftop::routing
