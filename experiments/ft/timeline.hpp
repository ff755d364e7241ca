/// What a rank did when, for those who want to see it.
#pragma once

#include <cstdint>
#include <vector>

namespace ft {

struct Event {
  const char* phase;              ///< "columns", "planes", "exchange", "waiting"
  int transform;                  ///< 1 is the one forth
  std::int64_t begin_ns, end_ns;  ///< of the steady clock, the same for all processes of a machine
};
using Timeline = std::vector<Event>;

}  // namespace ft
