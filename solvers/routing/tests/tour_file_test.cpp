// threads: none
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "rooftop/tsplib.hpp"
#include "tsplib_text.hpp"

namespace rooftop::routing::testing {
namespace {

std::string written(const Tour& tour) {
  std::ostringstream out;
  write_tour(out, tour);
  return out.str();
}

std::string tour_file(const std::string& cities, const std::string& order) {
  return "NAME : t\nTYPE : TOUR\nDIMENSION : " + cities + "\nTOUR_SECTION\n" + order;
}

TEST(TourFile, IsReadInEveryShapeThatOccurs) {
  const std::vector<std::int32_t> order = {3, 0, 2, 1};
  for (const std::string end : {"-1\nEOF\n", "-1", "-1\n-1\nEOF", "-1 -1", "\nEOF\n", "\n", ""}) {
    EXPECT_EQ(tour_of(tour_file("4", "4\n1\n3\n2\n" + end)).order, order) << end;
    EXPECT_EQ(tour_of(tour_file("4", "4 1\r\n\t3 2 " + end)).order, order) << end;
  }
  EXPECT_EQ(tour_of("TYPE: TOUR\nTOUR_SECTION\n4 1 3 2\n-1\n").order, order);  // without DIMENSION
  EXPECT_EQ(tour_of("# a tour\ntype: tour\ntour_section\n4 1 # 2\n3 2\n-1\n").order, order);
  EXPECT_EQ(tour_of("LENGTH: 7\nTOUR_SECTION\n4 1 3 2\nTYPE: TOUR\nDIMENSION: 4\n").order, order);
}

TEST(TourFile, IsWrittenAsTheFormatSays) {
  const Tour tour = {.name = "t", .comment = "a\nb", .order = {2, 0, 1}};
  EXPECT_EQ(written(tour),
            "NAME : t\nCOMMENT : a\nCOMMENT : b\nTYPE : TOUR\nDIMENSION : 3\nTOUR_SECTION\n3\n1\n2\n-1\nEOF\n");
}

TEST(TourFile, ComesBackAsItWasWritten) {
  std::mt19937 random(7);
  for (const std::size_t cities : {3, 4, 5, 100, 4097}) {
    for (const std::string name : {"", "a", "name of : a tour", "EOF"}) {
      for (const std::string comment : {"", "one", "one\ntwo", "one\n\nthree", "\n", "\nsecond", "-1"}) {
        Tour tour{.name = name, .comment = comment, .order = std::vector<std::int32_t>(cities)};
        std::iota(tour.order.begin(), tour.order.end(), 0);
        std::shuffle(tour.order.begin(), tour.order.end(), random);
        const Tour back = tour_of(written(tour));
        EXPECT_EQ(back.name, tour.name);
        EXPECT_EQ(back.comment, tour.comment);
        ASSERT_EQ(back.order, tour.order);
      }
    }
  }
}

TEST(TourFile, BadOnesAreNamed) {
  const struct {
    std::string text, message;
  } cases[] = {
      {"", "line 1: empty"},
      {"1 2 3\n", "not a TSPLIB file"},
      {tour_file("4", "1 2 3\n-1\n"), "line 6: TOUR_SECTION has a tour of 3 cities; expected 4"},
      {tour_file("4", "1 2 3\nEOF\n"), "TOUR_SECTION ends at 'EOF' after 3 cities; expected 4"},
      {tour_file("1000000000", "1 2 3\n-1\n"), "a tour of 3 cities; expected 1000000000"},
      {tour_file("3", "1 2 3 1\n-1\n"), "goes on after 3 cities; expected -1"},
      {tour_file("3", "1\n2\n2\n-1\n"), "line 7: TOUR_SECTION has city 2 a second time; expected each once"},
      {tour_file("3", "1 2 4\n-1\n"), "TOUR_SECTION has city 4; expected 1 to 3"},
      {tour_file("3", "0 1 2\n-1\n"), "TOUR_SECTION has city 0; expected 1 to 3"},
      {tour_file("3", "1 2 -3\n-1\n"), "TOUR_SECTION has city -3"},
      {tour_file("3", "1 two 3\n-1\n"), "'two' for a city's number; expected an integer"},
      {tour_file("3", "1 2.5 3\n-1\n"), "'2.5' for a city's number"},
      {tour_file("3", "1 2 3 -1 3 2 1 -1 -1\n"), "TOUR_SECTION has a second tour; expected one"},
      {tour_file("3", "-1\n"), "a tour of 0 cities; expected 3"},
      {tour_file("2", "1 2 -1\n"), "DIMENSION is '2'"},
      {tour_file("3", "1 2 3 -1\nTOUR_SECTION\n1 2 3 -1\n"), "a second TOUR_SECTION"},
      {tour_file("3", "1 2 3 -1\nwhat\n"), "'what' for a city's number"},
      {"TYPE: TOUR\nTOUR_SECTION\n1 2\n-1\n", "a tour of 2 cities; expected 3"},
      {"TYPE: TOUR\nTOUR_SECTION\n1 2\n5\n-1\n", "line 4: TOUR_SECTION has city 5; expected 1 to 3"},
      {"TYPE: TSP\nDIMENSION: 3\nTOUR_SECTION\n1 2 3 -1\n", "TYPE is that of a problem; expected TOUR"},
      {"TYPE: CVRP\n", "TYPE is CVRP, which is not supported; expected TOUR"},
      {"TYPE: walk\n", "TYPE is 'walk'; expected TOUR"},
      {"DIMENSION: 3\nTOUR_SECTION\n1 2 3 -1\n", "no TYPE up to the end; expected TOUR"},
      {"TYPE: TOUR\nDIMENSION: 3\n", "no TOUR_SECTION up to the end"},
      {"TYPE: TOUR\nDIMENSION: 3\nNODE_COORD_SECTION\n1 0 0\n", "NODE_COORD_SECTION in a tour; expected TOUR_SECTION"},
  };
  for (const auto& bad : cases) {
    const std::string said = tour_complaint(bad.text);
    EXPECT_NE(said.find(bad.message), std::string::npos) << "said: " << said << "\nto: " << bad.text;
    EXPECT_EQ(said.find("input, line "), 0U) << said;
    EXPECT_EQ(said.find('\n'), std::string::npos) << said;
  }
}

TEST(TourFile, WhatCannotBeWrittenIsRefused) {
  const std::vector<std::int32_t> order = {0, 1, 2};
  const Tour cases[] = {
      {.name = "a\nb", .comment = "", .order = order},
      {.name = " a", .comment = "", .order = order},
      {.name = "", .comment = "a\rb", .order = order},
      {.name = "", .comment = "trailing ", .order = order},
      {.name = "", .comment = std::string("\0", 1), .order = order},
      {.name = "", .comment = "", .order = {}},
      {.name = "", .comment = "", .order = {0, 1}},
      {.name = "", .comment = "", .order = {0, 1, 1}},
      {.name = "", .comment = "", .order = {0, 1, 3}},
      {.name = "", .comment = "", .order = {0, 1, -1}},
  };
  for (const Tour& tour : cases) EXPECT_THROW((void)written(tour), InvalidInput);
}

TEST(TourFile, AFileStaysAsItWasWhereItsNextTourIsRefused) {
  const std::string path = ::testing::TempDir() + "rooftop_kept.tour";
  const Tour tour{.name = "kept", .comment = "", .order = {0, 2, 1}};
  write_tour_file(path, tour);
  EXPECT_THROW(write_tour_file(path, {.name = "a\nb", .comment = "", .order = {0, 1, 2}}), InvalidInput);
  EXPECT_EQ(read_tour_file(path).order, tour.order);
  EXPECT_THROW(write_tour_file("/nonexistent/tour", tour), InvalidInput);
  EXPECT_EQ(std::remove(path.c_str()), 0);
}

}  // namespace
}  // namespace rooftop::routing::testing
