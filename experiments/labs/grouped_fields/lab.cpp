/// Grouped fields: which members of a structure belong into one cache line.
///
/// Threads read a member that nobody writes while they work, and write members of their own. In the order in which they
/// were declared, all are in the same lines, and every write takes from the others what they only read.
#include <omp.h>

#include <array>
#include <atomic>
#include <rooftop/delay.hpp>
#include <rooftop/lab.hpp>
#include <string>
#include <vector>

namespace {

/// Each thread takes `steps` steps: reads the size of a packet, and counts packets and bytes in members of its own.
class Packets final : public rooftop::Lab {
 public:
  struct Parameters {
    std::int64_t steps;
    std::int64_t cycles;
  };
  static constexpr std::array fields{rooftop::field<&Parameters::steps>("steps", 1, 1 << 30),
                                     rooftop::field<&Parameters::cycles>("cycles", 0, 1 << 20)};
  static std::vector<Parameters> checks() { return {{.steps = 1, .cycles = 0}, {.steps = 301, .cycles = 9}}; }

  Packets(const Parameters& given, const rooftop::Setting& setting)
      : parameters(given), threads(setting.threads), totals(2 * static_cast<std::size_t>(setting.threads)) {}

  void poison() override { totals.assign(totals.size(), -1); }
  void spoil() override { totals.back() -= 1; }
  [[nodiscard]] rooftop::Verdict verify(std::string_view /*algorithm*/) const override {
    for (std::size_t i = 0; i < totals.size(); ++i) {
      const std::int64_t expected = parameters.steps * (i % 2 == 0 ? 1 : packet_bytes);
      if (totals[i] != expected) return rooftop::exact("a thread counted " + std::to_string(totals[i]));
    }
    return rooftop::exact("");
  }

  static constexpr std::int64_t packet_bytes = 1500;
  const Parameters parameters;
  const int threads;
  std::vector<std::int64_t> totals;  ///< the result: packets and bytes of each thread
};

enum class Layout : std::uint8_t { declared, read_only_apart, by_writer };

/// The members as words of whole lines: where each lies is what the layouts differ in.
template <Layout layout>
class Members final : public rooftop::LabRung {
  static constexpr std::size_t per_line = 8;
  struct alignas(64) Line {
    std::array<std::atomic<std::int64_t>, per_line> words{};
  };

 public:
  explicit Members(Packets& lab)
      : lab_(lab), threads_(static_cast<std::size_t>(lab.threads)), lines_(bytes_at(threads_) / per_line + 1) {
    word(0) = Packets::packet_bytes;
  }

  void run() override {
#pragma omp parallel num_threads(lab_.threads)
    {
      const auto thread = static_cast<std::size_t>(omp_get_thread_num());
      step(word(packets_at(thread)), word(bytes_at(thread)));
    }
  }
  void finish() override {
    for (std::size_t thread = 0; thread < threads_; ++thread) {
      lab_.totals[2 * thread] = word(packets_at(thread));
      lab_.totals[2 * thread + 1] = word(bytes_at(thread));
    }
  }

 private:
  [[nodiscard]] std::size_t packets_at(std::size_t thread) const {
    if (layout == Layout::by_writer) return per_line * (thread + 1);
    return (layout == Layout::declared ? 1 : per_line) + thread;
  }
  [[nodiscard]] std::size_t bytes_at(std::size_t thread) const {
    return layout == Layout::by_writer ? packets_at(thread) + 1 : packets_at(thread) + threads_;
  }
  std::atomic<std::int64_t>& word(std::size_t at) { return lines_[at / per_line].words[at % per_line]; }

  /// What is read waits for the work, since its address does; an atomic increment waits until the core has the line.
  void step(std::atomic<std::int64_t>& packets, std::atomic<std::int64_t>& bytes) {
    packets.store(0, std::memory_order_relaxed);
    bytes.store(0, std::memory_order_relaxed);
    const rooftop::Delay delay;
    std::int64_t value = 0;
    for (std::int64_t i = 0; i < lab_.parameters.steps; ++i) {
      const std::int64_t zero = delay.zero_after(value, lab_.parameters.cycles);
      const std::int64_t size = word(static_cast<std::size_t>(zero)).load(std::memory_order_relaxed);
      packets.fetch_add(1, std::memory_order_relaxed);
      value = bytes.fetch_add(size, std::memory_order_relaxed);
    }
  }

  Packets& lab_;
  std::size_t threads_;
  std::vector<Line> lines_;
};

using rooftop::variant;

}  // namespace

ROOFTOP_LAB(Packets, variant<Members<Layout::declared>, Packets>("10-as-declared", "All members in a row."),
            variant<Members<Layout::read_only_apart>, Packets>("20-read-only-apart",
                                                               "What nobody writes in a line of its own."),
            variant<Members<Layout::by_writer>, Packets>("30-by-writer",
                                                         "A line for the members that a thread writes."));
