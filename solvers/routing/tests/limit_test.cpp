// A search ends in time and when it is asked to, whatever lies where, and has a tour.
#include "limit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "field.hpp"
#include "greedy.hpp"
#include "rooftop/routing.hpp"
#include "shared_places.hpp"

namespace rooftop::routing {
namespace {

bool is_tour(std::vector<City> order, City cities) {
  std::sort(order.begin(), order.end());
  return order == counted(cities);
}

/// `each` cities at every place of a line of them.
Instance at_places(City places, City each, double apart = 10) {
  Instance instance;
  instance.cities = places * each;
  for (City i = 0; i < instance.cities; ++i) instance.x.push_back(apart * (i % places)), instance.y.push_back(0);
  return instance;
}

Instance equal_distances(City cities, Cost distance, bool symmetric = true) {
  Instance instance;
  instance.cities = cities;
  instance.symmetric = symmetric;
  instance.metric = Metric::matrix;
  instance.matrix.assign(index(cities) * index(cities), distance);
  if (!symmetric) instance.matrix[1] += 1;
  return instance;
}

Instance with_fixed_edges(Instance instance) {
  for (City city = 0; city + 5 < instance.cities; city += 9) {
    instance.fixed_edges.emplace_back(city, city + 3);
    instance.fixed_edges.emplace_back(city + 3, city + 5);
  }
  return instance;
}

struct Given {
  const char* what;
  std::function<Instance()> make;
};

class Any : public testing::TestWithParam<Given> {};

const Given given[] = {
    {"one place", [] { return at_places(1, 4000); }},
    {"two places", [] { return at_places(2, 2000); }},
    {"places of many cities each", [] { return at_places(40, 100); }},
    {"a line", [] { return at_places(4000, 1); }},
    {"three at a place", [] { return at_places(1, 3); }},
    {"more at a place than are tried", [] { return at_places(1, 11); }},
    {"fractions of a unit", [] { return in_plane(4000, 1); }},
    {"a plane", [] { return in_plane(20'000, 1e6); }},
    {"a plane with fixed edges", [] { return with_fixed_edges(in_plane(4000, 1e6)); }},
    {"one place with fixed edges", [] { return with_fixed_edges(at_places(1, 4000)); }},
    {"equal distances", [] { return equal_distances(1500, 0); }},
    {"distances with directions", [] { return equal_distances(700, 5, false); }},
    {"directions and fixed edges", [] { return with_fixed_edges(equal_distances(700, 5, false)); }},
};

// Before coincident cities were joined, one place of 4000 took minutes.
TEST_P(Any, InputEndsInTime) {
  const Instance instance = GetParam().make();
  Options options;
  options.seconds = 0.2;
  const Solution found = solve(instance, options);
  EXPECT_TRUE(is_tour(found.order, instance.cities));
  EXPECT_EQ(found.length, length(instance, found.order));
  EXPECT_LT(found.seconds, 10) << GetParam().what;  // on a machine that does much else
}

TEST_P(Any, InputHasATourWhenAskedToStop) {
  const Instance instance = GetParam().make();
  const std::int32_t stop = 1;
  Options options;
  options.iterations = 1'000'000'000'000;
  options.stop = &stop;
  const Solution found = solve(instance, options);
  EXPECT_TRUE(is_tour(found.order, instance.cities));
  EXPECT_EQ(found.length, length(instance, found.order));
  EXPECT_EQ(found.iterations, 0);
}

INSTANTIATE_TEST_SUITE_P(Limit, Any, testing::ValuesIn(given),
                         [](const auto& one) { return std::to_string(one.index); });

TEST(SharedPlaces, AreJoinedWhereCitiesAreMany) {
  const auto joined = [](const Instance& instance) { return with_shared_places_joined(instance, sites(instance)); };
  EXPECT_FALSE(joined(at_places(40, 8)));
  const auto many = joined(at_places(40, 9));
  ASSERT_TRUE(many);
  EXPECT_EQ(many->fixed_edges.size(), 40U * 8);
  for (const auto& [a, b] : many->fixed_edges) EXPECT_EQ(distance(*many, a, b), 0);
  EXPECT_FALSE(joined(equal_distances(100, 0)));
  // What is fixed stays, and its cities with it.
  const Instance fixed = with_fixed_edges(at_places(1, 900));
  const auto both = joined(fixed);
  ASSERT_TRUE(both);
  EXPECT_TRUE(std::equal(fixed.fixed_edges.begin(), fixed.fixed_edges.end(), both->fixed_edges.begin()));
  EXPECT_EQ(both->fixed_edges.size(), fixed.fixed_edges.size() + 900 - 3 * 100 - 1);
}

TEST(SharedPlaces, AreVisitedOnceEach) {
  Instance instance = in_plane(30, 10'000);
  for (int copy = 0; copy < 30; ++copy) {
    for (std::size_t i = 0; i < 30; ++i) instance.x.push_back(instance.x[i]), instance.y.push_back(instance.y[i]);
  }
  Options options;
  options.iterations = 2000;
  const Length alone = solve(in_plane(30, 10'000), options).length;
  instance.cities = static_cast<City>(instance.x.size());
  EXPECT_EQ(solve(instance, options).length, alone);
}

/// Is out after so many questions.
class Limited final : public Patience {
 public:
  explicit Limited(int questions) : questions_(questions) {}
  [[nodiscard]] bool left() override { return questions_ > 0 && questions_-- > 0; }

 private:
  int questions_;
};

TEST(GreedyTour, IsATourWhereverPatienceRunsOut) {
  for (const Instance& instance : {in_plane(700, 1e6), with_fixed_edges(in_plane(700, 1e6)), at_places(3, 200)}) {
    const Field field(instance);
    for (int questions = 0; questions < 40; ++questions) {
      Limited patience(questions);
      const Price price = [&](City a, City b) { return field.costs(a, b); };
      const std::vector<City> tour = greedy_tour(field.costs, price, field.near, field.there, 1, patience);
      EXPECT_TRUE(is_tour(tour, field.costs.cities())) << questions;
      EXPECT_TRUE(is_tour(field.nodes.cities(tour), instance.cities)) << questions;
    }
  }
}

TEST(Limit, GoesOnUntilItsTimeIsOverOrItsFlagIsSet) {
  std::int32_t flag = 0;
  running::Limit limit(running::Limit::no_limit, &flag), none(running::Limit::no_limit, nullptr), over(0, nullptr);
  EXPECT_TRUE(limit.left());
  EXPECT_FALSE(over.left());
  EXPECT_FALSE(over.stopped());
  EXPECT_TRUE(over.left(3600));
  flag = 1;
  EXPECT_FALSE(limit.left(3600));
  flag = 0;
  EXPECT_TRUE(limit.stopped());  // as before
  EXPECT_TRUE(none.left());
  none.stop();
  EXPECT_FALSE(none.left());
}

}  // namespace
}  // namespace rooftop::routing
