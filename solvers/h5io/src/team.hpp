/// Distributes tasks over OpenMP threads. A task may throw.
#pragma once

#include <omp.h>

#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>

#include "rooftop/h5io.hpp"

namespace rooftop::h5io::internal {

/// Calls `work.task(i)` for each i below `tasks`. Each thread makes its own `work` by `make()`, and takes the next i
/// whenever it is free. Throws the first exception of a task, and Stopped once the stop flag of `options` is set.
template <class Make>
void share(std::uint64_t tasks, const Options& options, const Make& make) {
  std::atomic<std::uint64_t> next{0};
  std::atomic<bool> over{false};
  std::exception_ptr error;
  std::mutex mutex;
  const int most = options.threads > 0 ? options.threads : omp_get_max_threads();
  const int threads = tasks < static_cast<std::uint64_t>(most) ? static_cast<int>(tasks) : most;
  const auto work_on = [&] {
    try {
      auto work = make();
      for (std::uint64_t i = next++; i < tasks && !over; i = next++) {
        if (options.stop != nullptr && __atomic_load_n(options.stop, __ATOMIC_RELAXED) != 0) {
          throw Stopped("the read was asked to stop");
        }
        work.task(i);
      }
    } catch (...) {
      over = true;
      const std::scoped_lock lock(mutex);
      if (!error) error = std::current_exception();
    }
  };
  if (threads <= 1) {
    work_on();
  } else {
#pragma omp parallel num_threads(threads)
    work_on();
  }
  if (error) std::rethrow_exception(error);
}

}  // namespace rooftop::h5io::internal
