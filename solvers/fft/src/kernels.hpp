/// The entry points that are compiled once per instruction set, as a table chosen at run time.
#pragma once

#include "grid_chirp.hpp"
#include "grid_turns.hpp"
#include "job.hpp"
#include "limit.hpp"

namespace rooftop::fft::internal {

/// Called by a team's first thread after each tile and each plane, such as to let messages go on.
struct Pause {
  void (*call)(void*) = nullptr;
  void* with = nullptr;
};

/// What columns become: where they go in each plane, and what they are multiplied by on their way, or none.
template <class Real>
struct ColumnResult {
  Real* const* to;
  const Factors* factors;
};

/// What the values of one line are multiplied by on their way into columns, or out of them, where the grid is longer
/// than the line: behind it zeros go in, and nothing comes out.
template <class Real>
struct ColumnChirp {
  const Real* values = nullptr;  ///< real and imaginary part of each; none where columns go in and out as they are
  Index count = 0;               ///< of the line
  bool exchanged = false;        ///< in the line, real and imaginary parts are
  Real scale = 1;                ///< on the way out
};

/// Columns along z from `first` to before `last`; column c is the one of x = c % nx, y = c / nx. Its value in plane z
/// lies 2 (c - first) real numbers behind from[z] and to[z].
template <class Real>
struct ColumnRange {
  Index first, last;
  const Real* const* from;
  ColumnResult<Real> result;
  Pause pause = {};
  ColumnResult<Real> second = {nullptr, nullptr};   ///< where there are two, each with factors; apart from `from`
  ColumnChirp<Real> chirp_in = {}, chirp_out = {};  ///< of a line that is convolved, all of whose columns these are
  running::Limit* limit = nullptr;                  ///< once it is stopped, the rest is left out; null for none
};

/// Writes plane z before it is transformed, by the thread that transforms it.
template <class Real>
struct Fill {
  void (*call)(const void* with, Index z, Real* plane) = nullptr;
  const void* with = nullptr;
};

/// Planes from `first` to before `last` of arrays of whole planes.
template <class Real>
struct PlaneRange {
  Index first, last;
  Real *from, *to;  ///< the same array, or apart
  Pause pause = {};
  Fill<Real> fill = {};             ///< where ny > 1
  running::Limit* limit = nullptr;  ///< once it is stopped, the rest is left out; null for none
};

template <class Real>
struct Kernels {
  const char* target;  ///< Highway's name of the instruction set
  int lanes;           ///< real numbers in a vector
  int registers;       ///< vectors that the processor holds
  /// A line along x that fills vectors by itself, alone: no more than its work.
  void (*lone_line)(const Job<Real>& job, bool back, Real* in, Real* out, Real* scratch);
  /// Each call does one thread's share. Whoever does the other sweep waits for all shares first.
  void (*planes)(const Job<Real>& job, bool back, const PlaneRange<Real>& range, Real* scratch, int thread,
                 int threads);
  void (*columns)(const Job<Real>& job, bool back, const ColumnRange<Real>& range, Real* scratch, int thread,
                  int threads);
  void (*straight_columns)(const Job<Real>& job, bool back, Real* in, Real* out, Index out_row, Real* scratch,
                           int thread, int threads);
  void (*rows_to_columns)(const Job<Real>& job, bool back, const GridTurns<Real>& turns, Real* in, Index in_row,
                          Real* out, Real* scratch, int thread, int threads);
  void (*convolve_rows)(const Job<Real>& job, const GridChirp<Real>& chirp, Real* grid, Real* scratch, int thread,
                        int threads);
  /// Lines of 2 nx real values to nx + 1 modes each, or back; see real_modes-inl.hpp.
  void (*real_lines)(const Job<Real>& job, bool back, const Real* factors, Real* in, Real* out, Index count,
                     Real* scratch);
  /// Modes k and m - k of real values for k from `first` to before `last`, see real_modes-inl.hpp.
  void (*combine_modes)(bool back, Index m, const Real* factors, const Real* in, Real* out, Index first, Index last);
};

/// The table for the best instruction set that this processor has.
template <class Real>
const Kernels<Real>& kernels();
template <>
const Kernels<double>& kernels();
template <>
const Kernels<float>& kernels();

/// The table for the best instruction set with vectors of so many lanes; none where this processor has none.
template <class Real>
const Kernels<Real>* kernels_of(int lanes);
template <>
const Kernels<double>* kernels_of(int lanes);
template <>
const Kernels<float>* kernels_of(int lanes);

}  // namespace rooftop::fft::internal
