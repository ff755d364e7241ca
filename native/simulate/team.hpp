/// A team of threads that shares out a loop: how long its slowest thread takes. src/rooftop/simulate/team.py has the
/// same for the model.
#pragma once

namespace rooftop::simulate {

enum class Schedule { even, fixed, dynamic };

/// Equal pieces of a loop. `fixed` (OpenMP's static): equal parts for all threads, of whole pieces. `dynamic`: a
/// thread that is free takes the next one, which costs `fetch_s`; takings follow each other.
struct Pieces {
  Schedule schedule = Schedule::even;
  double number = 0;
  double computing_s = 0;  ///< of a piece, on a core
  double moving_s = 0;     ///< of a piece, at a thread's share of the memory
  double fetch_s = 0;
};

/// Threads on so many cores, fewer where hardware threads share them. `taken` cores are not theirs: of one thread's,
/// or of as few as have that much, and at most half of each. The first thread comes later.
struct Team {
  double cores = 1;
  double taken = 0;
  double late_s = 0;

  [[nodiscard]] int threads() const;
};

/// Seconds until all pieces are done and the first thread has come. Of an `even` loop nothing is asked.
double team_seconds(const Pieces& pieces, const Team& team);

}  // namespace rooftop::simulate
