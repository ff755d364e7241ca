/// The memory mountain: what one core reads per second over the size of the working set and the stride between loads.
///
/// Spatial locality is the slope along the strides, temporal locality the steps along the sizes. Only the 8-byte words
/// that the program asks for are counted, so a stride of 64 bytes uses an eighth of each line that it moves.
/// Source: R. Bryant, D. O'Hallaron, "Computer Systems: A Programmer's Perspective", section 6.6.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "bursts.hpp"
#include "levels.hpp"
#include "pages.hpp"
#include "rooftop/probe_lines.hpp"

namespace {

struct Walk {
  const std::uint64_t* words;
  std::size_t count;
  std::size_t stride;
};

/// Four sums, so that the additions do not limit; sizes are powers of two and strides at most 64 words.
void walk(const Walk& walk, std::uint64_t repetitions) {
  std::uint64_t sum[4] = {};
  for (std::uint64_t repetition = 0; repetition < repetitions; ++repetition) {
    for (std::size_t i = 0; i < walk.count; i += 4 * walk.stride) {
#pragma GCC unroll 4
      for (std::size_t j = 0; j < 4; ++j) {
        sum[j] += walk.words[i + j * walk.stride];
        asm volatile("" : "+r"(sum[j]));  // keeps each load a load of one word
      }
    }
    asm volatile("" ::: "memory");
  }
}

}  // namespace

int main(int argc, char** argv) {
  const auto cpus = probe::usable_processors();
  const auto options = rooftop::parse_probe_options(argc, argv, static_cast<int>(cpus.size()));
  const rooftop::ProbeLines lines("memory_mountain");
  const auto memory = probe::working_sets(cpus, 1).back();
  const std::size_t largest = std::min<std::size_t>(memory.thread_bytes, 1u << 30);
  const probe::Pages pages(std::max<std::size_t>(largest, 16384), probe::PageSize::huge);
  auto* const words = reinterpret_cast<std::uint64_t*>(pages.data());
  std::fill_n(words, std::max<std::size_t>(largest, 16384) / sizeof(std::uint64_t), 1);
  probe::Pace pace{.burst_s = 1e-3, .min_bursts = 2, .max_bursts = 100, .budget_s = options.quick ? 4e-3 : 4e-2};
  for (std::size_t bytes = 16384; bytes <= largest; bytes *= 2) {
    for (const std::size_t stride : {1, 2, 4, 8, 16, 32}) {
      const std::size_t count = bytes / sizeof(std::uint64_t);
      const auto bursts = probe::run_bursts(
          cpus, 1, pace,
          [&](int) {
            return Walk{words, count, stride};
          },
          walk);
      const double read_bytes = static_cast<double>(bytes / stride);
      lines.figure("strided_read", read_bytes / bursts.best_repetition_s(), "byte/s", 1,
                   {{"bytes", bytes}, {"stride_bytes", stride * sizeof(std::uint64_t)}});
    }
  }
}
