/// How much memory a probe may count on: what is available now, under the cgroup's limit.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>

namespace probe {

/// The number in a one-number file; the largest number for "max", nonsense, or no file.
inline std::uint64_t number_in(const std::string& path) {
  std::ifstream file(path);
  std::uint64_t value = 0;
  return file >> value ? value : std::numeric_limits<std::uint64_t>::max();
}

/// The tightest memory limit among this process's cgroup and its parents, version 1 or 2, less what is in use there.
inline std::uint64_t cgroup_memory_bytes() {
  constexpr auto unlimited = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t tightest = unlimited;
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const auto first = line.find(':');
    const auto second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = ',' + line.substr(first + 1, second - first - 1) + ',';
    const bool version2 = controllers == ",,";
    if (!version2 && controllers.find(",memory,") == std::string::npos) continue;
    const std::string mount = version2 ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory";
    for (std::string path = line.substr(second + 1);; path.resize(path.rfind('/'))) {
      const std::string folder = mount + path + '/';
      const auto limit = number_in(folder + (version2 ? "memory.max" : "memory.limit_in_bytes"));
      const auto used = number_in(folder + (version2 ? "memory.current" : "memory.usage_in_bytes"));
      if (limit != unlimited && used != unlimited) tightest = std::min(tightest, limit > used ? limit - used : 0);
      if (path.find('/') == std::string::npos) break;
    }
  }
  return tightest;
}

/// Bytes that can be touched without swapping or being killed; 1 GiB where nothing tells it.
inline std::uint64_t usable_memory_bytes() {
  std::uint64_t available = 1ULL << 30;
  std::ifstream meminfo("/proc/meminfo");
  for (std::string line; std::getline(meminfo, line);) {
    if (line.rfind("MemAvailable:", 0) == 0) available = std::strtoull(line.c_str() + 13, nullptr, 10) * 1024;
  }
  return std::min(available, cgroup_memory_bytes());
}

}  // namespace probe
