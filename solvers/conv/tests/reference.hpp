/// What the solver is held against: a direct convolution in double precision that shares no code with it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rooftop/conv.hpp"

namespace rooftop::conv {

/// Uniform in [-1, 1), the same for the same seed on every machine.
std::vector<float> random_floats(std::size_t count, std::uint64_t seed);

/// NCHW, every output, summed in double precision.
std::vector<double> direct_double(const Shape& shape, std::span<const float> image, std::span<const float> filter);

/// max |difference| / max |reference|; a NaN gives infinity. For few outputs, whose largest may be small by
/// cancellation, the denominator is at least sqrt(C), their standard deviation for data uniform in [-1, 1).
double relative_error(const Shape& shape, std::span<const float> output, std::span<const double> reference);

/// The error allowed to an algorithm on random data of any shape. Few outputs make the largest one small and the error
/// large; accuracy_test.cpp holds large shapes to closer bounds.
double tolerance(Algorithm algorithm);

}  // namespace rooftop::conv
