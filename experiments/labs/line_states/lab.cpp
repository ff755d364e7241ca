/// Line states: what a read of a cache line costs, by who has the line and in which state.
/// Another core may have it modified, and then it alone can deliver it. It may have it exclusive, as memory has it, and
/// may have modified it without telling anybody, hence it must be asked. What no cache has comes from memory.
#include <omp.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <rooftop/aligned.hpp>
#include <rooftop/lab.hpp>
#include <string>
#include <vector>

#if defined(__aarch64__)
#define FLUSH(LINE) asm volatile("dc civac, %0" : : "r"(LINE) : "memory")
#else
#define FLUSH(LINE) __builtin_ia32_clflush(LINE)
#endif

namespace {

constexpr std::int64_t rounds = 41;

/// One thread brings 2^`doublings` lines into a state, another reads them: one after another, and then all at once.
class Lines final : public rooftop::Lab {
 public:
  struct Parameters {
    std::int64_t doublings;
  };
  static constexpr std::array fields{rooftop::field<&Parameters::doublings>("doublings", 0, 24)};
  static std::vector<Parameters> checks() { return {{.doublings = 0}, {.doublings = 7}}; }

  Lines(const Parameters& given, const rooftop::Setting& setting)
      : threads(setting.threads), lines(std::int64_t{1} << given.doublings) {}

  void poison() override { sum = -1; }
  void spoil() override { sum += 1; }
  [[nodiscard]] rooftop::Verdict verify(std::string_view /*algorithm*/) const override {
    return rooftop::exact(sum == rounds * lines * (lines - 1) ? "" : "the sum is " + std::to_string(sum));
  }
  [[nodiscard]] std::vector<rooftop::LabFigure> figures() const override {
    return {{"latency_ns", median_ns(chain_s)}, {"stream_ns", median_ns(stream_s)}};
  }
  /// Of a line: an interrupt takes as long as hundreds of them, and would decide a mean.
  [[nodiscard]] double median_ns(std::array<double, rounds> seconds) const {
    std::ranges::sort(seconds);
    return 1e9 * seconds[rounds / 2] / static_cast<double>(lines);
  }

  const std::int64_t threads, lines;
  std::int64_t sum = -1;                             ///< the result: of both readings, in all rounds
  std::array<double, rounds> chain_s{}, stream_s{};  ///< what the readings took
};

enum class State : std::uint8_t { in_memory, exclusive, modified, modified_far, own };

/// A line and the next, which stays empty: prefetchers bring a line's neighbour along.
struct alignas(64) Line {
  std::size_t next;
  std::int64_t value, empty[14];
};

template <State state>
class Reading final : public rooftop::LabRung {
 public:
  explicit Reading(Lines& lab) : lab_(lab), array_(static_cast<std::size_t>(lab.lines)) {
    if (lab.threads < 2) throw rooftop::Skip("not visible with one thread");
    if (state == State::modified_far && access("/sys/devices/system/node/node1", F_OK) != 0)
      throw rooftop::Skip("not visible here: one NUMA node");
    // A linear congruential generator with the full period: one cycle through all lines, without a pattern to prefetch.
    for (std::size_t i = 0; i < array_.size(); ++i)
      array_[i] = {(1664525 * i + 1013904223) % array_.size(), static_cast<std::int64_t>(i), {}};
  }

  void run() override {
    lab_.sum = 0;
    if (state == State::modified_far) {
#pragma omp parallel num_threads(2) proc_bind(spread)
      exchange();
    } else {
#pragma omp parallel num_threads(2)
      exchange();
    }
  }

 private:
  static constexpr bool flushed = state == State::in_memory || state == State::exclusive;

  void exchange() {
    for (std::int64_t reading = 0; reading < 2 * rounds; ++reading) {
      const bool reader = omp_get_thread_num() == 0;
      const auto round = static_cast<std::size_t>(reading / 2);
      for (std::size_t i = 0; flushed && reader && i < array_.size(); ++i) FLUSH(&array_[i]);
#pragma omp barrier
      if (reader == (state == State::own)) bring();
#pragma omp barrier
      if (reader && reading % 2 == 0) lab_.chain_s[round] = read<true>();
      if (reader && reading % 2 == 1) lab_.stream_s[round] = read<false>();
#pragma omp barrier
    }
  }
  /// To write a line, even the value that it has, makes it modified; to read one that no cache has makes it exclusive.
  void bring() {
    for (std::size_t i = 0; i < array_.size(); ++i) {
      if (state == State::exclusive) asm volatile("" : : "r"(array_[i].value));
      if (!flushed) array_[i].value = static_cast<std::int64_t>(i);
    }
  }
  template <bool chain>
  double read() {
    std::int64_t sum = 0;
    const double start = omp_get_wtime();
    for (std::size_t i = 0, at = 0; i < array_.size(); ++i, at = chain ? array_[at].next : i) sum += array_[at].value;
    asm volatile("" : "+r"(sum));
    lab_.sum += sum;
    return omp_get_wtime() - start;
  }

  Lines& lab_;
  rooftop::AlignedArray<Line> array_;
};

using rooftop::variant;

}  // namespace

ROOFTOP_LAB(Lines, variant<Reading<State::in_memory>, Lines>("10-memory", "No cache has the lines."),
            variant<Reading<State::modified_far>, Lines>("20-modified-far", "A core far away wrote them."),
            variant<Reading<State::modified>, Lines>("30-modified", "Another core wrote them."),
            variant<Reading<State::exclusive>, Lines>("40-exclusive", "Another core read them, and nobody else."),
            variant<Reading<State::own>, Lines>("50-own", "The reader wrote them itself."));
