// Any sequence of calls of the C interface with any arguments: statuses with a message of one line, and nothing is read
// or written beyond arrays of exactly the sizes that the plan tells. Values are fuzz.cpp's affair.
#include <cstdlib>
#include <draw.hpp>
#include <string>

#include "rooftop/conv.h"

namespace {

using rooftop::fuzzing::Draw;

void require(bool kept) {
  if (!kept) std::abort();
}

bool fine(int status, bool may_stop = false) {
  if (status == ROOFTOP_CONV_OK) return true;
  require(status == ROOFTOP_CONV_INVALID_ARGUMENT || (may_stop && status == ROOFTOP_CONV_STOPPED));
  const std::string said = rooftop_conv_last_error();
  require(!said.empty());
  for (const char c : said) require(c >= ' ' && c <= '~');
  return false;
}

constexpr std::uint64_t most_floats = 1 << 18;  // of an array that is made
constexpr std::int64_t largest_size = std::int64_t{1} << 24;

/// Floats on a 64-byte boundary, or, rarely, one float behind it; rarely null.
class Floats {
 public:
  Floats(Draw& draw, std::uint64_t count, bool may_be_null = true) {
    const bool astray = draw.rarely(), null = may_be_null && draw.rarely(32);
    void* memory = nullptr;
    require(posix_memalign(&memory, 64, (count + astray) * sizeof(float) + (count == 0)) == 0);
    memory_ = static_cast<float*>(memory);
    values_ = null ? nullptr : memory_ + astray;
    const unsigned kind = draw.below(8);
    for (std::uint64_t i = 0; i < count; ++i) {
      memory_[i + astray] = kind == 0 ? static_cast<float>(draw.real()) : static_cast<float>(i % 7);
    }
  }
  Floats(const Floats&) = delete;
  Floats& operator=(const Floats&) = delete;
  ~Floats() { std::free(memory_); }
  [[nodiscard]] float* data() const { return values_; }

