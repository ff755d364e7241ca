/// The system's cache of a file's pages: filled, dropped, and looked into.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "scratch_file.hpp"

namespace probe {

/// The part of the file's first `bytes` that the cache has, 0 to 1; 1 where nothing tells it.
inline double cached_part(const ScratchFile& file, std::uint64_t bytes) {
  const auto page_bytes = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  void* const mapped = mmap(nullptr, bytes, PROT_READ, MAP_SHARED, file.get(), 0);
  if (mapped == MAP_FAILED) return 1;
  std::vector<unsigned char> pages((bytes + page_bytes - 1) / page_bytes);
  const bool told = mincore(mapped, bytes, pages.data()) == 0;
  munmap(mapped, bytes);
  if (!told || pages.empty()) return 1;
  const auto cached = std::count_if(pages.begin(), pages.end(), [](unsigned char page) { return (page & 1U) != 0; });
  return static_cast<double>(cached) / static_cast<double>(pages.size());
}

/// Writes the file out and drops it from the cache. Returns by what: "drop_caches", which drops everybody's files and
/// is tried where `everything` allows it, or "posix_fadvise", which drops this one's pages.
inline std::string drop_cache(const ScratchFile& file, bool everything) {
  fdatasync(file.get());
  if (everything) {
    const Descriptor control(open("/proc/sys/vm/drop_caches", O_WRONLY | O_CLOEXEC));
    if (control.valid() && write(control.get(), "1", 1) == 1) return "drop_caches";
  }
  posix_fadvise(file.get(), 0, 0, POSIX_FADV_DONTNEED);
  return "posix_fadvise";
}

}  // namespace probe
