/// The sum of products, of every small length, and lengths that differ.
#include <gtest/gtest.h>

#include <vector>

#include "rooftop/template.hpp"

using rooftop::template_::dot;
using rooftop::template_::InvalidArgument;

TEST(Dot, IsTheSumOfProducts) {
  for (int n = 0; n < 10; ++n) {
    std::vector<double> x;
    double expected = 0;
    for (int i = 0; i < n; ++i) {
      x.push_back(i + 1);
      expected += 2.0 * (i + 1) * (i + 1);
    }
    std::vector<double> y = x;
    for (double& one : y) one *= 2;
    EXPECT_EQ(dot(x, y), expected) << n;
  }
}

TEST(Dot, RefusesLengthsThatDiffer) {
  const std::vector<double> x(3), y(4);
  EXPECT_THROW(dot(x, y), InvalidArgument);
}
