// threads: none
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "rooftop/tsplib.hpp"
#include "tsplib_text.hpp"

namespace rooftop::routing::testing {
namespace {

using Point = std::array<double, 3>;

/// Between two cities; a third keeps the first one company.
std::int32_t between(Metric metric, const Point& a, const Point& b) {
  Instance instance;
  instance.cities = 3;
  instance.metric = metric;
  instance.x = {a[0], b[0], a[0]};
  instance.y = {a[1], b[1], a[1]};
  instance.z = {a[2], b[2], a[2]};
  EXPECT_EQ(distance(instance, 0, 1), distance(instance, 1, 0));
  EXPECT_EQ(distance(instance, 0, 0), 0);
  return distance(instance, 0, 1);
}

TEST(Metrics, EuclideanGoesToTheNearestInteger) {
  EXPECT_EQ(between(Metric::euc_2d, {0, 0}, {3, 4}), 5);
  EXPECT_EQ(between(Metric::euc_2d, {0, 0}, {1, 1}), 1);    // 1.41
  EXPECT_EQ(between(Metric::euc_2d, {0, 0}, {2, 2}), 3);    // 2.83
  EXPECT_EQ(between(Metric::euc_2d, {0, 0}, {1.5, 2}), 3);  // 2.5
  EXPECT_EQ(between(Metric::euc_2d, {-1, -1}, {-1, -1}), 0);
  EXPECT_EQ(between(Metric::euc_3d, {0, 0, 0}, {2, 3, 6}), 7);
  EXPECT_EQ(between(Metric::euc_3d, {0, 0, 0}, {1, 1, 1}), 2);  // 1.73
}

TEST(Metrics, CeilingGoesUp) {
  EXPECT_EQ(between(Metric::ceil_2d, {0, 0}, {3, 4}), 5);
  EXPECT_EQ(between(Metric::ceil_2d, {0, 0}, {1, 1}), 2);
  EXPECT_EQ(between(Metric::ceil_2d, {0, 0}, {0.001, 0}), 1);
}

TEST(Metrics, MaximumAndManhattanGoToTheNearestInteger) {
  EXPECT_EQ(between(Metric::max_2d, {0, 0}, {2.5, -1}), 3);
  EXPECT_EQ(between(Metric::max_2d, {0, 0}, {2.4, -7}), 7);
  EXPECT_EQ(between(Metric::max_3d, {0, 0, 0}, {2, 3, -6}), 6);
  EXPECT_EQ(between(Metric::man_2d, {0, 0}, {1.25, -1.25}), 3);
  EXPECT_EQ(between(Metric::man_2d, {0, 0}, {1.2, -1.2}), 2);
  EXPECT_EQ(between(Metric::man_3d, {0, 0, 0}, {2, 3, -6}), 11);
}

TEST(Metrics, PseudoEuclideanGoesUp) {
  EXPECT_EQ(between(Metric::att, {0, 0}, {10, 0}), 4);    // sqrt(10) = 3.16
  EXPECT_EQ(between(Metric::att, {0, 0}, {10, 30}), 10);  // sqrt(100)
  EXPECT_EQ(between(Metric::att, {0, 0}, {22, 11}), 8);   // sqrt(60.5) = 7.78
  EXPECT_EQ(between(Metric::att, {6734, 1453}, {2233, 10}), 1495);
}

TEST(Metrics, GeographicalTakesDegreesAndMinutesWithTruncation) {
  EXPECT_EQ(between(Metric::geo, {0, 0}, {0, 90}), 10020);      // 6378.388 3.141592 / 2 + 1 = 10020.1
  EXPECT_EQ(between(Metric::geo, {0, 0}, {0, 0.30}), 56);       // half a degree: 55.7 + 1
  EXPECT_EQ(between(Metric::geo, {0, 0}, {0, 0.55}), 103);      // 55 minutes: 102.05 + 1; rounded degrees would give 28
  EXPECT_EQ(between(Metric::geo, {0, 0}, {0, -0.55}), 103);     // the same to the west
  EXPECT_EQ(between(Metric::geo, {-0.30, 0}, {0.30, 0}), 112);  // a degree along a meridian: 111.3 + 1
  EXPECT_EQ(between(Metric::geo, {45.30, 7.15}, {45.30, 7.15}), 1);
  EXPECT_EQ(between(Metric::geo, {90, 0}, {-90, 0}), 20039);             // 6378.388 3.141592 + 1 = 20039.3
  EXPECT_EQ(between(Metric::geo, {16.47, 96.10}, {16.47, 94.44}), 153);  // burma14's first two
  EXPECT_EQ(between(Metric::geo, {38.24, 20.42}, {39.57, 26.15}), 509);  // ulysses16's
}

TEST(Metrics, DiffractometersWaitForTheirSlowestMotor) {
  EXPECT_EQ(between(Metric::xray1, {0, 0, 0}, {10, 5, -3}), 1000);
  EXPECT_EQ(between(Metric::xray1, {-175, 0, 0}, {175, 8, 0}), 1000);  // 350 degrees are 10 the other way
  EXPECT_EQ(between(Metric::xray2, {0, 0, 0}, {10, 9, 11.5}), 1000);   // 8, 6 and 10
  EXPECT_EQ(between(Metric::xray2, {0, 0, 0}, {10, 3, 1}), 800);
  EXPECT_EQ(between(Metric::xray2, {0, 0, 0}, {1, 15, 1}), 1000);
}

TEST(Metrics, EveryNameIsReadAndMeasured) {
  const struct {
    std::string name;
    int coordinates;
    std::int32_t expected;
  } cases[] = {{"EUC_2D", 2, 4}, {"EUC_3D", 3, 7},  {"CEIL_2D", 2, 4}, {"MAX_2D", 2, 3},
               {"MAX_3D", 3, 6}, {"MAN_2D", 2, 5},  {"MAN_3D", 3, 11}, {"ATT", 2, 2},
               {"GEO", 2, 402},  {"XRAY1", 3, 600}, {"XRAY2", 3, 522}};
  for (const auto& c : cases) {
    const std::string z = c.coordinates == 3 ? " 6" : "", zero = c.coordinates == 3 ? " 0" : "";
    const std::string nodes = "1 0 0" + zero + "\n2 2 3" + z + "\n3 0 0" + zero + "\n";
    EXPECT_EQ(distance(instance_of(plane(c.name, "3", nodes)), 0, 1), c.expected) << c.name;
  }
}

TEST(Metrics, LengthIsOfTheClosedTour) {
  const Instance square = instance_of(plane("EUC_2D", "4", "1 0 0\n2 0 10\n3 10 10\n4 10 0\n"));
  EXPECT_EQ(length(square, std::vector<std::int32_t>{0, 1, 2, 3}), 40);
  EXPECT_EQ(length(square, std::vector<std::int32_t>{0, 2, 1, 3}), 48);  // two diagonals of 14.1
  EXPECT_THROW((void)length(square, std::vector<std::int32_t>{0, 1, 2}), InvalidInput);
  EXPECT_THROW((void)length(square, std::vector<std::int32_t>{0, 1, 2, 4}), InvalidInput);
  EXPECT_THROW((void)length(square, std::vector<std::int32_t>{0, 1, 2, -1}), InvalidInput);
}

TEST(Metrics, LongestToursFitTheirSum) {
  Instance far;
  far.cities = 4;
  far.symmetric = false;
  far.metric = Metric::matrix;
  far.matrix.assign(16, 2147483647);
  EXPECT_EQ(length(far, std::vector<std::int32_t>{0, 1, 2, 3}), std::int64_t{4} * 2147483647);
}

}  // namespace
}  // namespace rooftop::routing::testing
