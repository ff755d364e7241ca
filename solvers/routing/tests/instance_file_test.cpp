// threads: none
#include <gtest/gtest.h>

#include <algorithm>
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
  for (const std::string end : {"", "EOF\n", "comment: a\n", "DEPOT_SECTION\n1\n-1\n", "BEST: 7\n"}) {
    EXPECT_EQ(edges_of("1 2\n4 3\n" + end), (Edges{{0, 1}, {3, 2}})) << end;  // without -1
  }
}

TEST(InstanceFile, LowerCaseIsTaken) {
  const Instance instance = instance_of(
      "name : Three Cities\nComment: As It Is\ntype: tsp\nDimension :3\nedge_weight_type:euc_2d\n"
      "node_coord_type : twod_coords\ndisplay_data_type: coord_display\nnode_coord_section\n" +
      triangle + "fixed_edges_section\n1 2\n-1\neof\nwhat follows");
  expect_triangle(instance);
  EXPECT_EQ(instance.name, "Three Cities");
  EXPECT_EQ(instance.comment, "As It Is");
  EXPECT_EQ(instance.fixed_edges.size(), 1U);
  EXPECT_EQ(instance_of("type: atsp\ndimension: 3\nedge_weight_type: explicit\nedge_weight_format: full_matrix\n"
                        "edge_weight_section\n0 1 2 3 0 4 5 6 0\n")
                .matrix.size(),
            9U);
}

TEST(InstanceFile, CommentsArePassedOver) {
  const Instance instance = instance_of(
      "# a file\n  # of three cities\nNAME : graph #3\nTYPE : TSP # no CVRP\nDIMENSION : 3  # cities\n#DIMENSION : 4\n"
      "CAPACITY : 7\t# of none\nEDGE_WEIGHT_TYPE : EUC_2D# in the plane\n"
      "NODE_COORD_SECTION # x and y\n1 0 0 # the first\n#2 9 9\r2 3\n# NODE_COORD_SECTION\n0\n3 0 4\n#\n# end");
  expect_triangle(instance);
  EXPECT_EQ(instance.name, "graph #3");
  EXPECT_TRUE(instance.remarks.empty());
}

TEST(InstanceFile, SectionsAndEntriesMayComeInAnyOrder) {
  const std::string nodes = "NODE_COORD_SECTION\n" + triangle, edges = "FIXED_EDGES_SECTION\n1 2\n-1\n";
  std::vector<std::string> parts = {"TYPE: TSP\n", "DIMENSION: 3\n", "EDGE_WEIGHT_TYPE: EUC_2D\n", nodes,
                                    edges,         "COMMENT: a\n"};
  std::sort(parts.begin(), parts.end());
  do {
    std::string text;
    for (const std::string& part : parts) text += part;
    const Instance instance = instance_of(text + "EOF\nDIMENSION: 4\n");
    expect_triangle(instance);
    EXPECT_EQ(instance.fixed_edges.size(), 1U) << text;
    EXPECT_EQ(instance.comment, "a") << text;
  } while (std::next_permutation(parts.begin(), parts.end()));
  EXPECT_EQ(instance_of("EDGE_WEIGHT_SECTION\n1 2 3\nEDGE_WEIGHT_FORMAT: UPPER_ROW\nEDGE_WEIGHT_TYPE: EXPLICIT\n"
                        "DIMENSION: 3\nTYPE: TSP\n")
                .matrix,
            (std::vector<std::int32_t>{0, 1, 2, 1, 0, 3, 2, 3, 0}));
}

TEST(InstanceFile, UnknownKeywordsAreSkippedWithARemark) {
  const auto remark = [](int line, const std::string& word) {
    return "input, line " + std::to_string(line) + ": the keyword '" + word + "' is unknown and skipped";
  };
  const Instance instance = instance_of(
      "BEST_KNOWN : 12\nTYPE: TSP\nDIMENSION: 3\nvehicles 7\nEDGE_WEIGHT_TYPE: EUC_2D\n"
      "TIME_WINDOW_SECTION\n1 0 9\n2 0 9\n-1\nNODE_COORD_SECTION\n" +
      triangle + "Author : somebody\nFIXED_EDGES_SECTION\n1 2\nGROUP_SECTION\n1 2 3\n");
  expect_triangle(instance);
  EXPECT_EQ(instance.fixed_edges.size(), 1U);
  EXPECT_EQ(instance.remarks,
            (std::vector<std::string>{remark(1, "BEST_KNOWN"), remark(4, "vehicles"), remark(6, "TIME_WINDOW_SECTION"),
                                      remark(14, "Author"), remark(17, "GROUP_SECTION")}));
  std::string many;
  for (int i = 0; i < 1000; ++i) many += "WORD" + std::to_string(i) + ": 1\n";
  const std::vector<std::string> remarks = instance_of(plane("EUC_2D", "3", triangle + many)).remarks;
  ASSERT_EQ(remarks.size(), 9U);
  EXPECT_EQ(remarks.back(), "input: 992 more remarks of the kind");
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
