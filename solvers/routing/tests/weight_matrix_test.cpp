// threads: none
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "rooftop/tsplib.hpp"
#include "tsplib_text.hpp"

namespace rooftop::routing::testing {
namespace {

std::string matrix(const std::string& type, const std::string& format, const std::string& numbers) {
  return "TYPE : " + type + "\nDIMENSION : 4\nEDGE_WEIGHT_TYPE : EXPLICIT\nEDGE_WEIGHT_FORMAT : " + format +
         "\nEDGE_WEIGHT_SECTION\n" + numbers + "\nEOF\n";
}

TEST(WeightMatrix, EveryFormGivesTheSameMatrix) {
  const std::vector<std::int32_t> hollow = {0, 12, 13, 14, 12, 0, 23, 24, 13, 23, 0, 34, 14, 24, 34, 0};
  std::vector<std::int32_t> whole = hollow;
  for (std::size_t i = 0; i < 4; ++i) whole[5 * i] = static_cast<std::int32_t>(11 * (i + 1));
  const struct {
    std::string format, numbers;
    bool diagonal;
  } cases[] = {
      {"FULL_MATRIX", "11 12 13 14 12 22 23 24 13 23 33 34 14 24 34 44", true},
      {"UPPER_ROW", "12 13 14 23 24 34", false},
      {"LOWER_ROW", "12 13 23 14 24 34", false},
      {"UPPER_DIAG_ROW", "11 12 13 14 22 23 24 33 34 44", true},
      {"LOWER_DIAG_ROW", "11 12 22 13 23 33 14 24 34 44", true},
      {"UPPER_COL", "12 13 23 14 24 34", false},
      {"LOWER_COL", "12 13 14 23 24 34", false},
      {"UPPER_DIAG_COL", "11 12 22 13 23 33 14 24 34 44", true},
      {"LOWER_DIAG_COL", "11 12 13 14 22 23 24 33 34 44", true},
  };
  for (const auto& c : cases) {
    for (const std::string type : {"TSP", "ATSP"}) {
      const Instance instance = instance_of(matrix(type, c.format, c.numbers));
      EXPECT_EQ(instance.matrix, c.diagonal ? whole : hollow) << c.format;
      EXPECT_EQ(instance.metric, Metric::matrix);
      EXPECT_EQ(instance.symmetric, type == "TSP");
      EXPECT_EQ(distance(instance, 1, 3), 24) << c.format;
    }
  }
}

TEST(WeightMatrix, LinesMayBreakAnywhere) {
  const Instance instance = instance_of(matrix("TSP", "UPPER_ROW", "12\t13\r\n\r\n14 23   24\n\n   34"));
  EXPECT_EQ(distance(instance, 3, 0), 14);
  EXPECT_EQ(distance(instance, 3, 2), 34);
  EXPECT_TRUE(instance.x.empty());
}

TEST(WeightMatrix, RowsAreWhereTourComesFrom) {
  const Instance instance =
      instance_of(matrix("ATSP", "FULL_MATRIX", "9999 1 2 3 4 9999 5 6 7 8 9999 9 10 11 12 9999"));
  EXPECT_FALSE(instance.symmetric);
  EXPECT_EQ(distance(instance, 0, 1), 1);
  EXPECT_EQ(distance(instance, 1, 0), 4);
  EXPECT_EQ(distance(instance, 2, 2), 9999);
  EXPECT_EQ(length(instance, std::vector<std::int32_t>{0, 1, 2, 3}), 1 + 5 + 9 + 10);
}

TEST(WeightMatrix, NumbersMayBeNegativeSignedOrReals) {
  const Instance instance = instance_of(matrix("TSP", "UPPER_ROW", "-5 +7 1.0e+02 2.50e1 -2147483647 2147483647"));
  EXPECT_EQ(distance(instance, 0, 1), -5);
  EXPECT_EQ(distance(instance, 0, 2), 7);
  EXPECT_EQ(distance(instance, 0, 3), 100);
  EXPECT_EQ(distance(instance, 1, 2), 25);
  EXPECT_EQ(distance(instance, 1, 3), -2147483647);
  EXPECT_EQ(distance(instance, 2, 3), 2147483647);
}

TEST(WeightMatrix, CoordinatesMayStandBesideIt) {
  const std::string file =
      "TYPE: TSP\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: UPPER_ROW\n"
      "NODE_COORD_TYPE: THREED_COORDS\nDISPLAY_DATA_TYPE: TWOD_DISPLAY\nEDGE_WEIGHT_SECTION\n1 2 3\n"
      "DISPLAY_DATA_SECTION\n2 0.5 1\n1 0 0\n3 7 8\nNODE_COORD_SECTION\n1 1 2 3\n2 4 5 6\n3 7 8 9\n";
  const Instance instance = instance_of(file);
  EXPECT_EQ(distance(instance, 0, 1), 1);
  EXPECT_EQ(instance.z, (std::vector<double>{3, 6, 9}));
  EXPECT_EQ(instance.display_x, (std::vector<double>{0, 0.5, 7}));
  EXPECT_EQ(instance.display_y, (std::vector<double>{0, 1, 8}));
}

}  // namespace
}  // namespace rooftop::routing::testing
