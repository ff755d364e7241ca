/// The dot product of two vectors.
#pragma once

#include <span>
#include <stdexcept>

namespace rooftop::template_ {

/// A caller's mistake: what was wrong, the value seen, what is expected.
class InvalidArgument : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// Sum of x[i] y[i]. Throws InvalidArgument where x and y are not of one length.
double dot(std::span<const double> x, std::span<const double> y);

}  // namespace rooftop::template_
