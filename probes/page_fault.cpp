/// What the first touch of memory costs: per page fault and per GiB, with base and with huge pages, one core and all.
///
/// The first bytes of each page are written in fresh anonymous memory. The faults that the kernel counted tell whether
/// huge pages were really given. The best of several rounds counts; under a hypervisor the very first touch of memory
/// that the host has not backed yet is dearer still.
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "bursts.hpp"
#include "memory_limit.hpp"
#include "pages.hpp"
#include "rooftop/probe_lines.hpp"

namespace {

long thread_faults() {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_minflt + usage.ru_majflt;
}

struct Touch {
  double elapsed_s = std::numeric_limits<double>::infinity();
  long faults = 0;  ///< per thread, in the best round
};

/// `threads` threads touch `bytes` each; the best of `rounds`.
Touch touch(const std::vector<int>& cpus, int threads, std::size_t bytes, std::size_t page, probe::PageSize size,
            int rounds) {
  Touch best;
  for (int round = 0; round < rounds; ++round) {
    std::vector<long> faults(static_cast<std::size_t>(threads));
    struct Region {
      probe::Pages pages;
      long* faults;
    };
    const auto once = probe::run_bursts(
        cpus, threads, {.burst_s = 0, .min_bursts = 1, .max_bursts = 1, .budget_s = 0},
        [&](int thread) {
          return Region{probe::Pages(bytes, size), &faults[static_cast<std::size_t>(thread)]};
        },
        [&](Region& region, std::uint64_t) {
          const long before = thread_faults();
          for (std::size_t at = 0; at < bytes; at += page) {
            *reinterpret_cast<volatile char*>(region.pages.data() + at) = 1;
          }
          *region.faults = thread_faults() - before;
        });
    if (once.best_s() < best.elapsed_s) best = {once.best_s(), *std::max_element(faults.begin(), faults.end())};
  }
  return best;
}

}  // namespace

int main(int argc, char** argv) {
  const auto cpus = probe::usable_processors();
  const auto options = rooftop::parse_probe_options(argc, argv, static_cast<int>(cpus.size()));
  const rooftop::ProbeLines lines("page_fault");
  const auto base_page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  for (const int threads : probe::team_sizes(options.threads, options.brief)) {
    for (const auto size : {probe::PageSize::base, probe::PageSize::huge}) {
      const bool huge = size == probe::PageSize::huge;
      const std::size_t page = huge ? probe::huge_page_bytes : base_page;
      const std::size_t share = probe::usable_memory_bytes() / 4 / static_cast<std::size_t>(threads);
      const std::size_t wanted = (options.quick ? 1 : 4) * (huge ? 128u << 20 : 32u << 20);
      const std::size_t bytes = std::min<std::size_t>(wanted, share) / probe::huge_page_bytes * probe::huge_page_bytes;
      if (bytes == 0) {
        lines.skip("page_fault: a quarter of the usable memory is under 2 MiB a thread");
        continue;
      }
      const Touch best = touch(cpus, threads, bytes, page, size, options.quick ? 3 : 6);
      const long pages = static_cast<long>(bytes / page);
      if (huge && best.faults > 4 * pages) {
        lines.skip("page_fault of huge pages: the kernel gave " + std::to_string(best.faults) + " base pages for " +
                   std::to_string(pages) + " huge ones; transparent huge pages are off or memory is fragmented");
        continue;
      }
      const auto total = bytes * static_cast<std::size_t>(threads);
      const rooftop::ProbeFields more = {{"page_bytes", page}, {"bytes", total}, {"faults", best.faults}};
      lines.figure(huge ? "page_fault_huge" : "page_fault", best.elapsed_s / static_cast<double>(pages), "s", threads,
                   more);
      lines.figure(huge ? "first_touch_huge" : "first_touch",
                   best.elapsed_s / static_cast<double>(total) * 1073741824.0, "s/GiB", threads, more);
    }
  }
}
