/// The entry points that are compiled once per instruction set, as a table chosen at run time.
#pragma once

#include "job.hpp"

namespace rooftop::fft::internal {

/// Called by a team's first thread after each tile and each plane, such as to let messages go on.
struct Pause {
  void (*call)(void*) = nullptr;
  void* with = nullptr;
};

/// Columns along z from `first` to before `last`; column c is the one of x = c % nx, y = c / nx. Its value in plane z
/// lies 2 (c - first) doubles behind from[z] and to[z].
struct ColumnRange {
  Index first, last;
  const double* const* from;
  double* const* to;
  const Factors* factors;  ///< or none
  Pause pause = {};
};

/// Planes from `first` to before `last` of arrays of whole planes.
struct PlaneRange {
  Index first, last;
  double *from, *to;  ///< the same array, or apart
  Pause pause = {};
};

struct Kernels {
  const char* target;  ///< Highway's name of the instruction set
  int lanes;           ///< doubles in a vector
  int registers;       ///< vectors that the processor holds
  /// Each call does one thread's share. Whoever does the other sweep waits for all shares first.
  void (*planes)(const Job& job, bool back, const PlaneRange& range, double* scratch, int thread, int threads);
  void (*columns)(const Job& job, bool back, const ColumnRange& range, double* scratch, int thread, int threads);
  void (*rows_to_columns)(const Job& job, bool back, const double* turns, double* in, double* out, double* scratch,
                          int thread, int threads);
};

/// The table for the best instruction set that this processor has.
const Kernels& kernels();

}  // namespace rooftop::fft::internal
