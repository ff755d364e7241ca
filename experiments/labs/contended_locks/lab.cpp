/// Contended locks: test-and-set, ticket, queue (MCS) and mutex, with threads that all want the lock at once.
/// A fair lock hands itself to another core each time; an unfair one stays where the lines are.
#include <omp.h>
#include <sched.h>

#include <array>
#include <atomic>
#include <mutex>
#include <rooftop/delay.hpp>
#include <rooftop/lab.hpp>
#include <set>
#include <string>
#include <utility>

namespace {

/// Every thread enters the critical section `entries` times; it works for `cycles` cycles inside, and as long outside.
class Sections final : public rooftop::Lab {
 public:
  struct Parameters {
    std::int64_t entries, cycles;
  };
  static constexpr std::array fields{rooftop::field<&Parameters::entries>("entries", 1, 1 << 24),
                                     rooftop::field<&Parameters::cycles>("cycles", 0, 1 << 20)};
  static std::vector<Parameters> checks() { return {{.entries = 1, .cycles = 0}, {.entries = 97, .cycles = 7}}; }

  Sections(const Parameters& given, const rooftop::Setting& setting) : parameters(given), threads(setting.threads) {}
  void poison() override { sum = -1; }
  void spoil() override { sum -= 1; }
  [[nodiscard]] rooftop::Verdict verify(std::string_view /*algorithm*/) const override {
    const std::int64_t expected = parameters.entries * threads * (rooftop::Delay::step * parameters.cycles + 1);
    return rooftop::exact(sum == expected ? "" : std::to_string(sum) + ", expected " + std::to_string(expected));
  }
  [[nodiscard]] std::vector<rooftop::LabFigure> figures() const override {
    const auto median = std::next(of_runs.begin(), static_cast<std::ptrdiff_t>(of_runs.size() / 2));
    return {{"handovers", of_runs.empty() ? 0.0 : static_cast<double>(*median)}};
  }
  const Parameters parameters;
  const int threads;
  alignas(128) std::int64_t sum = 0;  ///< the result; what follows lies in its line, as the lock's holder uses all
  std::int64_t handovers = 0;         ///< entries by a thread that was not the last one in
  int last = -1;
  alignas(128) std::multiset<std::int64_t> of_runs;  ///< their handovers: in some, a thread is late for all entries
};

/// Spins, and gives the core away now and then: whose turn it is may not be running.
template <typename Condition>
void wait_until(const Condition& condition) {
  for (int tries = 1; !condition(); ++tries)
    if (tries % 1000 == 0) sched_yield();
}

struct TestAndSet {
  void lock() {
    while (taken.exchange(true, std::memory_order_acquire))
      wait_until([this] { return !taken.load(std::memory_order_relaxed); });  // reads leave the line where it is
  }
  void unlock() { taken.store(false, std::memory_order_release); }
  alignas(128) std::atomic<bool> taken{false};
};

struct Ticket {
  void lock() {
    const int mine = next.fetch_add(1, std::memory_order_relaxed);
    wait_until([&] { return serving.load(std::memory_order_acquire) == mine; });
  }
  void unlock() { serving.fetch_add(1, std::memory_order_release); }
  alignas(128) std::atomic<int> next{0};
  alignas(128) std::atomic<int> serving{0};  ///< all who wait read this line
};

struct alignas(128) Node {
  std::atomic<Node*> next{nullptr};
  std::atomic<bool> waits{false};
};

/// Mellor-Crummey and Scott's lock: a queue of threads, each of which waits at a line of its own.
struct Queue {
  void lock() {
    mine.next = nullptr;
    mine.waits = true;
    Node* before = tail.exchange(&mine);
    if (before == nullptr) return;
    before->next = &mine;
    wait_until([] { return !mine.waits.load(std::memory_order_acquire); });
  }
  void unlock() {
    Node* last = &mine;
    if (tail.compare_exchange_strong(last, nullptr)) return;
    wait_until([] { return mine.next != nullptr; });  // the next one is about to be linked
    mine.next.load()->waits.store(false, std::memory_order_release);
  }
  alignas(128) std::atomic<Node*> tail{nullptr};
  inline static thread_local Node mine;
};
template <typename Lock>
class Entering final : public rooftop::LabRung {
 public:
  explicit Entering(Sections& lab) : lab_(lab) {}
  void run() override {
    lab_.sum = lab_.handovers = 0;
    lab_.last = -1;
#pragma omp parallel num_threads(lab_.threads)
    {
      const int mine = omp_get_thread_num();
      const rooftop::Delay delay;
#pragma omp barrier  // a thread that begins before the others finds nobody to hand over to
      for (std::int64_t entry = 0, outside = 0; entry < lab_.parameters.entries; ++entry) {
        lock_.lock();
        lab_.handovers += std::exchange(lab_.last, mine) == mine ? 0 : 1;
        lab_.sum += delay.after(std::int64_t{1}, lab_.parameters.cycles);
        lock_.unlock();
        outside = delay.after(outside, lab_.parameters.cycles);
      }
    }
    lab_.of_runs.insert(lab_.handovers);
  }

 private:
  Sections& lab_;
  Lock lock_;
};

template <typename Lock>
constexpr auto variant = rooftop::variant<Entering<Lock>, Sections>;

}  // namespace

ROOFTOP_LAB(Sections, variant<TestAndSet>("10-test-and-set", "Whoever sees it open first takes it."),
            variant<Ticket>("20-ticket", "Numbers, and a display that all look at."),
            variant<Queue>("30-queue", "A queue: each waits at a line of its own."),
            variant<std::mutex>("40-mutex", "The library's: who waits sleeps."));
