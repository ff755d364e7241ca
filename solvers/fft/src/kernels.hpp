/// The entry points that are compiled once per instruction set, as a table chosen at run time.
#pragma once

#include "job.hpp"

namespace rooftop::fft::internal {

struct Kernels {
  const char* target;  ///< Highway's name of the instruction set
  int lanes;           ///< doubles in a vector
  /// Each call does one thread's share. Whoever does the other sweep waits for all shares first.
  void (*planes)(const Job& job, bool back, double* in, double* out, double* scratch, int thread, int threads);
  void (*columns)(const Job& job, bool back, double* in, double* out, const Factors* factors, double* scratch,
                  int thread, int threads);
  void (*rows_to_columns)(const Job& job, bool back, const double* turns, double* in, double* out, double* scratch,
                          int thread, int threads);
};

/// The table for the best instruction set that this processor has.
const Kernels& kernels();

}  // namespace rooftop::fft::internal
