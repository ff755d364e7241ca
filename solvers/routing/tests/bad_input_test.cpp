// threads: none
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tsplib_text.hpp"

namespace rooftop::routing::testing {
namespace {

struct Bad {
  std::string text, message;
};

const std::string triangle = "1 0 0\n2 3 0\n3 0 4\n";
const std::string explicit_matrix = "EDGE_WEIGHT_TYPE: EXPLICIT\n";
const std::string upper_row = explicit_matrix + "EDGE_WEIGHT_FORMAT: UPPER_ROW\nEDGE_WEIGHT_SECTION\n";

std::string with_dimension(const std::string& value) { return plane("EUC_2D", value, triangle); }
std::string after_triangle(const std::string& sections) { return plane("EUC_2D", "3", triangle + sections); }
std::string of_type(const std::string& type) {
  return "TYPE: " + type + "\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n" + triangle;
}

void expect_refused(const std::vector<Bad>& cases) {
  for (const Bad& bad : cases) {
    const std::string said = complaint(bad.text);
    EXPECT_NE(said.find(bad.message), std::string::npos) << "said: " << said << "\nto: " << bad.text.substr(0, 300);
    EXPECT_EQ(said.find("input, line "), 0U) << said;
    EXPECT_EQ(said.find('\n'), std::string::npos) << said;
    EXPECT_NE(said.find("expected"), std::string::npos) << said;
  }
}

TEST(BadInput, FilesOfAnotherKind) {
  expect_refused({
      {"", "line 1: empty; expected a TSPLIB file"},
      {" \r\n\t\n", "line 3: empty"},
      {"<html><body>", "line 1: not a TSPLIB file: it begins with '<html><body>'"},
      {"\n\n1 2 3\n", "line 3: not a TSPLIB file: it begins with '1'"},
      {std::string("NAME : a\n\0\0\0", 12), "line 2: a byte of value 0 at offset 9"},
      {"\x1F\x8B\x08\x08 and so on", "compressed by gzip"},
      {"\x7F\x45LF\n", "begins with '?ELF'"},
      {std::string(5000, 'x'), "begins with '" + std::string(40, 'x') + "...'"},
      {"EOF\n", "no TYPE"},
  });
}

TEST(BadInput, TypesAndMetricsThatAreNotTaken) {
  expect_refused({
      {of_type("SOP"), "line 1: TYPE is SOP, which is not supported; expected TSP or ATSP"},
      {of_type("HCP"), "TYPE is HCP, which is not supported"},
      {of_type("CVRP"), "TYPE is CVRP, which is not supported; expected TSP or ATSP"},
      {of_type("cvrp"), "TYPE is CVRP, which is not supported; expected TSP or ATSP"},
      {of_type("TOUR"), "TYPE is TOUR, which is no problem; expected TSP or ATSP"},
      {of_type("tspp"), "TYPE is 'tspp'; expected TSP or ATSP"},
      {of_type(""), "TYPE is ''"},
      {of_type("TSP ATSP"), "TYPE is 'TSP ATSP'; expected one word"},
      {plane("SPECIAL", "3", triangle), "line 4: EDGE_WEIGHT_TYPE is SPECIAL"},
      {plane("EUC_4D", "3", triangle), "EDGE_WEIGHT_TYPE is 'EUC_4D'; expected EUC_2D, EUC_3D"},
      {problem("3", explicit_matrix + "EDGE_WEIGHT_FORMAT: DIAGONAL\n"), "EDGE_WEIGHT_FORMAT is 'DIAGONAL'; expected"},
      {problem("3", "EDGE_DATA_FORMAT: MATRIX\n"), "EDGE_DATA_FORMAT is 'MATRIX'; expected EDGE_LIST or ADJ_LIST"},
      {problem("3", "NODE_COORD_TYPE: FOUR\n"), "NODE_COORD_TYPE is 'FOUR'"},
      {problem("3", "DISPLAY_DATA_TYPE: OLED\n"), "DISPLAY_DATA_TYPE is 'OLED'"},
      {problem("3", "CAPACITY: much\n"), "CAPACITY is 'much'; expected an integer"},
      {problem("3", "EDGE_WEIGHT_TYPES: EUC_2D\n"),
       "no EDGE_WEIGHT_TYPE up to the end; expected one (line 4: the keyword 'EDGE_WEIGHT_TYPES' is unknown and "
       "skipped)"},
      {problem("3", "EDGE-WEIGHT: EUC_2D\n"), "line 4: 'EDGE-WEIGHT'; expected a keyword, such as DIMENSION"},
      {after_triangle("EDGE_DATA_SECTION\n1 2\n-1\n"), "EDGE_DATA_SECTION, a graph without some"},
      {after_triangle("TOUR_SECTION\n1 2 3 -1\n"), "line 9: TOUR_SECTION in a problem"},
  });
}

TEST(BadInput, Dimensions) {
  for (const std::string value : {"0", "1", "2", "-5", "many", "", "3.5", "nan", "inf", "2147483648",
                                  "99999999999999999999", "1e300", "3 4", "0x10", "+-3"}) {
    expect_refused(
        {{with_dimension(value), "line 3: DIMENSION is '" + value + "'; expected a number of cities from 3 to"}});
  }
  expect_refused({
      {with_dimension("4"), "NODE_COORD_SECTION ends at 'EOF' after 3 cities; expected 4"},
      {with_dimension("1000000000"), "after 3 cities; expected 1000000000"},
      {with_dimension("2147483647"), "after 3 cities; expected 2147483647"},
      {plane("EUC_2D", "3", triangle + "4 1 1\n"),
       "line 9: '4' after the data of NODE_COORD_SECTION; expected a keyword"},
      {problem("30001", upper_row + "1 2 3\n"), "a matrix of 30001 cities; expected at most 30000"},
      {problem("30000", upper_row + "1 2 3\n"), "after 3 distances; expected 449985000"},
      {problem("4", upper_row + "1 2 3\n"), "line 8: EDGE_WEIGHT_SECTION ends at 'EOF' after 3 distances; expected 6"},
      {problem("3", upper_row + "1 2 3 4\n"), "line 7: '4' after the data of EDGE_WEIGHT_SECTION"},
  });
}

TEST(BadInput, NumbersThatAreNone) {
  for (const std::string value :
       {"nan", "NaN", "inf", "-inf", "INFINITY", "1e999", "1,5", "0x1p3", "1.0d0", "--1", "+", "1e", "3:4", "\x80"}) {
    const std::string shown = value == "\x80" ? "?" : value;
    expect_refused(
        {{plane("EUC_2D", "3", "1 0 0\n2 " + value + " 0\n3 0 4\n"), "line 7: '" + shown + "' for a city's value"}});
    expect_refused({{problem("3", upper_row + "1 " + value + " 2\n"), "line 7: '" + shown + "' for a distance"}});
  }
  expect_refused({
      {plane("EUC_2D", "3", "one 0 0\n"), "line 6: 'one' for a city's number; expected an integer"},
      {plane("EUC_2D", "3", "1.5 0 0\n"), "line 6: '1.5' for a city's number; expected an integer"},
      {problem("3", upper_row + "1 2.5 3\n"), "'2.5' for a distance; expected an integer"},
      {problem("3", upper_row + "1 2147483648 3\n"), "distance 2147483648; expected -2147483647 to 2147483647"},
      {problem("3", upper_row + "1 -2147483648 3\n"), "distance -2147483648"},
      {problem("3", upper_row + "1 99999999999999999999 3\n"), "'99999999999999999999' for a distance"},
  });
}

TEST(BadInput, CitiesThatRepeatOrDoNotExist) {
  expect_refused({
      {plane("EUC_2D", "3", "1 0 0\n2 3 0\n2 0 4\n"), "line 8: NODE_COORD_SECTION gives city 2 a second time"},
      {plane("EUC_2D", "3", "0 0 0\n1 3 0\n2 0 4\n"), "line 6: NODE_COORD_SECTION has city 0; expected 1 to 3"},
      {plane("EUC_2D", "3", "1 0 0\n2 3 0\n4 0 4\n"), "line 8: NODE_COORD_SECTION has city 4; expected 1 to 3"},
      {plane("EUC_2D", "3", "1 0 0\n-1 3 0\n"), "has city -1"},
      {after_triangle("DISPLAY_DATA_SECTION\n1 0 0\n1 0 0\n3 0 0\n"),
       "line 11: DISPLAY_DATA_SECTION gives city 1 a second"},
      {after_triangle("DEMAND_SECTION\n1 0\n2 0\n7 0\n"), "DEMAND_SECTION has city 7"},
      {after_triangle("DEPOT_SECTION\n4\n-1\n"), "DEPOT_SECTION has city 4"},
      {after_triangle("DEPOT_SECTION\n1\n"), "DEPOT_SECTION breaks off; expected -1"},
  });
}

TEST(BadInput, FixedEdgesThatNoTourHolds) {
  const auto fixed = [](const std::string& edges) {
    return plane("EUC_2D", "5", "1 0 0\n2 1 0\n3 2 0\n4 3 0\n5 4 0\nFIXED_EDGES_SECTION\n" + edges);
  };
  expect_refused({
      {fixed("1 2\n3\n"), "breaks off; expected an edge's end"},
      {fixed("1 2\n3 -1\n"), "has city -1"},
      {fixed("1 6\n-1\n"), "has city 6; expected 1 to 5"},
      {fixed("2 2\n-1\n"), "edge 2 2; expected two cities"},
      {fixed("1 2\n2 1\n-1\n"), "edge 2 1, which closes a tour of some cities"},
      {fixed("1 2\n1 3\n1 4\n-1\n"), "edge 1 4, the third of one of its cities"},
      {fixed("1 2\n2 3\n3 1\n-1\n"), "edge 3 1, which closes a tour of some cities"},
      {fixed("1 2 2 3 3 4 4 5 5 1 1 3 -1\n"), "edge 1 3, the third"},
  });
}

TEST(BadInput, EntriesAndSectionsThatContradict) {
  expect_refused({
      {problem("3", explicit_matrix + "NODE_COORD_SECTION\n" + triangle),
       "EDGE_WEIGHT_TYPE EXPLICIT without EDGE_WEIGHT_SECTION"},
      {problem("3", "EDGE_WEIGHT_TYPE: EUC_2D\nEDGE_WEIGHT_FORMAT: UPPER_ROW\nEDGE_WEIGHT_SECTION\n1 2 3\n"),
       "line 6: EDGE_WEIGHT_SECTION with EDGE_WEIGHT_TYPE EUC_2D; expected EDGE_WEIGHT_TYPE EXPLICIT"},
      {problem("3", "EDGE_WEIGHT_SECTION\n1 2 3\n"), "EDGE_WEIGHT_SECTION with no EDGE_WEIGHT_TYPE"},
      {problem("3", explicit_matrix + "EDGE_WEIGHT_SECTION\n1 2 3\n"),
       "EDGE_WEIGHT_SECTION with no EDGE_WEIGHT_FORMAT"},
      {problem("3", explicit_matrix + "EDGE_WEIGHT_FORMAT: FUNCTION\nEDGE_WEIGHT_SECTION\n1 2 3\n"),
       "EDGE_WEIGHT_SECTION with EDGE_WEIGHT_FORMAT FUNCTION"},
      {problem("3", "EDGE_WEIGHT_TYPE: ATT\nEDGE_WEIGHT_FORMAT: FULL_MATRIX\nNODE_COORD_SECTION\n" + triangle),
       "EDGE_WEIGHT_TYPE ATT with EDGE_WEIGHT_FORMAT FULL_MATRIX; expected FUNCTION"},
      {problem("3", "EDGE_WEIGHT_TYPE: EUC_3D\nNODE_COORD_TYPE: TWOD_COORDS\nNODE_COORD_SECTION\n" + triangle),
       "EDGE_WEIGHT_TYPE EUC_3D with a NODE_COORD_TYPE of 2 coordinates; expected 3"},
      {problem("3", "EDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_TYPE: NO_COORDS\nNODE_COORD_SECTION\n" + triangle),
       "NODE_COORD_SECTION with NODE_COORD_TYPE NO_COORDS"},
      {problem("3", "EDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_TYPE: NO_COORDS\n"), "NODE_COORD_TYPE of 0 coordinates"},
      {plane("EUC_3D", "3", triangle), "line 8: NODE_COORD_SECTION has city 4; expected 1 to 3"},
      {problem("3", "DISPLAY_DATA_TYPE: NO_DISPLAY\nDISPLAY_DATA_SECTION\n" + triangle),
       "expected none, or DISPLAY_DATA_TYPE"},
      {problem("3", "DISPLAY_DATA_TYPE: TWOD_DISPLAY\n" + upper_row + "1 2 3\n"),
       "TWOD_DISPLAY without DISPLAY_DATA_SECTION"},
      {problem("3", "DISPLAY_DATA_TYPE: COORD_DISPLAY\n" + upper_row + "1 2 3\n"),
       "COORD_DISPLAY without NODE_COORD_SECTION"},
      {problem("3", "NODE_COORD_TYPE: TWOD_COORDS\n" + upper_row + "1 2 3\n"),
       "NODE_COORD_TYPE of 2 coordinates without"},
      {problem("3", explicit_matrix + "EDGE_WEIGHT_FORMAT: FULL_MATRIX\nEDGE_WEIGHT_SECTION\n0 1 2 1 0 3 2 4 0\n"),
       "TYPE is TSP, but from city 3 to 2 it is 4 and back 3; expected the same, or TYPE ATSP"},
  });
}

TEST(BadInput, WhatIsMissingOrComesTwice) {
  const std::string nodes = "NODE_COORD_SECTION\n" + triangle;
  expect_refused({
      {"DIMENSION: 3\nEDGE_WEIGHT_TYPE: EUC_2D\n" + nodes, "no TYPE up to the end"},
      {"TYPE: TSP\nEDGE_WEIGHT_TYPE: EUC_2D\n" + nodes, "line 3: NODE_COORD_SECTION without DIMENSION"},
      {"TYPE: TSP\nDIMENSION: 3\n" + nodes, "line 3: NODE_COORD_SECTION without EDGE_WEIGHT_TYPE"},
      {"TYPE: TSP\nDIMENSION: 3\n", "no EDGE_WEIGHT_TYPE up to the end"},
      {"TYPE: TSP\n", "no DIMENSION up to the end"},
      {problem("3", "EDGE_WEIGHT_TYPE: EUC_2D\n"), "EDGE_WEIGHT_TYPE EUC_2D without NODE_COORD_SECTION"},
      {problem("3", "DIMENSION: 3\n"), "line 4: a second DIMENSION; expected one"},
      {problem("3", "NAME: again\n"), "line 4: a second NAME"},
      {after_triangle(nodes), "line 9: a second NODE_COORD_SECTION"},
      {problem("3", upper_row + "1 2 3\nEDGE_WEIGHT_SECTION\n1 2 3\n"), "line 8: a second EDGE_WEIGHT_SECTION"},
      {after_triangle("DIMENSION: 3\n"), "line 9: a second DIMENSION"},
      {after_triangle("CAPACITY: 3\nCAPACITY: 3\n"), "line 10: a second CAPACITY"},
      {after_triangle("NODE_COORD_TYPE: THREED_COORDS\n"),
       "line 5: EDGE_WEIGHT_TYPE EUC_2D with a NODE_COORD_TYPE of 3 coordinates"},
      {plane("EUC_2D", "3", "1 0 0\n2 3\n"), "line 8: NODE_COORD_SECTION ends at 'EOF' after 1 cities; expected 3"},
      {plane("EUC_2D", "3", ""), "line 6: NODE_COORD_SECTION ends at 'EOF' after 0 cities"},
      {"TYPE:TSP\nDIMENSION:3\nEDGE_WEIGHT_TYPE:EUC_2D\nNODE_COORD_SECTION\n1 0",
       "ends at the end of the file after 0"},
  });
}

TEST(BadInput, DistancesThatWouldOverflow) {
  const auto apart = [](const std::string& metric, const std::string& x) {
    return plane(metric, "3", "1 0 0\n2 " + x + " 0\n3 0 0\n");
  };
  const auto apart_3d = [](const std::string& metric, const std::string& x) {
    return plane(metric, "3", "1 0 0 0\n2 " + x + " 0 0\n3 0 0 0\n");
  };
  const std::string message = "expected distances of at most 2147483647";
  for (const std::string metric : {"EUC_2D", "CEIL_2D", "MAX_2D", "MAN_2D", "ATT"}) {
    expect_refused(
        {{apart(metric, "1e10"), message}, {apart(metric, "-1e200"), message}, {apart(metric, "1e308"), message}});
    EXPECT_EQ(complaint(apart(metric, "2147483646")), "");
  }
  for (const std::string metric : {"EUC_3D", "MAX_3D", "MAN_3D", "XRAY1", "XRAY2"}) {
    expect_refused({{apart_3d(metric, "1e10"), message}, {apart_3d(metric, "-1e308"), message}});
  }
  expect_refused({
      {apart("MAX_2D", "2147483647"), message},
      {plane("MAN_2D", "3", "1 0 0\n2 -1.7e308 1.7e308\n3 1.7e308 -1.7e308\n"), message},
      {plane("GEO", "3", "1 90.30 0\n2 0 0\n3 0 0\n"), "a latitude of 90.3"},
      {plane("GEO", "3", "1 -1e300 0\n2 0 0\n3 0 0\n"), "a latitude of -1"},
      {plane("GEO", "3", "1 0 0\n2 0 361\n3 0 0\n"), "a longitude of 361"},
  });
}

}  // namespace
}  // namespace rooftop::routing::testing
