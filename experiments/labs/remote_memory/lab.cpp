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
#include <utility>
#include <vector>

namespace {

struct Line {
  std::int64_t next;
  std::int64_t value;
  std::array<std::int64_t, 6> rest;
};

/// The sum of a value in each of `lines` cache lines.
class Lines final : public rooftop::Lab {
 public:
  struct Parameters {
    std::int64_t lines;
  };
  static constexpr std::array fields{rooftop::field<&Parameters::lines>("lines", 1, 1 << 28)};
  static std::vector<Parameters> checks() { return {{.lines = 1}, {.lines = 1009}}; }

  Lines(const Parameters& given, const rooftop::Setting& setting) : lines(given.lines), seed(setting.seed) {}

  void poison() override { sum = -1; }
  void spoil() override { sum += 1; }

  [[nodiscard]] rooftop::Verdict verify(std::string_view /*algorithm*/) const override {
    const std::int64_t expected = lines * (lines - 1) / 2;
    if (sum == expected) return rooftop::exact("");
    return rooftop::exact("the sum is " + std::to_string(sum) + ", expected " + std::to_string(expected));
  }

  const std::int64_t lines;
  const std::uint64_t seed;
  std::int64_t sum = -1;  ///< the result
};

/// The node that is farthest from node 0 by the firmware's table of distances, and 0 where there is no other.
int farthest_node() {
  std::FILE* file = std::fopen("/sys/devices/system/node/node0/distance", "re");
  if (file == nullptr) return 0;
  int farthest = 0;
  int most = 10;  // a node's distance to itself
  int distance = 0;
  for (int node = 0; std::fscanf(file, "%d", &distance) == 1; ++node) {
    if (distance > most) {
      most = distance;
      farthest = node;
    }
  }
  (void)std::fclose(file);
  return farthest;
}

/// Makes this thread stay on the first processor of node 0.
bool stay_on_node_0() {
  std::FILE* file = std::fopen("/sys/devices/system/node/node0/cpulist", "re");
  if (file == nullptr) return false;
  int core = 0;
  const bool known = std::fscanf(file, "%d", &core) == 1;
  (void)std::fclose(file);
  cpu_set_t cores;
  CPU_ZERO(&cores);
  CPU_SET(core, &cores);
  return known && sched_setaffinity(0, sizeof cores, &cores) == 0;
}

template <bool remote, bool one_by_one>
class Reading final : public rooftop::LabRung {
 public:
  explicit Reading(Lines& lab) : lab_(lab), array_(static_cast<std::size_t>(lab.lines)) {
    const int far = farthest_node();
    if (far == 0) throw rooftop::Skip("not visible here: one NUMA node");
    if (!stay_on_node_0() || !bind_to(remote ? far : 0))
      throw rooftop::Skip("the system does not let a program choose its NUMA nodes");
  }

  /// One cycle through all lines in random order, by Sattolo's algorithm.
  void prepare() override {
    const auto count = static_cast<std::uint64_t>(lab_.lines);
    for (std::uint64_t i = 0; i < count; ++i)
      array_[i] = {static_cast<std::int64_t>(i), static_cast<std::int64_t>(i), {}};
    std::uint64_t state = 0x9E3779B97F4A7C15U ^ lab_.seed;
    for (std::uint64_t i = count - 1; i > 0; --i) {
      state ^= state << 13U;
      state ^= state >> 7U;
      state ^= state << 17U;
      std::swap(array_[i].next, array_[(state >> 16U) % i].next);
    }
  }

  void run() override {
    std::int64_t sum = 0;
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
    lab_.sum = sum;
  }

 private:
  /// Takes memory from this node alone. Only whole pages can be bound: those at both ends of the array may lie
  /// elsewhere.
  bool bind_to(int node) {
    constexpr int bind = 2;  // MPOL_BIND
    std::array<unsigned long, 16> mask{};
    mask[static_cast<std::size_t>(node) / 64] = 1UL << (static_cast<unsigned>(node) % 64);
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
            variant<Reading<true, true>, Lines>("10-remote-chase", "One line after another, from the farthest node."),
            variant<Reading<false, true>, Lines>("20-local-chase", "One line after another, from the core's own node."),
            variant<Reading<true, false>, Lines>("30-remote-stream", "Many lines at once, from the farthest node."),
            variant<Reading<false, false>, Lines>("40-local-stream", "Many lines at once, from the core's own node."));
