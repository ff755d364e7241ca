/// The textbook program with oneTBB's allocator: blocks of one size that belong to a thread.
/// Changed from 10-textbook: texts, lists and ants come from tbbmalloc's own calls; the matrices and all else as
/// before. Threads keep what they free for themselves. Limit attacked: one pool of memory that threads wait for, and
/// the calls themselves. Evidence: `allocation_ns` falls, the allocations stay as many; more so the more threads there
/// are. Source: the same optimiser's second step, a scalable allocator in place of the system's.
// needs: tbbmalloc
#include <oneapi/tbb/scalable_allocator.h>

#include "string_rung.hpp"

namespace {

struct Tbbmalloc {
  static void* take(std::size_t bytes) { return scalable_malloc(bytes); }
  static void give(void* memory, std::size_t /*bytes*/) { scalable_free(memory); }
};

using WithAllocator = ants::StringMonths<Tbbmalloc>;

}  // namespace

ROOFTOP_RUNG(ants::Problem, WithAllocator);
