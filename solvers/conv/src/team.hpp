/// A team of OpenMP threads.
#pragma once

#include <omp.h>

namespace rooftop::conv::internal {

/// Calls share(thread, threads) on every thread of a team.
template <class Share>
void on_team(int threads, const Share& share) {
  if (threads == 1) {
    share(0, 1);
    return;
  }
#pragma omp parallel num_threads(threads)
  share(omp_get_thread_num(), omp_get_num_threads());
}

}  // namespace rooftop::conv::internal
