// First tours and the colonies that set out from them: tours are tours, and the best is never lost.
#include "race.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>

#include "field.hpp"

namespace rooftop::routing {
namespace {

class Forever final : public Patience {
 public:
  bool left() override { return true; }
};

bool is_tour(std::vector<City> order, City cities) {
  std::sort(order.begin(), order.end());
  return order == counted(cities);
}

TEST(FirstTours, VisitEveryCityOnce) {
  for (const City cities : {9, 13, 97, 500}) {
    for (const double width : {0.0, 20.0, 10'000.0}) {
      for (const bool with_sites : {true, false}) {
        const Instance instance = in_plane(cities, width);
        const Field field(instance, with_sites);
        for (int number = 0; number < 8; ++number) {
          EXPECT_TRUE(is_tour(first_tour(number, field.terrain(), 1, 1), cities))
              << number << " of " << cities << " cities in " << width;
        }
      }
    }
  }
}

TEST(FirstTours, DifferByNumberAndAreTheSameForASeed) {
  const Instance instance = in_plane(500, 10'000);
  const Field field(instance);
  std::set<std::vector<City>> seen;
  for (int number = 0; number < 8; ++number) {
    const std::vector<City> tour = first_tour(number, field.terrain(), 5, 1);
    EXPECT_EQ(tour, first_tour(number, field.terrain(), 5, 2));
    seen.insert(tour);
  }
  EXPECT_EQ(seen.size(), 8U);
}

TEST(Race, NeverLosesItsBestTour) {
  for (const City cities : {97, 1'009, 2'003}) {
    const Instance instance = in_plane(cities, 10'000);
    const Field field(instance);
    Race race(field.terrain(), field.candidates, 1, 2);
    Forever patience;
    Length before = std::numeric_limits<Length>::max();
    const auto look = [&] {
      EXPECT_TRUE(is_tour(race.best(), cities));
      EXPECT_EQ(race.best_length(), length(instance, race.best()));
      EXPECT_LE(race.best_length(), before);
      before = race.best_length();
    };
    race.set_out();
    look();
    race.improve(patience);
    look();
    for (int round = 0; round <= 20; ++round) {
      const double done = round / 20.0;
      EXPECT_GT(race.rounds(1'000'000, 100 * (1 - done), done, patience), 0);
      look();
    }
  }
}

TEST(Race, SetsOutFromAnInitialTour) {
  const Instance instance = in_plane(300, 10'000);
  const Field field(instance);
  Forever patience;
  Race searched(field.terrain(), field.candidates, 1, 2);
  searched.set_out();
  searched.improve(patience);
  Race first(field.terrain(), field.candidates, 1, 2), second(field.terrain(), field.candidates, 1, 2, 1);
  first.set_out(patience, searched.best());
  EXPECT_EQ(first.best(), searched.best());
  second.set_out(patience, searched.best());
  EXPECT_GT(second.best_length(), searched.best_length());
}

TEST(Race, WalksAsOftenAsItIsAsked) {
  const Instance instance = in_plane(300, 10'000);
  const Field field(instance);
  Race race(field.terrain(), field.candidates, 1, 3);
  Forever patience;
  race.set_out();
  race.improve(patience);
  for (const int walks : {1, 3, 7, 100}) EXPECT_EQ(race.rounds(walks, 0, 0, patience), walks);
}

}  // namespace
}  // namespace rooftop::routing
