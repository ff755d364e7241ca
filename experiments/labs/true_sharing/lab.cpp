/// True sharing: one counter that all threads increment, as threads are added.
///
/// Padding does not help here: the threads want the same variable. Its line goes from core to core, one at a time, and
/// the more threads wait for it the longer each of them waits.
#include <array>
#include <atomic>
#include <rooftop/delay.hpp>
#include <rooftop/lab.hpp>
#include <string>
#include <vector>

namespace {

constexpr std::memory_order relaxed = std::memory_order_relaxed;

/// Each thread adds 1 to a total `increments` times, with `cycles` cycles of other work after each.
class Total final : public rooftop::Lab {
 public:
  struct Parameters {
    std::int64_t increments, cycles;
  };
  static constexpr std::array fields{rooftop::field<&Parameters::increments>("increments", 1, 1 << 30),
                                     rooftop::field<&Parameters::cycles>("cycles", 0, 1 << 20)};
  static std::vector<Parameters> checks() { return {{.increments = 1, .cycles = 0}, {.increments = 501, .cycles = 9}}; }

  Total(const Parameters& given, const rooftop::Setting& setting) : parameters(given), threads(setting.threads) {}

  void poison() override { total = -1; }
  void spoil() override { total -= 1; }
  [[nodiscard]] rooftop::Verdict verify(std::string_view /*algorithm*/) const override {
    return rooftop::exact(total == threads * parameters.increments ? "" : "the total is " + std::to_string(total));
  }

  const Parameters parameters;
  const int threads;
  std::int64_t total = -1;  ///< the result
};

/// Every thread adds to one total at each `batch`-th step, and to a counter of its own between. The next increment adds
/// a zero that waits for the work before it.
template <std::int64_t batch>
class Batches final : public rooftop::LabRung {
 public:
  explicit Batches(Total& lab) : lab_(lab) {}
  void run() override {
    total_.store(0, relaxed);
#pragma omp parallel num_threads(lab_.threads)
    {
      const rooftop::Delay delay;
      std::atomic<std::int64_t> own{0};
      std::int64_t nothing = 0;
      for (std::int64_t i = 0; i < lab_.parameters.increments; ++i) {
        const bool shared = i % batch == batch - 1;
        const std::int64_t step = shared && batch > 1 ? own.exchange(0, relaxed) + 1 : 1;
        nothing = delay.zero_after((shared ? total_ : own).fetch_add(step + nothing, relaxed), lab_.parameters.cycles);
      }
      total_.fetch_add(own, relaxed);
    }
  }
  void finish() override { lab_.total = total_; }

 private:
  Total& lab_;
  alignas(64) std::atomic<std::int64_t> total_{0};
};

/// A counter on each thread's stack, and one sum at the end.
class Reduction final : public rooftop::LabRung {
 public:
  explicit Reduction(Total& lab) : lab_(lab) {}
  void run() override {
    std::int64_t total = 0;
#pragma omp parallel num_threads(lab_.threads) reduction(+ : total)
    {
      const rooftop::Delay delay;
      std::atomic<std::int64_t> own{0};
      std::int64_t nothing = 0;
      for (std::int64_t i = 0; i < lab_.parameters.increments; ++i)
        nothing = delay.zero_after(own.fetch_add(1 + nothing, relaxed), lab_.parameters.cycles);
      total += own;
    }
    lab_.total = total;
  }

 private:
  Total& lab_;
};

using rooftop::variant;

}  // namespace

ROOFTOP_LAB(Total, variant<Batches<1>, Total>("10-one-counter", "All threads increment one counter."),
            variant<Batches<16>, Total>("20-batches", "Each thread adds to it what it has counted in 16 steps."),
            variant<Reduction, Total>("30-reduction", "A counter for each thread, and one sum at the end."));
