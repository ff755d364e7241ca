/// Where threads may run, as the kernel answers, not as somebody asked for.
#pragma once

#include <vector>

namespace rooftop {

/// The cores on which the calling thread may run, ascending. Empty where the system does not say.
[[nodiscard]] std::vector<int> allowed_cores();

/// The same for each thread of an OpenMP team of this size, in the order of thread numbers.
[[nodiscard]] std::vector<std::vector<int>> team_binding(int threads);

}  // namespace rooftop
