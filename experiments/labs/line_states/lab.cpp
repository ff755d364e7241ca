/// Line states: what a read of a cache line costs, by who has the line and in which state.
///
/// Another core may have the line modified, and then it alone can deliver it. It may have it exclusive, as memory has
/// it, and may have modified it without telling anybody, hence it must be asked. What no cache has comes from memory.
#include <omp.h>
#include <sched.h>

#include <array>
#include <cstdio>
#include <rooftop/aligned.hpp>
#include <rooftop/lab.hpp>
#include <string>
#include <vector>

namespace {

constexpr std::int64_t rounds = 20;

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
    const double scale = 1e9 / static_cast<double>(lines * rounds);
    return {{"latency_ns", chain_s * scale}, {"stream_ns", stream_s * scale}};
  }

  const int threads;
  const std::int64_t lines;
  std::int64_t sum = -1;             ///< the result: of both readings, in all rounds
  double chain_s = 0, stream_s = 0;  ///< what the readings took
};

enum class State : std::uint8_t { in_memory, exclusive, modified, modified_far, own };

/// The socket of a processor; -1 where the system does not say.
int socket_of(int core) {
  const std::string path = "/sys/devices/system/cpu/cpu" + std::to_string(core) + "/topology/physical_package_id";
  std::FILE* file = std::fopen(path.c_str(), "re");
  int socket = -1;
  if (file != nullptr && std::fscanf(file, "%d", &socket) != 1) socket = -1;
  if (file != nullptr) (void)std::fclose(file);
  return socket;
}

/// Makes the calling thread stay on another socket than that of `core`; false where there is none that it may run on.
bool leave_socket_of(int core) {
  for (int other = 0; other < CPU_SETSIZE && socket_of(other) >= 0; ++other) {
    cpu_set_t cores;
    CPU_ZERO(&cores);
    CPU_SET(other, &cores);
    if (socket_of(other) != socket_of(core) && sched_setaffinity(0, sizeof cores, &cores) == 0) return true;
  }
  return false;
}

struct alignas(64) Line {
  std::size_t next;
  std::int64_t value;
};

template <State state>
class Reading final : public rooftop::LabRung {
 public:
  explicit Reading(Lines& lab) : lab_(lab), array_(static_cast<std::size_t>(lab.lines)) {
    if (lab.threads < 2) throw rooftop::Skip("not visible with one thread");
#if !defined(__x86_64__)
    if (flushed) throw rooftop::Skip("needs an instruction that flushes a line, as x86-64 has");
#endif
    // A linear congruential generator with the full period: one cycle through all lines, without a pattern to prefetch.
    for (std::size_t i = 0; i < array_.size(); ++i)
      array_[i] = {(1664525 * i + 1013904223) % array_.size(), static_cast<std::int64_t>(i)};
    bool placed = true;
    const int reader = sched_getcpu();
#pragma omp parallel num_threads(2)
    if (state == State::modified_far && omp_get_thread_num() == 1) placed = leave_socket_of(reader);
    if (!placed) throw rooftop::Skip("not visible here: one socket");
  }

  void run() override {
    lab_.sum = 0;
    lab_.chain_s = lab_.stream_s = 0;
#pragma omp parallel num_threads(2)
    for (std::int64_t reading = 0; reading < 2 * rounds; ++reading) {
      const bool reader = omp_get_thread_num() == 0;
      if (flushed && reader) flush();
#pragma omp barrier
      if (reader == (state == State::own)) bring();
#pragma omp barrier
      if (reader) read(reading % 2 == 0);
#pragma omp barrier
    }
  }

 private:
  static constexpr bool flushed = state == State::in_memory || state == State::exclusive;

  void flush() {
#if defined(__x86_64__)
    for (const Line& line : array_) __builtin_ia32_clflush(&line);
    __builtin_ia32_mfence();
#endif
  }
  /// To write a line, even the value that it has, makes it modified; to read one that no cache has makes it exclusive.
  void bring() {
    for (std::size_t i = 0; i < array_.size(); ++i) {
      if (state == State::exclusive) asm volatile("" : : "r"(array_[i].value));
      if (!flushed) array_[i].value = static_cast<std::int64_t>(i);
    }
  }
  void read(bool chain) {
    std::int64_t sum = 0;
    const double start = omp_get_wtime();
    if (chain) {
      for (std::size_t at = array_[0].next; at != 0; at = array_[at].next) sum += array_[at].value;
    } else {
      for (const Line& line : array_) sum += line.value;
    }
    asm volatile("" : "+r"(sum));
    (chain ? lab_.chain_s : lab_.stream_s) += omp_get_wtime() - start;
    lab_.sum += sum;
  }

  Lines& lab_;
  rooftop::AlignedArray<Line> array_;
};

using rooftop::variant;

}  // namespace

ROOFTOP_LAB(Lines, variant<Reading<State::in_memory>, Lines>("10-memory", "No cache has the lines."),
            variant<Reading<State::modified_far>, Lines>("20-modified-other-socket",
                                                         "A core of another socket wrote them."),
            variant<Reading<State::modified>, Lines>("30-modified", "Another core wrote them."),
            variant<Reading<State::exclusive>, Lines>("40-exclusive", "Another core read them, and nobody else."),
            variant<Reading<State::own>, Lines>("50-own", "The reader wrote them itself."));
