// threads: none
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "data.hpp"

namespace {

using hdf5_io::value;

nlohmann::json parameters() {
  return {{"rows", 5},       {"columns", 100},     {"block", 3},       {"stride", 10},
          {"chunk_rows", 0}, {"chunk_columns", 0}, {"filter", "none"}, {"cold", 0}};
}

/// A case with the right result in place.
class VerifyReading : public testing::Test {
 protected:
  VerifyReading() {
    experiment_.set_up(parameters(), 7, 1);
    problem_ = static_cast<const hdf5_io::Problem*>(experiment_.problem());
    std::size_t k = 0;
    for (std::uint64_t row = 0; row < 5; ++row) {
      for (std::uint64_t column = 0; column < 100; ++column) {
        if (column % 10 < 3) problem_->out[k++] = value(row * 100 + column);
      }
    }
  }
  hdf5_io::Reading experiment_;
  const hdf5_io::Problem* problem_ = nullptr;
};

TEST_F(VerifyReading, RightResultIsOk) { EXPECT_TRUE(experiment_.verify("exact").ok); }

TEST_F(VerifyReading, UntouchedResultIsCaught) {
  experiment_.poison();
  EXPECT_EQ(experiment_.verify("exact").error, 1);
}

TEST_F(VerifyReading, OneValueOfANeighbourIsCaught) {
  problem_->out[149] = value(4 * 100 + 93);
  const auto verdict = experiment_.verify("exact");
  EXPECT_FALSE(verdict.ok);
  EXPECT_EQ(verdict.message.find("element 92 of row 4 is "), 0U) << verdict.message;
}

TEST_F(VerifyReading, BlocksInAnotherOrderAreCaught) {
  std::swap_ranges(problem_->out, problem_->out + 3, problem_->out + 3);
  EXPECT_FALSE(experiment_.verify("exact").ok);
}

TEST(Value, DiffersFromItsNeighbours) {
  for (std::uint64_t i = 0; i < 1 << 18; ++i) {
    ASSERT_NE(value(i), value(i + 1));
  }
}

TEST(SetUp, RefusesWhatDoesNotGoTogether) {
  const std::vector<std::pair<nlohmann::json, std::string>> wrong{
      {{{"block", 101}}, "'block' is 101: expected at most the 100 columns"},
      {{{"stride", 2}}, "'stride' is 2: expected at least the block of 3"},
      {{{"chunk_rows", 2}}, "'chunk_rows' is 2 and 'chunk_columns' 0: expected both above 0, or both 0"},
      {{{"filter", "deflate"}}, "'filter' is \"deflate\": expected chunks with it"},
      {{{"filter", "zip"}}, "'filter' is \"zip\": expected \"none\", \"deflate\" or \"shuffle_deflate\""},
      {{{"chunk_rows", 6}, {"chunk_columns", 1}}, "a chunk is larger than the array"},
  };
  for (const auto& [change, says] : wrong) {
    nlohmann::json given = parameters();
    given.update(change);
    hdf5_io::Reading experiment;
    try {
      experiment.set_up(given, 1, 1);
      ADD_FAILURE() << change;
    } catch (const std::invalid_argument& error) {
      EXPECT_EQ(error.what(), says);
    }
  }
}

TEST(Tolerance, RefusesUnknownAlgorithms) {
  hdf5_io::Reading experiment;
  experiment.set_up(parameters(), 1, 1);
  EXPECT_THROW((void)experiment.verify("guessing"), std::invalid_argument);
}

}  // namespace
