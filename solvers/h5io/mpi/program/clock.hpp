/// A clock that can be paused.
#pragma once

#include <mpi.h>

#include <chrono>

namespace h5bench {

class Clock {
 public:
  [[nodiscard]] double now() const { return running() - paused_; }

  /// Runs collective work that is not timed.
  template <class Work>
  void pause(const Work& work) {
    const double begun = running();
    work();
    MPI_Barrier(MPI_COMM_WORLD);
    paused_ += running() - begun;
  }

 private:
  /// Not MPI_Wtime(): another thread may be in an MPI call.
  static double running() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  }

  double paused_ = 0;
};

/// Adds the seconds that `work` takes to `sum`.
template <class Work>
void timed(const Clock& clock, double& sum, const Work& work) {
  const double begun = clock.now();
  work();
  sum += clock.now() - begun;
}

}  // namespace h5bench
