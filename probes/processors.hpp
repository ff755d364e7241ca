/// The processors that this process may use, and small readers of /sys.
#pragma once

#include <sched.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace probe {

/// The first line of a /sys or /proc file, or nothing where it cannot be read.
inline std::optional<std::string> first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line)) return std::nullopt;
  return line;
}

inline constexpr int most_processors = 8192;

/// "0-3,8" as the set {0, 1, 2, 3, 8}; the part that can be read where the list is broken, of processors below
/// most_processors.
inline std::set<int> parse_cpu_list(const std::string& text) {
  std::set<int> cpus;
  std::istringstream list(text);
  for (std::string range; std::getline(list, range, ',');) {
    std::istringstream ends(range);
    int first = 0;
    if (!(ends >> first)) continue;
    int last = first;
    if (ends.peek() == '-') {
      ends.ignore();
      ends >> last;
    }
    for (int cpu = std::max(first, 0); cpu <= std::min(last, most_processors - 1); ++cpu) cpus.insert(cpu);
  }
  return cpus;
}

inline std::string cpu_folder(int cpu) { return "/sys/devices/system/cpu/cpu" + std::to_string(cpu) + '/'; }

/// Processors in this process's affinity mask: one of each core first, their SMT siblings after them.
inline std::vector<int> usable_processors() {
  cpu_set_t* mask = CPU_ALLOC(most_processors);
  const std::size_t mask_bytes = CPU_ALLOC_SIZE(most_processors);
  CPU_ZERO_S(mask_bytes, mask);
  std::vector<int> first_of_core;
  std::vector<int> siblings;
  if (sched_getaffinity(0, mask_bytes, mask) == 0) {
    std::set<int> seen;
    for (int cpu = 0; cpu < most_processors; ++cpu) {
      if (!CPU_ISSET_S(cpu, mask_bytes, mask)) continue;
      (seen.contains(cpu) ? siblings : first_of_core).push_back(cpu);
      if (const auto list = first_line(cpu_folder(cpu) + "topology/thread_siblings_list")) {
        seen.merge(parse_cpu_list(*list));
      }
    }
  }
  CPU_FREE(mask);
  first_of_core.insert(first_of_core.end(), siblings.begin(), siblings.end());
  if (first_of_core.empty()) first_of_core.push_back(0);
  return first_of_core;
}

/// Binds the calling thread; false where the kernel refuses.
inline bool pin_to(int cpu) {
  cpu_set_t* mask = CPU_ALLOC(cpu + 1);
  const std::size_t mask_bytes = CPU_ALLOC_SIZE(cpu + 1);
  CPU_ZERO_S(mask_bytes, mask);
  CPU_SET_S(cpu, mask_bytes, mask);
  const bool bound = sched_setaffinity(0, mask_bytes, mask) == 0;
  CPU_FREE(mask);
  return bound;
}

}  // namespace probe
