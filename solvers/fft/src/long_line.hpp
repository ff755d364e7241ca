/// A long line by itself would fill one lane of a vector, and a buffer beyond the caches. Its values are the rows of a
/// grid instead, value j at (j mod nx, j / nx): it is transformed along z, turned by exp(-2 pi i x z / n), transformed
/// along x, and written with rows and columns exchanged. D. Bailey, FFTs in external or hierarchical memory (1990).
/// Where its length has no such factors it is convolved in a grid of more values, see grid_chirp.hpp.
#pragma once

#include <optional>
#include <vector>

#include "grid_chirp.hpp"
#include "grid_turns.hpp"
#include "job.hpp"
#include "kernels.hpp"

namespace rooftop::fft::internal {

/// How many rows a line of n values can be cut into, the one first that should cost least.
template <class Real>
[[nodiscard]] std::vector<Index> cuts_of_long_line(Index n);

/// The first of these for each of so many lines; 0 where they are best left whole, or cannot be cut.
template <class Real>
[[nodiscard]] Index rows_of_long_line(Index n, Index lines);

/// Whether so many lines of n values are taken one by one, by all threads together. `along_x`: each line is contiguous.
template <class Real>
[[nodiscard]] bool is_long(Index n, Index lines, bool along_x);

/// A line that all threads of a team transform together.
template <class Real>
class LongLine {
 public:
  /// Of n values, which is_long(), for a team of so many threads.
  LongLine(Index n, const Ways& ways, int threads);

  [[nodiscard]] Index scratch_reals() const;
  [[nodiscard]] Operations operations() const;
  /// Called by each thread of a team, with the same arrays, the same or apart. Whoever reads all of the result waits
  /// for all threads first; the next line may follow at once.
  void run(bool back, Real* from, Real* to, Real* memory, int thread, int team) const;

 private:
  /// Real numbers from row to row of the grid in memory that the threads share.
  [[nodiscard]] Index shared_row() const;
  Real* shared_grid(Real* memory) const;
  /// Where rows of nx values begin, of which an array has so many values.
  Real** list_rows(Real* array, Index values, Real* memory, int thread, int list) const;
  void run_cut(bool back, Real* from, Real* to, Real* memory, int thread, int team) const;
  void run_convolved(bool back, Real* from, Real* to, Real* memory, int thread, int team) const;

  Index n_;
  int threads_;
  bool straight_ = false;  ///< columns of a line that is cut need no copy
  const Kernels<Real>* kernels_;
  std::optional<GridChirp<Real>> chirp_;  ///< of a line that is convolved
  Job<Real> grid_;
  GridTurns<Real> turns_;  ///< of a line that is cut
};

}  // namespace rooftop::fft::internal
