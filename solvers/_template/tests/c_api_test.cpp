/// Statuses and messages of the C interface.
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "rooftop/template.h"

TEST(CApi, ComputesAndRefuses) {
  const std::array<double, 2> x{1, 2}, y{3, 4};
  double result = 0;
  ASSERT_EQ(rooftop_template_dot(2, x.data(), y.data(), &result), 0);
  EXPECT_EQ(result, 11);
  EXPECT_EQ(rooftop_template_dot(-1, x.data(), y.data(), &result), 1);
  EXPECT_EQ(std::string(rooftop_template_last_error()), "n is -1; expected 0 or more");
  EXPECT_EQ(rooftop_template_dot(2, x.data(), nullptr, &result), 1);
  EXPECT_EQ(std::string(rooftop_template_last_error()), "y is null; expected a pointer");
}
