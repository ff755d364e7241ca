// threads: none
#include <gtest/gtest.h>

#include <rooftop/require.hpp>

namespace {

TEST(Require, IsSilentWhenTheConditionHolds) { EXPECT_NO_THROW(rooftop::require(true, "never seen")); }

TEST(Require, JoinsTheMessage) {
  try {
    rooftop::require(false, "width is ", -3, ": expected at least ", 1);
    FAIL();
  } catch (const rooftop::RequirementFailed& error) {
    EXPECT_STREQ(error.what(), "width is -3: expected at least 1");
  }
}

}  // namespace
