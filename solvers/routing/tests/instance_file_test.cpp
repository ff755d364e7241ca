// threads: none
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "rooftop/tsplib.hpp"
#include "tsplib_text.hpp"

namespace rooftop::routing::testing {
namespace {

const std::string triangle = "1 0 0\n2 3 0\n3 0 4\n";

void expect_triangle(const Instance& instance) {
  EXPECT_EQ(instance.cities, 3);
  EXPECT_EQ(instance.x, (std::vector<double>{0, 3, 0}));
  EXPECT_EQ(instance.y, (std::vector<double>{0, 0, 4}));
  EXPECT_EQ(length(instance, std::vector<std::int32_t>{0, 1, 2}), 12);
}

TEST(InstanceFile, EntriesAreKept) {
  const Instance instance = instance_of(
      "NAME : three cities\nCOMMENT : first line\nTYPE : TSP\nCOMMENT : second: with a colon \nDIMENSION : 3\n"
      "EDGE_WEIGHT_TYPE : EUC_2D\nEDGE_WEIGHT_FORMAT: FUNCTION\nNODE_COORD_TYPE : TWOD_COORDS\n"
      "DISPLAY_DATA_TYPE : COORD_DISPLAY\nNODE_COORD_SECTION\n" +
      triangle + "EOF\n");
  expect_triangle(instance);
  EXPECT_EQ(instance.name, "three cities");
  EXPECT_EQ(instance.comment, "first line\nsecond: with a colon");
  EXPECT_TRUE(instance.symmetric);
  EXPECT_EQ(instance.metric, Metric::euc_2d);
  EXPECT_TRUE(instance.z.empty());
  EXPECT_TRUE(instance.matrix.empty());
}

TEST(InstanceFile, ColonsAndBlanksMayBeAnyhow) {
  for (const std::string colon : {" : ", ": ", ":", " :", " ", "\t", "\t:\t", "  :  "}) {
    for (const std::string end : {"\n", "\r\n", " \t\n", "\r", "\n\n"}) {
      std::string file = "NAME" + colon + "a" + end + "TYPE" + colon + "TSP" + end + "DIMENSION" + colon + "3" + end +
                         "EDGE_WEIGHT_TYPE" + colon + "EUC_2D" + end + "NODE_COORD_SECTION" + end;
      for (const std::string line : {"1 0 0", " 2\t3 0", "3 0 4 "}) file += line + end;
      for (const std::string& tail : {std::string(), std::string("EOF"), "EOF" + end + "what follows is not read"}) {
        expect_triangle(instance_of(file + tail));
      }
    }
  }
}

TEST(InstanceFile, NodesMayComeInAnyOrderAndAnyNotation) {
  expect_triangle(instance_of(plane("EUC_2D", "3", "3 0.0e+00 4.0E0\n1 -0 +0\n 2 30e-1\n .0\n")));
  expect_triangle(instance_of(plane("EUC_2D", "+3", "2.0 3. 0 1e0 0 0 3 0 4\n")));
}

TEST(InstanceFile, ARemarkMayFollowAValue) {
  expect_triangle(
      instance_of("TYPE : TSP (Reinelt)\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION :\n" + triangle));
}

TEST(InstanceFile, AByteOrderMarkIsSkipped) {
  expect_triangle(instance_of("\xEF\xBB\xBF" + plane("EUC_2D", "3", triangle)));
}

TEST(InstanceFile, WhatAVehicleNeedsIsPassedOver) {
  expect_triangle(instance_of(problem("3",
                                      "CAPACITY : 100\nEDGE_DATA_FORMAT : EDGE_LIST\nEDGE_WEIGHT_TYPE : EUC_2D\n"
                                      "NODE_COORD_SECTION\n" +
                                          triangle + "DEMAND_SECTION\n1 0\n2 7\n3 9\nDEPOT_SECTION\n1\n-1\n")));
}

TEST(InstanceFile, FixedEdgesAreKept) {
  const std::string nodes = "1 0 0\n2 1 0\n3 2 0\n4 3 0\n";
  const auto edges_of = [&](const std::string& edges) {
    return instance_of(plane("EUC_2D", "4", nodes + "FIXED_EDGES_SECTION\n" + edges)).fixed_edges;
  };
  using Edges = std::vector<std::pair<std::int32_t, std::int32_t>>;
  EXPECT_EQ(edges_of("1 2\n4 3\n-1\n"), (Edges{{0, 1}, {3, 2}}));
  EXPECT_EQ(edges_of("-1\n"), Edges{});
  EXPECT_EQ(edges_of("1 2 2 3 3 4 4 1 -1\n").size(), 4U);  // all of a tour
}

TEST(InstanceFile, AsymmetricProblemsMayHaveCoordinates) {
  const Instance instance =
      instance_of("TYPE: ATSP\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n" + triangle);
  expect_triangle(instance);
  EXPECT_FALSE(instance.symmetric);
}

TEST(InstanceFile, FilesAreReadByPath) {
  const std::string path = ::testing::TempDir() + "rooftop_triangle.tsp";
  std::ofstream(path) << plane("EUC_2D", "3", triangle);
  expect_triangle(read_instance_file(path));
  std::ofstream(path) << plane("EUC_2D", "4", triangle);
  try {
    (void)read_instance_file(path);
    ADD_FAILURE() << "a file without its fourth city was taken";
  } catch (const InvalidInput& error) {
    EXPECT_EQ(std::string(error.what()).find(path + ", line 9: NODE_COORD_SECTION ends at 'EOF' after 3 cities"), 0U)
        << error.what();
  }
  std::remove(path.c_str());
  EXPECT_THROW((void)read_instance_file(path), InvalidInput);
  EXPECT_THROW((void)read_tour_file(path), InvalidInput);
  EXPECT_THROW((void)read_instance_file(std::filesystem::temp_directory_path().string()), InvalidInput);
}

TEST(InstanceFile, MoreThanOneBufferIsRead) {
  constexpr std::int32_t cities = 50000;
  std::string nodes;
  for (std::int32_t i = cities; i > 0; --i) nodes += std::to_string(i) + " " + std::to_string(i) + ".25 0\n";
  const Instance instance = instance_of(plane("MAX_2D", std::to_string(cities), nodes));
  ASSERT_EQ(instance.x.size(), static_cast<std::size_t>(cities));
  for (std::size_t i = 0; i < instance.x.size(); ++i) ASSERT_EQ(instance.x[i], static_cast<double>(i) + 1.25);
}

}  // namespace
}  // namespace rooftop::routing::testing
