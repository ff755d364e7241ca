/// Cache levels as /sys tells them, and the working sets that are certain to live in one of them.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "memory_limit.hpp"
#include "processors.hpp"

namespace probe {

struct Cache {
  int level = 0;
  std::size_t bytes = 0;
  std::set<int> shared_by;  ///< processors
};

/// "48K", "107520K", "2M" in bytes; 0 where it is something else.
inline std::size_t parse_size(const std::string& text) {
  std::istringstream stream(text);
  double value = 0;
  char unit = ' ';
  if (!(stream >> value) || value < 0) return 0;
  stream >> unit;
  const double scale = unit == 'K' ? 1024.0 : unit == 'M' ? 1048576.0 : unit == 'G' ? 1073741824.0 : 1.0;
  return static_cast<std::size_t>(value * scale);
}

/// Data and unified caches of one processor, from the first level on; assumed 32 KiB, 1 MiB where nothing tells them.
inline std::vector<Cache> caches_of(int cpu) {
  std::vector<Cache> caches;
  for (int index = 0; index < 16; ++index) {
    const std::string folder = cpu_folder(cpu) + "cache/index" + std::to_string(index) + '/';
    const auto level = first_line(folder + "level");
    if (!level) break;
    if (first_line(folder + "type").value_or("") == "Instruction") continue;
    Cache cache{std::atoi(level->c_str()), parse_size(first_line(folder + "size").value_or("")),
                parse_cpu_list(first_line(folder + "shared_cpu_list").value_or(""))};
    cache.shared_by.insert(cpu);
    if (cache.level > 0 && cache.bytes > 0) caches.push_back(cache);
  }
  if (caches.empty()) {
    const int names[] = {_SC_LEVEL1_DCACHE_SIZE, _SC_LEVEL2_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE};
    for (int level = 1; level <= 3; ++level) {
      const long bytes = sysconf(names[level - 1]);
      if (bytes > 0) caches.push_back({level, static_cast<std::size_t>(bytes), {cpu}});
    }
  }
  if (caches.empty()) caches = {{1, 32768, {cpu}}, {2, 1048576, {cpu}}};
  std::sort(caches.begin(), caches.end(), [](const Cache& a, const Cache& b) { return a.level < b.level; });
  return caches;
}

struct WorkingSet {
  std::string level;             ///< "L1", "L2", "L3", "memory"
  std::size_t thread_bytes = 0;  ///< of one thread
  double over_below = 0;         ///< factor by which it exceeds the thread's share of all levels below; 0 for L1
};

/// How far a working set for memory exceeds all last-level caches together.
constexpr double memory_factor = 4;

/// One working set per level for `threads` threads on the first of `cpus`. L1: half of it. Between: the geometric mean
/// of the thread's share and of the level below, at least twice the level below. Memory: memory_factor times all
/// last-level caches together, but at most a quarter of the usable memory.
inline std::vector<WorkingSet> working_sets(const std::vector<int>& cpus, int threads) {
  const std::set<int> used(cpus.begin(), cpus.begin() + threads);
  const auto caches = caches_of(cpus[0]);
  std::vector<WorkingSet> sets;
  double below = 0;
  for (const auto& cache : caches) {
    const auto sharers =
        std::count_if(used.begin(), used.end(), [&](int cpu) { return cache.shared_by.contains(cpu); });
    const double share = static_cast<double>(cache.bytes) / static_cast<double>(std::max<long>(1, sharers));
    const double bytes = below == 0 ? share / 2 : std::max(std::sqrt(share * below), 2 * below);
    sets.push_back({std::string("L").append(std::to_string(cache.level)), static_cast<std::size_t>(bytes) / 4096 * 4096,
                    below == 0 ? 0 : bytes / below});
    below = share;
  }
  std::map<std::set<int>, double> last_level;
  for (const int cpu : used) {
    const auto last = caches_of(cpu).back();
    last_level[last.shared_by] = static_cast<double>(last.bytes);
  }
  double last_level_bytes = 0;
  for (const auto& [shared_by, bytes] : last_level) last_level_bytes += bytes;
  const double memory_bytes =
      std::min(memory_factor * last_level_bytes, static_cast<double>(usable_memory_bytes()) / 4);
  sets.push_back(
      {"memory", static_cast<std::size_t>(memory_bytes / threads) / 4096 * 4096, memory_bytes / last_level_bytes});
  return sets;
}

/// Under this factor a working set is no evidence for memory.
constexpr double least_memory_factor = 2;

/// Why this working set cannot show what its level does; empty where it can.
inline std::string objection(const WorkingSet& set) {
  if (set.level == "memory" && set.over_below < least_memory_factor) {
    return "a quarter of the usable memory is only " + std::to_string(set.over_below) +
           " times the last-level caches; expected at least 2";
  }
  return "";
}

}  // namespace probe
