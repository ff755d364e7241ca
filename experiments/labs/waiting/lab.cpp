/// Waiting: threads that pass a token around, and wait for it actively or passively.
///
/// A thread that spins sees the token one exchange of a cache line after it was passed, and keeps its core meanwhile.
/// If the thread that has the token needs that core, it gets it when the time slice ends. A thread that sleeps leaves
/// the core to others, and each wake-up is a call of the system.
#include <omp.h>
#include <sched.h>

#include <array>
#include <atomic>
#include <rooftop/lab.hpp>
#include <string>

namespace {

void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

/// The token goes `rounds` times around `threads * per_core` threads.
class Token final : public rooftop::Lab {
 public:
  struct Parameters {
    std::int64_t rounds;
    std::int64_t per_core;
  };
  static constexpr std::array fields{rooftop::field<&Parameters::rounds>("rounds", 1, 1 << 20),
                                     rooftop::field<&Parameters::per_core>("per_core", 1, 8)};
  static std::vector<Parameters> checks() { return {{.rounds = 1, .per_core = 1}, {.rounds = 3, .per_core = 2}}; }

  Token(const Parameters& given, const rooftop::Setting& setting)
      : parameters(given), threads(setting.threads * static_cast<int>(given.per_core)) {}

  void poison() override { token = -1; }
  void spoil() override { token -= 1; }

  [[nodiscard]] rooftop::Verdict verify(std::string_view /*algorithm*/) const override {
    const std::int64_t expected = parameters.rounds * threads;
    if (token == expected && wrong == 0) return rooftop::exact("");
    return rooftop::exact("the token was passed " + std::to_string(token) + " times, expected " +
                          std::to_string(expected) + "; out of turn " + std::to_string(wrong) + " times");
  }

  const Parameters parameters;
  const int threads;
  alignas(128) std::atomic<std::int64_t> token{0};  ///< the result: thread token % threads has it
  alignas(128) std::atomic<std::int64_t> wrong{0};  ///< times that the token came to somebody else
};

void spinning(std::atomic<std::int64_t>& token, std::int64_t turn) {
  while (token.load(std::memory_order_acquire) != turn) relax();
}

/// Active as long as nobody else wants the core.
void yielding(std::atomic<std::int64_t>& token, std::int64_t turn) {
  while (token.load(std::memory_order_acquire) != turn) sched_yield();
}

/// Active for some microseconds, then passive: what runtimes do between the two waiting policies.
void spinning_first(std::atomic<std::int64_t>& token, std::int64_t turn) {
  for (int tries = 0; tries < 200; ++tries) {
    if (token.load(std::memory_order_acquire) == turn) return;
    relax();
  }
  for (std::int64_t seen = token; seen != turn; seen = token) token.wait(seen);
}

void sleeping(std::atomic<std::int64_t>& token, std::int64_t turn) {
  for (std::int64_t seen = token; seen != turn; seen = token) token.wait(seen);
}

template <void (*wait)(std::atomic<std::int64_t>&, std::int64_t), bool wakes>
class Passing final : public rooftop::LabRung {
 public:
  explicit Passing(Token& lab) : lab_(lab) {}

  void run() override {
    lab_.token = 0;
    lab_.wrong = 0;
#pragma omp parallel num_threads(lab_.threads)
    for (std::int64_t round = 0; round < lab_.parameters.rounds; ++round) {
      const std::int64_t turn = round * lab_.threads + omp_get_thread_num();
      wait(lab_.token, turn);
      if (lab_.token.fetch_add(1, std::memory_order_acq_rel) != turn) lab_.wrong += 1;
      if (wakes) lab_.token.notify_all();
    }
  }

 private:
  Token& lab_;
};

}  // namespace

ROOFTOP_LAB(Token, rooftop::variant<Passing<spinning, false>, Token>("10-spin", "Active: look until the token comes."),
            rooftop::variant<Passing<yielding, false>, Token>("20-yield", "Active, and the core to whoever wants it."),
            rooftop::variant<Passing<spinning_first, true>, Token>("30-spin-then-sleep", "First active, then passive."),
            rooftop::variant<Passing<sleeping, true>, Token>("40-sleep", "Passive: sleep until somebody wakes."));