 private:
  float* memory_;
  float* values_;
};

rooftop_conv_plan* new_plan(Draw& draw) {
  rooftop_conv_shape shape;
  shape.padding = draw.integer<std::int64_t>(0, 1);
  shape.n = draw.integer<std::int64_t>(1, 3);
  shape.c = draw.integer<std::int64_t>(1, draw.rarely(4) ? 80 : 8);
  shape.k = draw.integer<std::int64_t>(1, draw.rarely(4) ? 80 : 8);
  shape.h = draw.integer<std::int64_t>(1, 20);
  shape.w = draw.integer<std::int64_t>(1, 20);
  rooftop_conv_options options;
  rooftop_conv_default_options(&options);
  options.input = draw.integer<std::int32_t>(0, 1);
  options.output = draw.integer<std::int32_t>(0, 1);
  options.accuracy = draw.integer<std::int32_t>(0, 2);
  options.algorithm = draw.integer<std::int32_t>(0, 4);
  options.filter = draw.integer<std::int32_t>(0, 1);
  options.threads = draw.integer<std::int32_t>(1, 2);
  // Planning that measures makes the arrays of all candidates.
  const bool small = shape.n <= 3 && shape.c <= 80 && shape.k <= 80 && shape.h <= 20 && shape.w <= 20;
  options.measure = small && draw.rarely(16) ? 1 : 0;
  const std::int32_t stop = draw.rarely(2) ? 1 : 0;
  options.stop = options.measure != 0 ? &stop : nullptr;
  // As many threads as a user may ask for are not started for every input.
  if (options.threads == 0 || (options.threads > 2 && options.threads <= 4096)) options.threads = 2;
  rooftop_conv_plan* plan = reinterpret_cast<rooftop_conv_plan*>(1);
  rooftop_conv_plan** const there = draw.rarely(64) ? nullptr : &plan;
  const bool made = fine(rooftop_conv_plan_create(draw.rarely(64) ? nullptr : &shape, &options, there), stop != 0);
  require(!made || (there != nullptr && plan != nullptr));
  require(made || there == nullptr || plan == nullptr);
  return made ? plan : nullptr;
}

/// What a plan needs; false where that is more than is made here.
bool sizes_of(const rooftop_conv_plan* plan, rooftop_conv_sizes& sizes) {
  if (!fine(rooftop_conv_plan_sizes(plan, &sizes))) {
    require(plan == nullptr);
    return false;
  }
  require(sizes.image_floats > 0 && sizes.output_floats > 0 && sizes.filter_floats > 0 && sizes.reserved == 0);
  require(sizes.algorithm >= ROOFTOP_CONV_DIRECT && sizes.algorithm <= ROOFTOP_CONV_F6);
  require(sizes.multiply_add_flops > 0 && sizes.transform_flops >= 0);
  return sizes.image_floats <= most_floats && sizes.output_floats <= most_floats &&
         sizes.filter_floats <= most_floats && sizes.scratch_bytes <= 16 * most_floats * sizeof(float);
}

void transform(Draw& draw, const rooftop_conv_plan* plan, std::uint64_t channels) {
  rooftop_conv_sizes sizes;
  if (!sizes_of(plan, sizes)) return;
  // Filters of the shapes that are drawn have no more taps.
  const Floats filter(draw, channels * channels * 9), transformed(draw, sizes.filter_floats);
  (void)fine(rooftop_conv_transform_filter(plan, filter.data(), transformed.data()));
}

void run(Draw& draw, const rooftop_conv_plan* plan) {
  rooftop_conv_sizes sizes;
  if (!sizes_of(plan, sizes)) return;
  const Floats image(draw, sizes.image_floats), filter(draw, sizes.filter_floats), output(draw, sizes.output_floats);
  const Floats scratch(draw, sizes.scratch_bytes / sizeof(float));
  const std::int32_t stop = draw.rarely(4) ? 1 : 0;
  const int status = draw.rarely(2) ? rooftop_conv_run(plan, image.data(), filter.data(), output.data(), scratch.data())
                                    : rooftop_conv_run_stoppable(plan, image.data(), filter.data(), output.data(),
                                                                 scratch.data(), &stop);
  (void)fine(status, stop != 0);
}

void reorder(Draw& draw) {
  std::int64_t sizes[] = {1, 1, 1, 1};
  std::uint64_t floats = 1;
  bool sound = true;
  for (std::int64_t& size : sizes) {
    size = draw.integer<std::int64_t>(0, 20);
    if (draw.rarely(8)) size = draw.within<std::int64_t>(1, 60);
    sound = sound && size >= 0 && size <= largest_size;
  }
  const auto& [n, channels, h, w] = sizes;
  if (sound) {
    double wanted = 1;
    for (const std::int64_t size : {n, (channels + 15) / 16 * 16, h, w}) wanted *= static_cast<double>(size);
    if (wanted > static_cast<double>(most_floats)) return;
    floats = static_cast<std::uint64_t>(n * channels * h * w);
  }
  const auto blocked_floats = sound ? static_cast<std::uint64_t>(n * ((channels + 15) / 16 * 16) * h * w) : 1;
  const Floats nchw(draw, floats), blocked(draw, blocked_floats);
  std::int32_t threads = draw.integer<std::int32_t>(1, 2);
  if (threads == 0 || (threads > 2 && threads <= 4096)) threads = 2;
  const bool there = draw.rarely(2);
  const bool done = fine(there ? rooftop_conv_to_blocked(nchw.data(), blocked.data(), n, channels, h, w, threads)
                               : rooftop_conv_from_blocked(blocked.data(), nchw.data(), n, channels, h, w, threads));
  require(sound || !done);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Draw draw(data, size);
  rooftop_conv_plan* plan = nullptr;
  for (int calls = 0; calls < 6 && !draw.empty(); ++calls) {
    switch (draw.below(5)) {
      case 0:
        rooftop_conv_plan_destroy(plan);
        plan = new_plan(draw);
        break;
      case 1:
        transform(draw, plan, 80);
        break;
      case 2:
        run(draw, plan);
        break;
      case 3:
        reorder(draw);
        break;
      default:
        require((rooftop_conv_plan_instruction_set(plan) == nullptr) == (plan == nullptr));
        require(!fine(rooftop_conv_plan_sizes(plan, nullptr)));
    }
  }
  rooftop_conv_plan_destroy(plan);
  return 0;
}
