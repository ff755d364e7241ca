/// False sharing: threads write to variables of their own that lie in one cache line.
///
/// A core writes to a line only after it has taken the line away from every other core. To the hardware, neighbours in
/// a line are one thing: what no thread shares is shared all the same.
#include <omp.h>

#include <array>
#include <atomic>
#include <rooftop/delay.hpp>
#include <rooftop/lab.hpp>
#include <string>
#include <vector>

namespace {

/// Each thread counts to `increments` on a counter of its own, with `cycles` cycles of other work after each step.
class Counting final : public rooftop::Lab {
 public:
  struct Parameters {
    std::int64_t increments;
    std::int64_t cycles;
  };
  static constexpr std::array fields{rooftop::field<&Parameters::increments>("increments", 1, 1 << 30),
                                     rooftop::field<&Parameters::cycles>("cycles", 0, 1 << 20)};
  static std::vector<Parameters> checks() { return {{.increments = 1, .cycles = 0}, {.increments = 500, .cycles = 9}}; }

  Counting(const Parameters& given, const rooftop::Setting& setting)
      : parameters(given), threads(setting.threads), counts(static_cast<std::size_t>(setting.threads)) {}

  void poison() override { counts.assign(counts.size(), -1); }
  void spoil() override { counts.back() -= 1; }

  [[nodiscard]] rooftop::Verdict verify(std::string_view /*algorithm*/) const override {
    for (const std::int64_t count : counts) {
      if (count == parameters.increments) continue;
      const std::string expected = ", expected " + std::to_string(parameters.increments);
      return rooftop::exact("a thread counted to " + std::to_string(count) + expected);
    }
    return rooftop::exact("");
  }

  const Parameters parameters;
  const int threads;
  std::vector<std::int64_t> counts;  ///< the result: what each thread counted to
};

/// An atomic increment waits until the core has the line; a plain store would wait in the store buffer, and the core
/// would go on. The work begins with what was read, and the next increment adds a zero that waits for its end: neither
/// hides behind the other.
void count(std::atomic<std::int64_t>& counter, const Counting::Parameters& parameters) {
  counter.store(0, std::memory_order_relaxed);
  const rooftop::Delay delay;
  std::int64_t nothing = 0;
  for (std::int64_t i = 0; i < parameters.increments; ++i) {
    nothing = delay.zero_after(counter.fetch_add(1 + nothing, std::memory_order_relaxed), parameters.cycles);
  }
}

/// Counters that lie `distance` bytes apart.
template <std::size_t distance>
class Counters final : public rooftop::LabRung {
  struct alignas(distance) Counter {
    std::atomic<std::int64_t> value{0};
  };

 public:
  explicit Counters(Counting& lab) : lab_(lab), counters_(lab.counts.size()) {}

  void run() override {
#pragma omp parallel num_threads(lab_.threads)
    count(counters_[static_cast<std::size_t>(omp_get_thread_num())].value, lab_.parameters);
  }
  void finish() override {
    for (std::size_t thread = 0; thread < counters_.size(); ++thread) lab_.counts[thread] = counters_[thread].value;
  }

 private:
  Counting& lab_;
  std::vector<Counter> counters_;
};

/// Counters on the threads' stacks.
class OneStore final : public rooftop::LabRung {
 public:
  explicit OneStore(Counting& lab) : lab_(lab) {}

  void run() override {
#pragma omp parallel num_threads(lab_.threads)
    {
      std::atomic<std::int64_t> own{0};
      count(own, lab_.parameters);
      lab_.counts[static_cast<std::size_t>(omp_get_thread_num())] = own;
    }
  }

 private:
  Counting& lab_;
};

using rooftop::variant;

}  // namespace

ROOFTOP_LAB(Counting,
            variant<Counters<8>, Counting>("10-shared-line", "All counters in one line, taken from core to core."),
            variant<Counters<64>, Counting>("20-line-apart", "A line for each counter."),
            variant<Counters<128>, Counting>("30-two-lines-apart",
                                             "Two lines each: one may bring its neighbour along."),
            variant<OneStore, Counting>("40-one-store", "A counter on each thread's stack, and one store of its end."));
