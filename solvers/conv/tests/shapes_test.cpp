/// Every algorithm and layout on shapes that leave something over: odd sides, one output, channels beside the block
/// size.
#include <gtest/gtest.h>

#include "convolution.hpp"
#include "races_only.hpp"

namespace rooftop::conv {
namespace {

using running::races_only;

constexpr Algorithm algorithms[] = {Algorithm::direct, Algorithm::f2, Algorithm::f4, Algorithm::f6};
constexpr Layout layouts[] = {Layout::nchw, Layout::blocked};

class Shapes : public testing::TestWithParam<Shape> {};

TEST_P(Shapes, EveryAlgorithmAndLayoutAgreesWithTheReference) {
  for (std::int64_t padding = 0; padding <= 1; ++padding) {
    Shape shape = GetParam();
    shape.padding = padding;
    const Convolution convolution(shape);
    for (const Algorithm algorithm : algorithms) {
      for (const Layout input : layouts) {
        for (const Layout output : layouts) {
          convolution.run({.input = input, .output = output, .algorithm = algorithm, .threads = 2});
        }
      }
    }
  }
}

TEST_P(Shapes, APlainFilterGivesTheSameWithinRounding) {
  Shape shape = GetParam();
  shape.padding = 1;
  const Convolution convolution(shape);
  for (const Algorithm algorithm : algorithms) {
    convolution.run({.algorithm = algorithm, .filter = FilterForm::plain, .threads = 2});
  }
}

std::vector<Shape> side_shapes() {
  std::vector<Shape> shapes;
  for (std::int64_t side = 3; side <= 17; ++side)
    shapes.push_back({.n = 1, .c = 5, .h = side, .w = 20 - side, .k = 18});
  shapes.push_back({.n = 1, .c = 1, .h = 3, .w = 3, .k = 1});
  shapes.push_back({.n = 3, .c = 2, .h = 3, .w = 67, .k = 3});
  shapes.push_back({.n = 2, .c = 2, .h = 71, .w = 3, .k = 3});
  shapes.push_back({.n = 1, .c = 16, .h = 37, .w = 53, .k = 16});
  shapes.push_back({.n = 1, .c = 3, .h = 112, .w = 113, .k = 7});
  return shapes;
}

std::vector<Shape> channel_shapes() {
  std::vector<Shape> shapes;
  std::vector<std::int64_t> counts{1, 3, 15, 16, 17, 31, 32, 33, 64, 97};
  if (races_only) counts = {1, 3, 16, 33, 97};
  for (const std::int64_t c : counts) {
    for (const std::int64_t k : counts) shapes.push_back({.n = 1, .c = c, .h = 9, .w = 8, .k = k});
  }
  return shapes;
}

std::vector<Shape> batch_shapes() {
  std::vector<Shape> shapes;
  for (const std::int64_t n : {2, 5, 16}) {
    if (races_only && n != 5) continue;
    shapes.push_back({.n = n, .c = 3, .h = 7, .w = 7, .k = 20});
    shapes.push_back({.n = n, .c = 33, .h = 14, .w = 14, .k = 48});
  }
  return shapes;
}

/// Long sums, many blocks of channels: what a kernel does differently from small sizes.
std::vector<Shape> large_shapes() {
  if (races_only) {
    return {{.n = 1, .c = 64, .h = 7, .w = 7, .k = 512},
            {.n = 1, .c = 24, .h = 58, .w = 58, .k = 80},
            {.n = 1, .c = 700, .h = 5, .w = 6, .k = 19}};
  }
  return {{.n = 1, .c = 512, .h = 7, .w = 7, .k = 64},   {.n = 1, .c = 64, .h = 7, .w = 7, .k = 512},
          {.n = 2, .c = 128, .h = 28, .w = 28, .k = 32}, {.n = 1, .c = 24, .h = 58, .w = 58, .k = 80},
          {.n = 1, .c = 700, .h = 5, .w = 6, .k = 19},   {.n = 1, .c = 16, .h = 130, .w = 130, .k = 16}};
}

/// Outputs of more than a million floats, which go past the caches: in NCHW only where rows are whole cache lines.
std::vector<Shape> streamed_shapes() {
  if (races_only) return {{.n = 1, .c = 5, .h = 130, .w = 256, .k = 32}, {.n = 1, .c = 6, .h = 91, .w = 250, .k = 33}};
  return {{.n = 1, .c = 5, .h = 130, .w = 256, .k = 32},
          {.n = 1, .c = 3, .h = 226, .w = 208, .k = 32},
          {.n = 1, .c = 6, .h = 131, .w = 250, .k = 33}};
}

INSTANTIATE_TEST_SUITE_P(Sides, Shapes, testing::ValuesIn(side_shapes()), test_name);
INSTANTIATE_TEST_SUITE_P(Channels, Shapes, testing::ValuesIn(channel_shapes()), test_name);
INSTANTIATE_TEST_SUITE_P(Batches, Shapes, testing::ValuesIn(batch_shapes()), test_name);
INSTANTIATE_TEST_SUITE_P(Large, Shapes, testing::ValuesIn(large_shapes()), test_name);
INSTANTIATE_TEST_SUITE_P(Streamed, Shapes, testing::ValuesIn(streamed_shapes()), test_name);

TEST(Shapes, PaddingMakesAnOutputOfASinglePixel) {
  for (const Algorithm algorithm : algorithms) {
    Convolution({.n = 2, .c = 4, .h = 1, .w = 1, .k = 3, .padding = 1}).run({.algorithm = algorithm});
    Convolution({.n = 1, .c = 4, .h = 1, .w = 9, .k = 3, .padding = 1}).run({.algorithm = algorithm});
    Convolution({.n = 1, .c = 4, .h = 2, .w = 2, .k = 3, .padding = 1}).run({.algorithm = algorithm});
  }
}

}  // namespace
}  // namespace rooftop::conv
