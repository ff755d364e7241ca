/// A caller's mistake is an InvalidArgument whose one line names what was wrong and the value seen.
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <limits>

#include "convolution.hpp"

namespace rooftop::conv {
namespace {

std::string complaint(const std::function<void()>& call) {
  try {
    call();
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "";
}

void expect_complaint(const Shape& shape, const std::string& name, std::int64_t value, const Options& options = {}) {
  const std::string message = complaint([&] { const Plan plan(shape, options); });
  EXPECT_NE(message.find(name), std::string::npos) << name << " " << value << ": \"" << message << '"';
  EXPECT_NE(message.find(std::to_string(value)), std::string::npos) << name << " " << value << ": \"" << message << '"';
  EXPECT_EQ(message.find('\n'), std::string::npos);
}

constexpr Shape sound{.n = 1, .c = 2, .h = 5, .w = 6, .k = 3};
constexpr std::int64_t absurd = std::int64_t{1} << 62U;

TEST(Arguments, SizesOutOfRange) {
  struct Field {
    const char* name;
    std::int64_t Shape::*member;
  };
  for (const Field& field : {Field{"n", &Shape::n}, Field{"c", &Shape::c}, Field{"h", &Shape::h}, Field{"w", &Shape::w},
                             Field{"k", &Shape::k}}) {
    for (const std::int64_t value : {std::int64_t{0}, std::int64_t{-1}, std::numeric_limits<std::int64_t>::min(),
                                     absurd, std::numeric_limits<std::int64_t>::max()}) {
      Shape shape = sound;
      shape.*field.member = value;
      expect_complaint(shape, field.name, value);
      shape.padding = 1;
      expect_complaint(shape, field.name, value);
    }
  }
}

TEST(Arguments, SidesTooShortForTheFilter) {
  for (const std::int64_t side : {1, 2}) {
    expect_complaint({.n = 1, .c = 1, .h = side, .w = 9, .k = 1}, "h", side);
    expect_complaint({.n = 1, .c = 1, .h = 9, .w = side, .k = 1}, "w", side);
    EXPECT_EQ(complaint([&] { const Plan plan({.n = 1, .c = 1, .h = side, .w = side, .k = 1, .padding = 1}); }), "");
  }
}

TEST(Arguments, Padding) {
  for (const std::int64_t padding : {std::int64_t{-1}, std::int64_t{2}, absurd}) {
    Shape shape = sound;
    shape.padding = padding;
    expect_complaint(shape, "padding", padding);
  }
}

TEST(Arguments, ThreadsBelowZero) {
  expect_complaint(sound, "threads", -1, {.threads = -1});
  expect_complaint(sound, "threads", std::numeric_limits<int>::min(), {.threads = std::numeric_limits<int>::min()});
}

TEST(Arguments, ProductsThatOverflow) {
  // Each size might do; their products do not, and some wrap around to something small.
  const std::int64_t m = 1 << 20;
  const std::int64_t g = std::int64_t{1} << 32U;
  for (const Shape& shape :
       {Shape{.n = m, .c = m, .h = m, .w = m, .k = 1}, Shape{.n = m, .c = 1, .h = m, .w = m, .k = m},
        Shape{.n = 1, .c = g, .h = 3, .w = 3, .k = g}, Shape{.n = g, .c = g, .h = 4, .w = 4, .k = 1},
        Shape{.n = 1, .c = 1, .h = g, .w = g, .k = 1}, Shape{.n = 1 << 16, .c = g, .h = 1 << 8, .w = 1 << 8, .k = 1}}) {
    for (const Algorithm algorithm : {Algorithm::automatic, Algorithm::direct, Algorithm::f6}) {
      for (const Layout layout : {Layout::nchw, Layout::blocked}) {
        const std::string message =
            complaint([&] { const Plan plan(shape, {.input = layout, .output = layout, .algorithm = algorithm}); });
        EXPECT_NE(message, "") << to_string(shape);
      }
    }
  }
}

TEST(Arguments, LargeButPossibleSizesArePlanned) {
  // Planning must not touch memory in proportion to the arrays.
  const Plan plan({.n = 64, .c = 512, .h = 500, .w = 500, .k = 512});
  EXPECT_EQ(plan.image_floats(), 64ULL * 512 * 500 * 500);
  EXPECT_EQ(plan.output_floats(), 64ULL * 512 * 498 * 498);
}

TEST(Arguments, MisalignedPointers) {
  const Plan plan(sound, {.input = Layout::blocked, .output = Layout::blocked, .algorithm = Algorithm::f4});
  const GuardedArray image((plan.image_floats() + 16) * sizeof(float));
  const GuardedArray filter(2UL * 3 * 9 * sizeof(float));
  const GuardedArray transformed((plan.filter_floats() + 16) * sizeof(float));
  const GuardedArray output((plan.output_floats() + 16) * sizeof(float));
  const GuardedArray scratch(plan.scratch_bytes() + 64);
  float* const x = image.floats().data();
  float* const t = transformed.floats().data();
  float* const y = output.floats().data();
  void* const s = scratch.data();
  const auto off = [](void* pointer) { return static_cast<float*>(pointer) + 1; };
  EXPECT_EQ(complaint([&] { plan.transform_filter(filter.floats().data(), t); }), "");
  EXPECT_EQ(complaint([&] { plan.run(x, t, y, s); }), "");
  for (const std::string& message :
       {complaint([&] { plan.transform_filter(filter.floats().data(), off(t)); }),
        complaint([&] { plan.run(off(x), t, y, s); }), complaint([&] { plan.run(x, off(t), y, s); }),
        complaint([&] { plan.run(x, t, off(y), s); }), complaint([&] { plan.run(x, t, y, off(s)); })}) {
    EXPECT_NE(message.find("align"), std::string::npos) << '"' << message << '"';
    EXPECT_NE(message.find("64"), std::string::npos) << '"' << message << '"';
  }
}

TEST(Arguments, APlainFilterIsTakenWhereItLiesAndOnlyByRun) {
  const Plan plan(sound, {.filter = FilterForm::plain});
  const GuardedArray image(plan.image_floats() * sizeof(float));
  const GuardedArray filter((plan.filter_floats() + 1) * sizeof(float));
  const GuardedArray output(plan.output_floats() * sizeof(float));
  const GuardedArray scratch(plan.scratch_bytes());
  float* const x = image.floats().data();
  float* const w = filter.floats().data() + 1;
  float* const y = output.floats().data();
  EXPECT_EQ(complaint([&] { plan.run(x, w, y, scratch.data()); }), "");
  EXPECT_NE(complaint([&] { plan.run(x, nullptr, y, scratch.data()); }).find("null"), std::string::npos);
  EXPECT_NE(complaint([&] { plan.transform_filter(w, y); }).find("plain"), std::string::npos);
}

TEST(Arguments, AlgorithmsHaveNames) {
  EXPECT_EQ(to_string(Algorithm::direct), "direct");
  EXPECT_EQ(to_string(Algorithm::f2), "F(2)");
  EXPECT_EQ(to_string(Algorithm::f4), "F(4)");
  EXPECT_EQ(to_string(Algorithm::f6), "F(6)");
}

}  // namespace
}  // namespace rooftop::conv
