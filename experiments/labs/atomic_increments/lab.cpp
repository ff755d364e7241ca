/// Atomic increments: one addition by exchange-add, compare-and-swap, a lock bit, and load-linked with
/// store-conditional.
///
/// Exchange-add takes the line once. Compare-and-swap first reads it, then takes it, and tries again if somebody else
/// has changed the value in between.
#include <array>
#include <atomic>
#include <rooftop/delay.hpp>
#include <rooftop/lab.hpp>
#include <string>

namespace {

using Word = std::atomic<std::uint64_t>;

/// Every thread adds 1 to one counter `increments` times, with `cycles` cycles of work after each.
class Counting final : public rooftop::Lab {
 public:
  struct Parameters {
    std::int64_t increments;
    std::int64_t cycles;
  };
  static constexpr std::array fields{rooftop::field<&Parameters::increments>("increments", 1, 1 << 24),
                                     rooftop::field<&Parameters::cycles>("cycles", 0, 1 << 20)};
  static std::vector<Parameters> checks() { return {{.increments = 1, .cycles = 0}, {.increments = 151, .cycles = 7}}; }

  Counting(const Parameters& given, const rooftop::Setting& setting) : parameters(given), threads(setting.threads) {}

  void poison() override { count = ~std::uint64_t{0}; }
  void spoil() override { count -= 1; }

  [[nodiscard]] rooftop::Verdict verify(std::string_view /*algorithm*/) const override {
    const std::uint64_t expected = static_cast<std::uint64_t>(parameters.increments * threads);
    if (count == expected) return rooftop::exact("");
    return rooftop::exact("counted " + std::to_string(count) + ", expected " + std::to_string(expected));
  }

  const Parameters parameters;
  const int threads;
  std::uint64_t count = 0;    ///< the result
  alignas(128) Word word{0};  ///< counts, and holds what else a variant needs
};

std::uint64_t exchange_add(Word& word) { return word.fetch_add(1, std::memory_order_relaxed); }

/// The new value instead of the old: the same instruction, and an addition behind it.
std::uint64_t add_fetch(Word& word) { return word += 1; }

std::uint64_t compare_and_swap(Word& word) {
  std::uint64_t before = word.load(std::memory_order_relaxed);
  while (!word.compare_exchange_weak(before, before + 1, std::memory_order_relaxed)) {
  }
  return before;
}

/// The highest bit is a lock. A bit that was set before belongs to somebody else; on x86 this is a loop of
/// compare-and-swap or, where only the bit is looked at, `lock bts`.
std::uint64_t lock_bit(Word& word) {
  constexpr std::uint64_t bit = std::uint64_t{1} << 63U;
  while ((word.fetch_or(bit, std::memory_order_acquire) & bit) != 0) {
  }
  const std::uint64_t before = word.load(std::memory_order_relaxed) & ~bit;
  word.store(before + 1, std::memory_order_release);  // the new value, and the lock is open
  return before;
}

/// Load-linked and store-conditional from compare-and-swap: the upper half is a version that every store raises, so
/// that a store also fails if the value was changed and changed back.
std::uint64_t load_linked(Word& word) {
  constexpr std::uint64_t version = std::uint64_t{1} << 32U;
  while (true) {
    std::uint64_t linked = word.load(std::memory_order_acquire);
    const std::uint64_t next = (linked + version) - (linked % version) + (linked % version + 1) % version;
    if (word.compare_exchange_weak(linked, next, std::memory_order_acq_rel)) return linked % version;
  }
}

/// The work begins with what the increment returned, and ends before the next: neither hides behind the other.
template <std::uint64_t (*increment)(Word&)>
class Increments final : public rooftop::LabRung {
 public:
  explicit Increments(Counting& lab) : lab_(lab) {}

  void run() override {
    lab_.word = 0;
#pragma omp parallel num_threads(lab_.threads)
    {
      const rooftop::Delay delay;
      std::uint64_t value = 0;
      for (std::int64_t i = 0; i < lab_.parameters.increments; ++i) {
        value = delay.after(value + increment(lab_.word), lab_.parameters.cycles);
      }
      asm volatile("" : : "r"(value));
    }
  }
  void finish() override { lab_.count = lab_.word.load() % (std::uint64_t{1} << 32U); }

 private:
  Counting& lab_;
};

template <std::uint64_t (*increment)(Word&)>
constexpr auto variant = rooftop::variant<Increments<increment>, Counting>;

}  // namespace

ROOFTOP_LAB(Counting, variant<exchange_add>("10-exchange-add", "Add, and get the old value."),
            variant<add_fetch>("20-add-fetch", "Add, and get the new value."),
            variant<compare_and_swap>("30-compare-and-swap", "Read, add, and store if nothing has changed."),
            variant<lock_bit>("40-test-and-set-bit", "Set a bit of the word that locks it, and add."),
            variant<load_linked>("50-load-linked", "Store if nobody has stored: compare-and-swap of a version."));
