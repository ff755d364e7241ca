/// Remote memory: the same reads, of memory at the core's own node and of memory at the node farthest away.
///
/// A request for remote memory passes a link to the other node and back. One after another, the reads show the longer
/// way; many at once show how much the link carries.
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <rooftop/aligned.hpp>
#include <rooftop/lab.hpp>
#include <string>
#include <vector>

namespace {

/// The sum of a value in each of 2^`doublings` cache lines.
class Lines final : public rooftop::Lab {
 public:
  struct Parameters {
    std::int64_t doublings;
  };
  static constexpr std::array fields{rooftop::field<&Parameters::doublings>("doublings", 0, 32)};
  static std::vector<Parameters> checks() { return {{.doublings = 0}, {.doublings = 11}}; }

  Lines(const Parameters& given, const rooftop::Setting& /*setting*/) : lines(std::int64_t{1} << given.doublings) {}

  void poison() override { sum = -1; }
  void spoil() override { sum += 1; }
  [[nodiscard]] rooftop::Verdict verify(std::string_view /*algorithm*/) const override {
    return rooftop::exact(sum == lines * (lines - 1) / 2 ? "" : "the sum is " + std::to_string(sum));
  }

  const std::int64_t lines;
  std::int64_t sum = -1;  ///< the result
};

/// The numbers in a file of the system, separated by spaces; the first one of a list of processors.
std::vector<int> numbers_in(const char* path) {
  std::vector<int> numbers;
  std::FILE* file = std::fopen(path, "re");
  if (file == nullptr) return numbers;
  for (int number = 0; std::fscanf(file, "%d", &number) == 1;) numbers.push_back(number);
  (void)std::fclose(file);
  return numbers;
}

/// The node that is farthest from node 0 by the firmware's table of distances, and 0 where there is no other.
std::size_t farthest_node() {
  const std::vector<int> distances = numbers_in("/sys/devices/system/node/node0/distance");
  std::size_t farthest = 0;
  for (std::size_t node = 1; node < distances.size(); ++node) {
    if (distances[node] > distances[farthest]) farthest = node;
  }
  return farthest;
}

/// Makes this thread stay on the first processor of node 0.
bool stay_on_node_0() {
  const std::vector<int> listed = numbers_in("/sys/devices/system/node/node0/cpulist");
  cpu_set_t cores;
  CPU_ZERO(&cores);
  if (!listed.empty()) CPU_SET(listed[0], &cores);
  return sched_setaffinity(0, sizeof cores, &cores) == 0;
}

struct alignas(64) Line {
  std::size_t next;
  std::int64_t value;
};

template <bool remote, bool chain>
class Reading final : public rooftop::LabRung {
 public:
  explicit Reading(Lines& lab) : lab_(lab), array_(static_cast<std::size_t>(lab.lines)) {
    const std::size_t far = farthest_node();
    if (far == 0) throw rooftop::Skip("not visible here: one NUMA node");
    if (!stay_on_node_0() || !bind_to(remote ? far : 0)) throw rooftop::Skip("the system refuses to choose NUMA nodes");
  }

  /// A linear congruential generator with the full period: one cycle through all lines, without a pattern to prefetch.
  void prepare() override {
    for (std::size_t i = 0; i < array_.size(); ++i)
      array_[i] = {(1664525 * i + 1013904223) % array_.size(), static_cast<std::int64_t>(i)};
  }

  void run() override {
    std::int64_t sum = 0;
    if (chain) {
      for (std::size_t at = array_[0].next; at != 0; at = array_[at].next) sum += array_[at].value;
    } else {
      for (const Line& line : array_) sum += line.value;
    }
    lab_.sum = sum;
  }
  [[nodiscard]] rooftop::Work work() const override {
    const auto bytes = static_cast<double>(sizeof(Line) * array_.size());
    return {.memory_bytes = bytes, .working_set_bytes = bytes, .algorithm = {}};
  }

 private:
  /// Takes memory from this node alone. Only whole pages can be bound: those at both ends of the array may lie
  /// elsewhere.
  bool bind_to(std::size_t node) {
    constexpr int bind = 2;  // MPOL_BIND
    std::array<unsigned long, 16> mask{};
    mask.at(node / 64) = 1UL << (node % 64);
    const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    const auto start = (reinterpret_cast<std::uintptr_t>(array_.begin()) + page - 1) / page * page;
    const auto end = reinterpret_cast<std::uintptr_t>(array_.end()) / page * page;
    return start >= end || syscall(SYS_mbind, start, end - start, bind, mask.data(), 1025UL, 0U) == 0;
  }

  Lines& lab_;
  rooftop::AlignedArray<Line> array_;
};

using rooftop::variant;

}  // namespace

ROOFTOP_LAB(Lines,
            variant<Reading<true, true>, Lines>("10-remote-chain", "One line after another, from the farthest node."),
            variant<Reading<false, true>, Lines>("20-local-chain", "One line after another, from the core's own node."),
            variant<Reading<true, false>, Lines>("30-remote-stream", "Many lines at once, from the farthest node."),
            variant<Reading<false, false>, Lines>("40-local-stream", "Many lines at once, from the core's own node."));
