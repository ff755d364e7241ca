/// One convolution with everything around it that a test wants to watch.
#pragma once

#include <gtest/gtest.h>

#include <iosfwd>
#include <string>
#include <vector>

#include "guarded_array.hpp"
#include "reference.hpp"
#include "rooftop/conv.hpp"

namespace rooftop::conv {

/// A shape with random data and its reference: made once, then convolved in every way.
class Convolution {
 public:
  explicit Convolution(const Shape& shape, std::uint64_t seed = 1);

  /// Plans, poisons everything that is written, runs twice, and checks: guards, error, equal bits in both runs, zeros
  /// in the padding channels. Returns the output in NCHW. Failures are reported through GoogleTest.
  std::vector<float> run(const Options& options, GuardedArray::Place nchw_place = GuardedArray::Place::back) const;
  /// What is wrong with a run by these options, empty if nothing is.
  std::string complaint(const Options& options, GuardedArray::Place nchw_place,
                        std::vector<float>* result = nullptr) const;

  [[nodiscard]] const Shape& shape() const { return shape_; }
  [[nodiscard]] const std::vector<float>& image() const { return image_; }
  [[nodiscard]] const std::vector<float>& filter() const { return filter_; }
  [[nodiscard]] const std::vector<double>& reference() const { return reference_; }

 private:
  Shape shape_;
  std::vector<float> image_;
  std::vector<float> filter_;
  std::vector<double> reference_;
};

[[nodiscard]] std::string to_string(const Shape& shape);
[[nodiscard]] std::string to_string(const Options& options);
/// "n1c3h9w9k4p0": what a parameterised test may be called.
[[nodiscard]] std::string test_name(const testing::TestParamInfo<Shape>& info);
void PrintTo(const Shape& shape, std::ostream* stream);

}  // namespace rooftop::conv
