/// Line states: what a read of a cache line costs, by who has the line and in which state.
///
/// Another core may have the line modified, and then it alone can deliver it. It may have it exclusive, as memory has
/// it, and may have modified it without telling anybody, hence it must be asked. What no cache has comes from memory.
#include <omp.h>
#include <sched.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <rooftop/aligned.hpp>
#include <rooftop/lab.hpp>
#include <string>
#include <utility>
#include <vector>

namespace {

struct Line {
  std::int64_t next;
  std::int64_t value;
  std::array<std::int64_t, 6> rest;
};

/// One thread brings `lines` lines into a state, another reads them: first one after another, then all at once.
class Lines final : public rooftop::Lab {
 public:
  struct Parameters {
    std::int64_t lines;
    std::int64_t rounds;
  };
  static constexpr std::array fields{rooftop::field<&Parameters::lines>("lines", 1, 1 << 20),
                                     rooftop::field<&Parameters::rounds>("rounds", 1, 1 << 20)};
  static std::vector<Parameters> checks() { return {{.lines = 1, .rounds = 1}, {.lines = 97, .rounds = 3}}; }

  Lines(const Parameters& given, const rooftop::Setting& setting) : parameters(given), threads(setting.threads) {}

  void poison() override { sum = -1; }
  void spoil() override { sum += 1; }
  [[nodiscard]] rooftop::Verdict verify(std::string_view /*algorithm*/) const override {
    const std::int64_t expected = parameters.rounds * parameters.lines * (parameters.lines - 1);
    if (sum == expected) return rooftop::exact("");
    return rooftop::exact("the sum is " + std::to_string(sum) + ", expected " + std::to_string(expected));
  }
  [[nodiscard]] std::vector<rooftop::LabFigure> figures() const override {
    const auto reads = static_cast<double>(parameters.lines * parameters.rounds);
    return {{"latency_ns", static_cast<double>(chase_ns) / reads},
            {"stream_ns", static_cast<double>(stream_ns) / reads}};
  }

  const Parameters parameters;
  const int threads;
  std::int64_t sum = -1;  ///< the result: both readings' values, of all rounds
  std::int64_t chase_ns = 0;
  std::int64_t stream_ns = 0;
};

enum class State : std::uint8_t { in_memory, exclusive, modified, modified_far, own };

/// Makes the calling thread stay on another socket than the reader's; false where there is none that it may run on.
bool move_to_another_socket(int reader_core) {
  const auto socket_of = [](int core) {
    const std::string path = "/sys/devices/system/cpu/cpu" + std::to_string(core) + "/topology/physical_package_id";
    std::FILE* file = std::fopen(path.c_str(), "re");
    int socket = -1;
    if (file == nullptr || std::fscanf(file, "%d", &socket) != 1) socket = -1;
    if (file != nullptr) (void)std::fclose(file);
    return socket;
  };
  const int here = socket_of(reader_core);
  for (int core = 0; core < sysconf(_SC_NPROCESSORS_CONF) && core < CPU_SETSIZE; ++core) {
    if (socket_of(core) == -1 || socket_of(core) == here) continue;
    cpu_set_t cores;
    CPU_ZERO(&cores);
    CPU_SET(core, &cores);
    if (sched_setaffinity(0, sizeof cores, &cores) == 0) return true;
  }
  return false;
}

template <State state>
class Reading final : public rooftop::LabRung {
 public:
  explicit Reading(Lines& lab) : lab_(lab), array_(static_cast<std::size_t>(lab.parameters.lines)) {
    if (lab.threads < 2) throw rooftop::Skip("not visible with one thread");
#if !defined(__x86_64__)
    if (state == State::in_memory || state == State::exclusive)
      throw rooftop::Skip("no instruction known that flushes a line");
#endif
    for (std::size_t i = 0; i < array_.size(); ++i)
      array_[i] = {static_cast<std::int64_t>(i), static_cast<std::int64_t>(i), {}};
    std::uint64_t random = 0x9E3779B97F4A7C15U;
    for (std::size_t i = array_.size() - 1; i > 0; --i) {  // Sattolo's algorithm: one cycle through all lines
      random ^= random << 13U;
      random ^= random >> 7U;
      random ^= random << 17U;
      std::swap(array_[i].next, array_[(random >> 16U) % i].next);
    }
    bool moved = true;
    const int reader_core = sched_getcpu();
#pragma omp parallel num_threads(2)
    if (state == State::modified_far && omp_get_thread_num() == 1) moved = move_to_another_socket(reader_core);
    if (!moved) throw rooftop::Skip("not visible here: one socket");
  }

  void run() override {
    lab_.sum = lab_.chase_ns = lab_.stream_ns = 0;
#pragma omp parallel num_threads(2)
    for (std::int64_t reading = 0; reading < 2 * lab_.parameters.rounds; ++reading) {
      if (omp_get_thread_num() == 0 && (state == State::in_memory || state == State::exclusive)) flush();
#pragma omp barrier
      if (omp_get_thread_num() == (state == State::own ? 0 : 1)) bring();
#pragma omp barrier
      if (omp_get_thread_num() == 0) read(reading % 2 == 0);
#pragma omp barrier
    }
  }

 private:
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
      if (state >= State::modified) array_[i].value = static_cast<std::int64_t>(i);
    }
    asm volatile("" : : : "memory");
  }

  void read(bool one_by_one) {
    std::int64_t sum = 0;
    const auto start = std::chrono::steady_clock::now();
    if (one_by_one) {
      std::int64_t at = 0;
      do {
        const Line& line = array_[static_cast<std::size_t>(at)];
        sum += line.value;
        at = line.next;
      } while (at != 0);
    } else {
      for (const Line& line : array_) sum += line.value;
    }
    asm volatile("" : "+r"(sum));
    (one_by_one ? lab_.chase_ns : lab_.stream_ns) += (std::chrono::steady_clock::now() - start).count();
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
