#include <sched.h>

#include <cstddef>
#include <rooftop/affinity.hpp>

namespace rooftop {

std::vector<int> allowed_cores() {
  // Larger than any machine's mask: the call fails if the mask is smaller than the kernel's.
  constexpr int most_cores = 16384;
  cpu_set_t* set = CPU_ALLOC(most_cores);
  if (set == nullptr) return {};
  const std::size_t bytes = CPU_ALLOC_SIZE(most_cores);
  CPU_ZERO_S(bytes, set);
  std::vector<int> cores;
  if (sched_getaffinity(0, bytes, set) == 0) {
    const auto count = static_cast<std::size_t>(CPU_COUNT_S(bytes, set));
    for (int core = 0; cores.size() < count; ++core) {
      if (CPU_ISSET_S(static_cast<std::size_t>(core), bytes, set)) cores.push_back(core);
    }
  }
  CPU_FREE(set);
  return cores;
}

std::vector<std::vector<int>> team_binding(int threads) {
  std::vector<std::vector<int>> binding(static_cast<std::size_t>(threads));
  // One iteration per thread: a static schedule gives iteration i to thread i.
#pragma omp parallel for num_threads(threads) schedule(static, 1)
  for (std::size_t thread = 0; thread < binding.size(); ++thread) binding[thread] = allowed_cores();
  return binding;
}

}  // namespace rooftop
