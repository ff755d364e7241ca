/// The textbook program with mimalloc: free lists of one thread, in pages of one size.
/// Changed from 10-textbook: texts, lists and ants come from mimalloc's own calls; the matrices and all else as before.
/// Threads keep what they free for themselves. Limit attacked: one pool of memory that threads wait for, and the calls
/// themselves. Evidence: `allocation_ns` falls, the allocations stay as many; more so the more threads there are.
/// Source: the same optimiser's second step, a scalable allocator in place of the system's.
// needs: mimalloc
#include <mimalloc.h>

#include "string_rung.hpp"

namespace {

struct Mimalloc {
  static void* take(std::size_t bytes) { return mi_malloc(bytes); }
  static void give(void* memory, std::size_t /*bytes*/) { mi_free(memory); }
};

using WithAllocator = ants::StringMonths<Mimalloc>;

}  // namespace

ROOFTOP_RUNG(ants::Problem, WithAllocator);
