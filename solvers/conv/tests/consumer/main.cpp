// An image of ones through filters of ones: every output is 9 per channel.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <rooftop/conv.hpp>
#include <vector>

int main() {
  const rooftop::conv::Plan plan({.n = 1, .c = 2, .h = 8, .w = 8, .k = 3, .padding = 0});
  const auto aligned = [](std::size_t bytes) {
    return std::unique_ptr<void, decltype(&std::free)>(std::aligned_alloc(64, (bytes / 64 + 1) * 64), &std::free);
  };
  const std::vector<float> image(plan.image_floats(), 1.0F);
  const std::vector<float> filter(3 * 2 * 9, 1.0F);
  std::vector<float> output(plan.output_floats());
  const auto transformed = aligned(plan.filter_floats() * sizeof(float));
  const auto scratch = aligned(plan.scratch_bytes());
  plan.transform_filter(filter.data(), static_cast<float*>(transformed.get()));
  plan.run(image.data(), static_cast<const float*>(transformed.get()), output.data(), scratch.get());
  std::printf("%s on %s: %g\n", to_string(plan.algorithm()).c_str(), plan.instruction_set(), output[0]);
  return output[0] > 17.99F && output[0] < 18.01F ? 0 : 1;
}
