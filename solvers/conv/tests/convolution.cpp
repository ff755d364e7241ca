#include "convolution.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <sstream>

namespace rooftop::conv {
namespace {

std::int64_t blocks(std::int64_t channels) { return (channels + channel_block - 1) / channel_block; }

/// Where a channel's first pixel is; the next ones lie a block further each. Written apart from the library's own
/// conversion, so that an error there cannot hide.
std::int64_t blocked_index(std::int64_t n, std::int64_t c, std::int64_t channels, std::int64_t pixels) {
  return (n * blocks(channels) + c / channel_block) * pixels * channel_block + c % channel_block;
}

GuardedArray place_image(const Shape& s, std::span<const float> nchw, Layout layout, GuardedArray::Place place) {
  if (layout == Layout::nchw) {
    GuardedArray array(nchw.size_bytes(), place);
    std::ranges::copy(nchw, array.floats().begin());
    return array;
  }
  const std::int64_t pixels = s.h * s.w;
  GuardedArray array(static_cast<std::size_t>(s.n * blocks(s.c) * channel_block * pixels) * sizeof(float));
  std::ranges::fill(array.floats(), 0.0F);
  for (std::int64_t n = 0; n < s.n; ++n) {
    for (std::int64_t c = 0; c < s.c; ++c) {
      const float* const from = nchw.data() + (n * s.c + c) * pixels;
      float* const to = array.floats().data() + blocked_index(n, c, s.c, pixels);
      for (std::int64_t p = 0; p < pixels; ++p) to[p * channel_block] = from[p];
    }
  }
  return array;
}

/// NCHW from the output array; `padding_is_zero` tells of the channels that fill up the last block.
std::vector<float> fetch_output(const Shape& s, std::span<const float> output, Layout layout, bool& padding_is_zero) {
  padding_is_zero = true;
  if (layout == Layout::nchw) return {output.begin(), output.end()};
  const std::int64_t pixels = s.out_h() * s.out_w();
  std::vector<float> nchw(static_cast<std::size_t>(s.n * s.k * pixels));
  for (std::int64_t n = 0; n < s.n; ++n) {
    for (std::int64_t k = 0; k < blocks(s.k) * channel_block; ++k) {
      const float* const from = output.data() + blocked_index(n, k, s.k, pixels);
      if (k < s.k) {
        float* const to = nchw.data() + (n * s.k + k) * pixels;
        for (std::int64_t p = 0; p < pixels; ++p) to[p] = from[p * channel_block];
      } else {
        for (std::int64_t p = 0; p < pixels; ++p) padding_is_zero = padding_is_zero && from[p * channel_block] == 0.0F;
      }
    }
  }
  return nchw;
}

}  // namespace

Convolution::Convolution(const Shape& shape, std::uint64_t seed)
    : shape_(shape),
      image_(random_floats(static_cast<std::size_t>(shape.n * shape.c * shape.h * shape.w), seed)),
      filter_(random_floats(static_cast<std::size_t>(shape.k * shape.c * 9), seed + 1)),
      reference_(direct_double(shape, image_, filter_)) {}

std::string Convolution::complaint(const Options& options, GuardedArray::Place nchw_place,
                                   std::vector<float>* result) const {
  const Plan plan(shape_, options);
  const auto nchw_image = static_cast<std::size_t>(shape_.n * shape_.c * shape_.h * shape_.w);
  if (options.input == Layout::nchw && plan.image_floats() != nchw_image) return "image_floats() is wrong";
  if (options.output == Layout::nchw && plan.output_floats() != reference_.size()) return "output_floats() is wrong";
  if (options.filter == FilterForm::plain && plan.filter_floats() != filter_.size()) return "filter_floats() is wrong";
  if (plan.algorithm() == Algorithm::automatic) return "the plan chose no algorithm";
  if (options.algorithm != Algorithm::automatic && plan.algorithm() != options.algorithm) {
    return "the plan took " + to_string(plan.algorithm()) + " though told otherwise";
  }

  const GuardedArray image = place_image(shape_, image_, options.input, nchw_place);
  if (image.floats().size() != plan.image_floats()) return "image_floats() is not that of the layout";
  const GuardedArray transformed(plan.filter_floats() * sizeof(float));
  const GuardedArray scratch(plan.scratch_bytes());
  const GuardedArray output(plan.output_floats() * sizeof(float),
                            options.output == Layout::nchw ? nchw_place : GuardedArray::Place::line);
  const GuardedArray filter = [&] {
    GuardedArray array(filter_.size() * sizeof(float), GuardedArray::Place::back);
    std::ranges::copy(filter_, array.floats().begin());
    return array;
  }();

  transformed.poison();
  scratch.poison();
  output.poison();
  const bool plain = options.filter == FilterForm::plain;
  if (!plain) plan.transform_filter(filter.floats().data(), transformed.floats().data());
  const float* const taken = (plain ? filter : transformed).floats().data();
  plan.run(image.floats().data(), taken, output.floats().data(), scratch.data());
  bool padding_is_zero = false;
  std::vector<float> first = fetch_output(shape_, output.floats(), options.output, padding_is_zero);

  // The second run finds what the first left in the scratch memory.
  output.poison();
  plan.run(image.floats().data(), taken, output.floats().data(), scratch.data());
  bool still_zero = false;
  const std::vector<float> second = fetch_output(shape_, output.floats(), options.output, still_zero);

  std::ostringstream wrong;
  if (!image.intact() || !filter.intact()) wrong << "wrote outside an input; ";
  if (!transformed.intact()) wrong << "overran the transformed filter; ";
  if (!scratch.intact()) wrong << "overran the scratch memory; ";
  if (!output.intact()) wrong << "overran the output; ";
  if (std::memcmp(filter.floats().data(), filter_.data(), filter_.size() * sizeof(float)) != 0) {
    wrong << "changed the filter; ";
  }
  if (!padding_is_zero || !still_zero) wrong << "padding channels of the output are not zero; ";
  const double error = relative_error(shape_, first, reference_);
  if (!(error <= tolerance(plan.algorithm()))) {
    wrong << "error " << error << " over " << tolerance(plan.algorithm()) << " by " << to_string(plan.algorithm())
          << "; ";
  }
  if (std::memcmp(first.data(), second.data(), first.size() * sizeof(float)) != 0) wrong << "two runs differ; ";
  if (result != nullptr) *result = std::move(first);
  return wrong.str();
}

std::vector<float> Convolution::run(const Options& options, GuardedArray::Place nchw_place) const {
  std::vector<float> result;
  EXPECT_EQ(complaint(options, nchw_place, &result), "") << to_string(shape_) << " " << to_string(options);
  return result;
}

std::string to_string(const Shape& s) {
  std::ostringstream text;
  text << "N=" << s.n << " C=" << s.c << " H=" << s.h << " W=" << s.w << " K=" << s.k << " padding=" << s.padding;
  return text.str();
}

std::string to_string(const Options& o) {
  std::ostringstream text;
  text << to_string(o.algorithm) << (o.input == Layout::nchw ? " nchw" : " blocked") << " to"
       << (o.output == Layout::nchw ? " nchw" : " blocked") << " accuracy=" << static_cast<int>(o.accuracy)
       << (o.filter == FilterForm::plain ? " plain filter" : "") << " threads=" << o.threads;
  return text.str();
}

std::string test_name(const testing::TestParamInfo<Shape>& info) {
  const Shape& s = info.param;
  std::ostringstream name;
  name << "n" << s.n << "c" << s.c << "h" << s.h << "w" << s.w << "k" << s.k << "p" << s.padding;
  return name.str();
}

void PrintTo(const Shape& shape, std::ostream* stream) { *stream << to_string(shape); }

}  // namespace rooftop::conv
