/// Four sums, so that an addition does not wait for the one before it.
#include <array>
#include <cstddef>
#include <string>

#include "rooftop/template.hpp"

namespace rooftop::template_ {

double dot(std::span<const double> x, std::span<const double> y) {
  if (x.size() != y.size()) {
    throw InvalidArgument("x has " + std::to_string(x.size()) + " elements and y " + std::to_string(y.size()) +
                          "; expected as many");
  }
  std::array<double, 4> sums{};
  for (std::size_t i = 0; i < x.size(); ++i) sums[i % sums.size()] += x[i] * y[i];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

}  // namespace rooftop::template_
