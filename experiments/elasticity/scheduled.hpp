/// What loops with schedule(runtime) do while this lives. Source: OpenMP 5.2, section 18.5 (omp_set_schedule).
#pragma once

#include <omp.h>

#include "problem.hpp"

namespace elasticity {

/// Sets a problem's schedule for the loops of the thread that made it and of the team that it makes next.
class Scheduled {
 public:
  explicit Scheduled(const Problem& problem) {
    omp_get_schedule(&kind_, &chunk_);
    switch (problem.schedule) {
      case Schedule::dynamic:
        omp_set_schedule(omp_sched_dynamic, problem.chunk);
        break;
      case Schedule::guided:
        omp_set_schedule(omp_sched_guided, problem.chunk);
        break;
      case Schedule::static_chunks:
        omp_set_schedule(omp_sched_static, problem.chunk);
        break;
      case Schedule::automatic:
        omp_set_schedule(omp_sched_auto, 0);
        break;
      case Schedule::of_environment:
        break;
    }
  }
  ~Scheduled() { omp_set_schedule(kind_, chunk_); }
  Scheduled(const Scheduled&) = delete;
  Scheduled& operator=(const Scheduled&) = delete;

 private:
  omp_sched_t kind_{};
  int chunk_ = 0;
};

}  // namespace elasticity
