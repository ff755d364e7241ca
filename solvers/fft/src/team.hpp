/// How a plan runs its threads.
#pragma once

#include <omp.h>

namespace rooftop::fft::internal {

/// Calls body(thread, threads) in each of so many threads. One alone starts no team, which costs as much as a short
/// transform; within a caller's team it gets one of its own all the same, since it waits at barriers.
template <class Body>
void in_team(int threads, const Body& body) {
  if (threads == 1 && omp_in_parallel() == 0) return body(0, 1);
#pragma omp parallel num_threads(threads)
  body(omp_get_thread_num(), omp_get_num_threads());
}

}  // namespace rooftop::fft::internal
