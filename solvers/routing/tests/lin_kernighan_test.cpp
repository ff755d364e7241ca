// A tour that was broken is repaired around its ends, and whoever repairs it knows when it is what it was.
// threads: none
#include "lin_kernighan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

#include "field.hpp"

namespace rooftop::routing {
namespace {

class AsLongAsItTakes : public Patience {
 public:
  [[nodiscard]] bool left() override { return ++questions > 0; }
  int questions = 0;
};

/// Is out after so many questions.
class Limited : public Patience {
 public:
  explicit Limited(int questions) : questions_(questions) {}
  [[nodiscard]] bool left() override { return questions_-- > 0; }

 private:
  int questions_;
};

Length length(const ArrayTour& tour) {
  Length sum = 0;
  for (City p = 0; p < tour.cities(); ++p) sum += tour.cost_behind(p);
  return sum;
}

bool same_edges(const ArrayTour& tour, const std::vector<City>& order) {
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (!tour.has_edge(order[i], order[(i + 1) % order.size()])) return false;
  }
  return true;
}

/// Exchanges the edges behind four positions, in rising order, for a double bridge, and wakes their ends.
Exchange broken(ArrayTour& tour, LinKernighan& search, const std::array<City, 4>& positions) {
  Exchange bridge;
  bridge.edges = 4;
  bridge.double_bridge = true;
  for (int e = 0; e < 4; ++e) {
    const City before = tour.at(positions[index(e)]);
    bridge.ends[index(2 * e)] = before;
    bridge.ends[index(2 * e + 1)] = tour.next(before);
  }
  for (int end = 0; end < 8; ++end) search.wake(bridge.ends[index(end)]);
  ArrayTour::Pieces pieces;
  EXPECT_TRUE(tour.joins(bridge, pieces));
  tour.apply(pieces);
  return bridge;
}

TEST(LinKernighan, KnowsWhenATourIsBackAsItWas) {
  for (const City cities : {12, 101, 700}) {
    SCOPED_TRACE(cities);
    const Instance instance = in_plane(cities, 1000);
    const Field field(instance);
    ArrayTour tour(field.costs, counted(cities));
    LinKernighan search(field.costs, field.candidates, tour);
    AsLongAsItTakes patience;
    const Length at_first = length(tour);
    for (City city = 0; city < cities; ++city) search.wake(city);
    const Length shorter = search.run(patience);
    EXPECT_EQ(length(tour), at_first - shorter);

    std::mt19937 random(5);
    int back = 0, otherwise = 0;
    for (int trial = 0; trial < 500; ++trial) {
      const std::vector<City> before = tour.order();
      const Length whole = length(tour);
      const City most = std::min<City>(30, cities);
      std::array<City, 4> positions{};
      for (City& position : positions) position = static_cast<City>(random() % static_cast<unsigned>(most));
      std::sort(positions.begin(), positions.end());
      if (std::adjacent_find(positions.begin(), positions.end()) != positions.end()) continue;
      tour.begin();
      std::vector<Exchange> made{broken(tour, search, positions)};
      const Length longer = length(tour) - whole;
      const LinKernighan::Repaired repaired = search.repair(made);
      ASSERT_EQ(length(tour), whole + longer - repaired.shorter);
      ASSERT_EQ(repaired.back, same_edges(tour, before));
      ++(repaired.back ? back : otherwise);
      patience.questions = 0;
      ASSERT_EQ(search.run(patience), 0);
      ASSERT_EQ(patience.questions, 0);  // nobody waits any longer
      if (repaired.back) {
        ASSERT_EQ(repaired.shorter, longer);
      }
      if (length(tour) > whole) tour.undo();
    }
    EXPECT_GT(back, 0);
    EXPECT_TRUE(otherwise > 0 || cities < 101);  // a few cities are always back
  }
}

TEST(LinKernighan, LetsNobodyWaitWhenPatienceIsOut) {
  const Instance instance = in_plane(3000, 1000);
  const Field field(instance);
  ArrayTour tour(field.costs, counted(3000));
  LinKernighan search(field.costs, field.candidates, tour);
  for (City city = 0; city < 3000; ++city) search.wake(city);
  Limited none(0), one(1);
  const Length whole = length(tour);
  EXPECT_EQ(search.run(none), 0);
  AsLongAsItTakes patience;
  EXPECT_EQ(search.run(patience), 0);  // nobody waits
  for (City city = 0; city < 3000; ++city) search.wake(city);
  const Length some = search.run(one);
  EXPECT_GT(some, 0);
  for (City city = 0; city < 3000; ++city) search.wake(city);
  EXPECT_GT(search.run(patience), some);  // much was left to be found
  EXPECT_LT(length(tour), whole / 4);
}

}  // namespace
}  // namespace rooftop::routing
