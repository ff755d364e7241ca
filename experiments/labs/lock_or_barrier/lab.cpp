/// A lock against a barrier: threads that add to a common sum in every step, with work that changes from step to step.
///
/// The sum needs mutual exclusion, not a common time. A barrier makes every step as long as its longest share of work;
/// with a lock a thread goes on at once, and its long and short steps even out.
#include <omp.h>

#include <array>
#include <rooftop/delay.hpp>
#include <rooftop/lab.hpp>
#include <string>
#include <vector>

namespace {

/// In each step one thread, in turn, works for `longest` cycles and the others for `shortest`; then each adds to the
/// sum.
class Steps final : public rooftop::Lab {
 public:
  struct Parameters {
    std::int64_t steps;
    std::int64_t longest;
    std::int64_t shortest;
  };
  static constexpr std::array fields{rooftop::field<&Parameters::steps>("steps", 1, 1 << 20),
                                     rooftop::field<&Parameters::longest>("longest", 0, 1 << 30),
                                     rooftop::field<&Parameters::shortest>("shortest", 0, 1 << 30)};
  static std::vector<Parameters> checks() {
    return {{.steps = 1, .longest = 0, .shortest = 0}, {.steps = 7, .longest = 90, .shortest = 11}};
  }

  Steps(const Parameters& given, const rooftop::Setting& setting) : parameters(given), threads(setting.threads) {
    omp_init_lock(&lock);
  }
  ~Steps() override { omp_destroy_lock(&lock); }

  void poison() override { sum = -1; }
  void spoil() override { sum += 1; }

  [[nodiscard]] rooftop::Verdict verify(std::string_view /*algorithm*/) const override {
    const std::int64_t others = (threads - 1) * (rooftop::Delay::step * parameters.shortest + 1);
    const std::int64_t expected = parameters.steps * (rooftop::Delay::step * parameters.longest + 1 + others);
    if (sum == expected) return rooftop::exact("");
    return rooftop::exact("the sum is " + std::to_string(sum) + ", expected " + std::to_string(expected));
  }

  /// A thread's share of a step.
  [[nodiscard]] std::int64_t share(std::int64_t step, int thread) const {
    const std::int64_t cycles = step % threads == thread ? parameters.longest : parameters.shortest;
    return rooftop::Delay().after(std::int64_t{1}, cycles);
  }

  const Parameters parameters;
  const int threads;
  std::int64_t sum = 0;  ///< the result
  alignas(128) omp_lock_t lock;
};

/// Each thread has a place of its own for its value. Nobody may add them up before all have come, and nobody may write
/// the next value before they are added up.
class Barriers final : public rooftop::LabRung {
 public:
  explicit Barriers(Steps& lab) : lab_(lab), values_(static_cast<std::size_t>(lab.threads)) {}

  void run() override {
    lab_.sum = 0;
#pragma omp parallel num_threads(lab_.threads)
    for (std::int64_t step = 0; step < lab_.parameters.steps; ++step) {
      values_[static_cast<std::size_t>(omp_get_thread_num())].value = lab_.share(step, omp_get_thread_num());
#pragma omp barrier
#pragma omp single
      for (const Padded& one : values_) lab_.sum += one.value;
    }
  }

 private:
  struct alignas(128) Padded {
    std::int64_t value = 0;
  };
  Steps& lab_;
  std::vector<Padded> values_;
};

class Locks final : public rooftop::LabRung {
 public:
  explicit Locks(Steps& lab) : lab_(lab) {}

  void run() override {
    lab_.sum = 0;
#pragma omp parallel num_threads(lab_.threads)
    for (std::int64_t step = 0; step < lab_.parameters.steps; ++step) {
      const std::int64_t value = lab_.share(step, omp_get_thread_num());
      omp_set_lock(&lab_.lock);
      lab_.sum += value;
      omp_unset_lock(&lab_.lock);
    }
  }

 private:
  Steps& lab_;
};

using rooftop::variant;

}  // namespace

ROOFTOP_LAB(Steps, variant<Barriers, Steps>("10-barriers", "All meet in each step, and one thread adds up."),
            variant<Locks, Steps>("20-lock", "Each adds its value under a lock, and goes on."));
