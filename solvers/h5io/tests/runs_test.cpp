// threads: none
#include "runs.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace rooftop::h5io::internal {
namespace {

/// Returns the offset of every selected element in bytes, by enumeration.
std::vector<std::uint64_t> counted(const std::vector<std::uint64_t>& shape, const std::vector<Span>& spans,
                                   std::uint64_t element_bytes) {
  std::vector<std::uint64_t> places{0};
  for (std::size_t d = 0; d < shape.size(); ++d) {
    std::vector<std::uint64_t> next;
    for (const std::uint64_t place : places) {
      for (std::uint64_t i = 0; i < spans[d].size(); ++i) {
        next.push_back(place * shape[d] + spans[d].start + i / spans[d].block * spans[d].stride + i % spans[d].block);
      }
    }
    places = next;
  }
  for (std::uint64_t& place : places) place *= element_bytes;
  return places;
}

std::vector<std::uint64_t> by_runs(const Runs& runs, std::uint64_t element_bytes) {
  std::vector<std::uint64_t> places;
  for (std::uint64_t k = 0; k < runs.count(); ++k) {
    for (std::uint64_t at = 0; at < runs.run_bytes(); at += element_bytes) places.push_back(runs.offset(k) + at);
  }
  return places;
}

TEST(Runs, HaveEveryElementInTheFilesOrder) {
  const std::vector<std::uint64_t> shape{5, 7, 11};
  const std::vector<std::vector<Span>> dimension{
      {{0, 1, 1, 5}, {1, 2, 2, 1}, {0, 2, 3, 2}, {4, 1, 1, 1}, {0, 5, 1, 1}},
      {{0, 1, 1, 7}, {0, 7, 1, 1}, {2, 2, 3, 2}, {6, 1, 9, 1}},
      {{0, 1, 1, 11}, {3, 1, 1, 4}, {0, 4, 3, 1}, {1, 5, 2, 2}, {0, 11, 1, 1}},
  };
  for (const Span& x : dimension[0]) {
    for (const Span& y : dimension[1]) {
      for (const Span& z : dimension[2]) {
        const Runs runs(shape, {x, y, z}, 4);
        EXPECT_EQ(by_runs(runs, 4), counted(shape, {x, y, z}, 4));
      }
    }
  }
}

TEST(Runs, JoinWhatFollowsWithoutAGap) {
  const Runs whole({6, 5, 4}, {{0, 1, 1, 6}, {0, 5, 1, 1}, {0, 1, 1, 4}}, 8);
  EXPECT_EQ(whole.count(), 1);
  EXPECT_EQ(whole.run_bytes(), 6 * 5 * 4 * 8);
  const Runs planes({6, 5, 4}, {{1, 1, 1, 3}, {0, 1, 1, 5}, {0, 1, 1, 4}}, 8);
  EXPECT_EQ(planes.count(), 1);
  EXPECT_EQ(planes.offset(0), 5 * 4 * 8);
  // Every other element of rows of even length is one evenly spaced sequence.
  const Runs strided({6, 4}, {{0, 1, 1, 6}, {0, 2, 2, 1}}, 8);
  EXPECT_EQ(strided.count(), 12);
  EXPECT_EQ(strided.evenly_spaced(0), 12);
  EXPECT_EQ(strided.spacing(), 16);
}

TEST(Runs, HaveOneOfASingleValue) {
  const Runs runs({}, {}, 8);
  EXPECT_EQ(runs.count(), 1);
  EXPECT_EQ(runs.run_bytes(), 8);
  EXPECT_EQ(runs.offset(0), 0);
}

}  // namespace
}  // namespace rooftop::h5io::internal
