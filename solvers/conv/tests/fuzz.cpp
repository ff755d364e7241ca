/// Random shapes, options and placements until the time is up: `rooftop_conv_fuzz [SECONDS [SEED]]`. Prints each
/// failure with what reproduces it; exit code 1 if there was any.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>

#include "convolution.hpp"

namespace {

namespace conv = rooftop::conv;

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : engine_(seed) {}

  std::int64_t between(std::int64_t least, std::int64_t most) {
    return std::uniform_int_distribution<std::int64_t>(least, most)(engine_);
  }
  /// Small values as often as large ones: the logarithm is what is uniform.
  std::int64_t size(std::int64_t least, double most) {
    return std::max(
        least, static_cast<std::int64_t>(std::exp2(std::uniform_real_distribution<>(0, std::log2(most))(engine_))));
  }

 private:
  std::mt19937_64 engine_;
};

constexpr double work_limit = 1e8;  // multiply-adds of the reference: some 0.1 s

conv::Shape draw_shape(Draw& draw) {
  for (;;) {
    conv::Shape s;
    s.padding = draw.between(0, 1);
    s.n = draw.size(1, 9);
    s.c = draw.size(1, 600);
    s.k = draw.size(1, 600);
    s.h = draw.size(3 - 2 * s.padding, 150);
    s.w = draw.size(3 - 2 * s.padding, 150);
    if (draw.between(0, 3) == 0) s.c = (s.c + 15) / 16 * 16;
    if (draw.between(0, 3) == 0) s.k = (s.k + 15) / 16 * 16;
    if (9.0 * static_cast<double>(s.n * s.c * s.k * s.out_h() * s.out_w()) <= work_limit) return s;
  }
}

conv::Options draw_options(Draw& draw) {
  conv::Options o;
  o.input = static_cast<conv::Layout>(draw.between(0, 1));
  o.output = static_cast<conv::Layout>(draw.between(0, 1));
  o.accuracy = static_cast<conv::Accuracy>(draw.between(0, 2));
  o.algorithm = static_cast<conv::Algorithm>(draw.between(0, 4));
  o.filter = static_cast<conv::FilterForm>(draw.between(0, 1));
  o.threads = static_cast<int>(draw.between(0, 5));
  return o;
}

}  // namespace

int main(int argc, char** argv) {
  const double seconds = argc > 1 ? std::atof(argv[1]) : 60;
  const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : std::random_device{}();
  std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
  Draw draw(seed);
  const auto start = std::chrono::steady_clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  int shapes = 0;
  int runs = 0;
  int failures = 0;
  while (elapsed() < seconds && failures < 20) {
    const conv::Convolution convolution(draw_shape(draw), seed + static_cast<std::uint64_t>(shapes));
    ++shapes;
    for (int i = 0; i < 6; ++i, ++runs) {
      const conv::Options options = draw_options(draw);
      const auto place = static_cast<conv::GuardedArray::Place>(draw.between(0, 2));
      // Printed first: a crash leaves its cause as the last line of the log.
      std::fprintf(stderr, "%s %s place %d\n", to_string(convolution.shape()).c_str(), to_string(options).c_str(),
                   static_cast<int>(place));
      const std::string complaint = convolution.complaint(options, place);
      if (complaint.empty()) continue;
      ++failures;
      std::printf("FAILED %s %s place %d: %s\n", to_string(convolution.shape()).c_str(), to_string(options).c_str(),
                  static_cast<int>(place), complaint.c_str());
    }
  }
  std::printf("%d shapes, %d runs, %d failures in %.0f s\n", shapes, runs, failures, elapsed());
  return failures == 0 ? 0 : 1;
}
