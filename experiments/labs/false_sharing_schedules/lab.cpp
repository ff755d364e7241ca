/// False sharing by schedule: which iterations a thread gets decides whose elements are neighbours in a line.
///
/// schedule(static) gives each thread one block of the array, and only its ends share lines with others.
/// schedule(static,1) deals the elements out like cards: every line belongs to all threads.
#include <omp.h>

#include <array>
#include <atomic>
#include <rooftop/delay.hpp>
#include <rooftop/lab.hpp>
#include <string>
#include <vector>

namespace {

/// Counts each of `elements` counters to `increments`, with `cycles` cycles of other work after each step.
class Counting final : public rooftop::Lab {
 public:
  struct Parameters {
    std::int64_t elements, increments, cycles;
  };
  static constexpr std::array fields{rooftop::field<&Parameters::elements>("elements", 1, 1 << 20),
                                     rooftop::field<&Parameters::increments>("increments", 1, 1 << 30),
                                     rooftop::field<&Parameters::cycles>("cycles", 0, 1 << 20)};
  static std::vector<Parameters> checks() {
    return {{.elements = 1, .increments = 1, .cycles = 0}, {.elements = 17, .increments = 20, .cycles = 9}};
  }

  Counting(const Parameters& given, const rooftop::Setting& setting)
      : parameters(given), threads(setting.threads), counts(static_cast<std::size_t>(given.elements)) {}

  void poison() override { counts.assign(counts.size(), -1); }
  void spoil() override { counts.back() -= 1; }
  [[nodiscard]] rooftop::Verdict verify(std::string_view /*algorithm*/) const override {
    for (const std::int64_t count : counts) {
      if (count != parameters.increments) return rooftop::exact("a counter is at " + std::to_string(count));
    }
    return rooftop::exact("");
  }
  [[nodiscard]] std::vector<rooftop::LabFigure> figures() const override {
    return {{"counters_bytes", static_cast<double>(counters_bytes)}};
  }

  const Parameters parameters;
  const int threads;
  std::vector<std::int64_t> counts;  ///< the result
  std::size_t counters_bytes = 0;    ///< of memory, for all counters
};

/// A plain store would wait in the store buffer, and the core would go on; an atomic increment waits for the line, and
/// for the zero that the work before it ends with.
void count(std::atomic<std::int64_t>& counter, const Counting::Parameters& parameters) {
  const rooftop::Delay delay;
  std::int64_t nothing = 0;
  for (std::int64_t i = 0; i < parameters.increments; ++i)
    nothing = delay.zero_after(counter.fetch_add(1 + nothing, std::memory_order_relaxed), parameters.cycles);
}

/// Counters that lie `distance` bytes apart, dealt out in pieces of `chunk`; 0: one block for each thread.
template <std::size_t distance, int chunk>
class Schedule final : public rooftop::LabRung {
  struct alignas(64) Line {
    std::array<std::atomic<std::int64_t>, 8> words{};
  };

 public:
  explicit Schedule(Counting& lab) : lab_(lab), lines_(lab.counts.size() * distance / sizeof(Line) + 1) {
    lab.counters_bytes = lab.counts.size() * distance;
  }

  void run() override {
    const auto elements = lab_.parameters.elements;
    const auto each = chunk > 0 ? chunk : (elements + lab_.threads - 1) / lab_.threads;
#pragma omp parallel for num_threads(lab_.threads) schedule(static, each)
    for (std::int64_t element = 0; element < elements; ++element) {
      std::atomic<std::int64_t>& counter = at(static_cast<std::size_t>(element));
      counter.store(0, std::memory_order_relaxed);
      count(counter, lab_.parameters);
    }
  }
  void finish() override {
    for (std::size_t element = 0; element < lab_.counts.size(); ++element) lab_.counts[element] = at(element);
  }

 private:
  std::atomic<std::int64_t>& at(std::size_t element) {
    return lines_[element * distance / sizeof(Line)].words[element * distance % sizeof(Line) / 8];
  }

  Counting& lab_;
  std::vector<Line> lines_;
};

/// A counter on the thread's own stack, and one store of its end.
class Local final : public rooftop::LabRung {
 public:
  explicit Local(Counting& lab) : lab_(lab) { lab.counters_bytes = lab.counts.size() * sizeof(std::int64_t); }

  void run() override {
#pragma omp parallel for num_threads(lab_.threads) schedule(static, 1)
    for (std::int64_t element = 0; element < lab_.parameters.elements; ++element) {
      std::atomic<std::int64_t> own{0};
      count(own, lab_.parameters);
      lab_.counts[static_cast<std::size_t>(element)] = own;
    }
  }

 private:
  Counting& lab_;
};

using rooftop::variant;

}  // namespace

ROOFTOP_LAB(Counting, variant<Schedule<8, 1>, Counting>("10-static-1", "Elements dealt out one by one."),
            variant<Schedule<8, 3>, Counting>("20-static-3", "Elements dealt out in threes."),
            variant<Schedule<8, 0>, Counting>("30-static", "One block of elements for each thread."),
            variant<Schedule<64, 1>, Counting>("40-line-each", "Dealt out one by one, each with a line of its own."),
            variant<Local, Counting>("50-local", "Dealt out one by one, counted on the stack, stored once."));
