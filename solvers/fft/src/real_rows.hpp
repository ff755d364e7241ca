/// Lines of real values along x, as lines of complex numbers.
#pragma once

#include <optional>
#include <vector>

#include "job.hpp"
#include "kernels.hpp"
#include "long_line.hpp"
#include "team_stop.hpp"

namespace rooftop::fft::internal {

/// Lines of n real values, each with its n / 2 + 1 modes. Of an even n, neighbouring values make half as many complex
/// numbers, whose modes are combined (real_modes-inl.hpp). Of an odd one, each value is a complex number.
template <class Real>
class RealRows {
 public:
  /// So many lines, for a team of so many threads.
  RealRows(Index n, Index lines, const Ways& ways, int threads);

  /// Whether lines are so long that threads take each together.
  [[nodiscard]] static bool are_long(Index n, Index lines) { return is_long<Real>(length_of(n), lines, true); }
  [[nodiscard]] bool together() const { return long_.has_value(); }
  /// Real numbers of scratch: for each thread, or where they are together for the team.
  [[nodiscard]] Index scratch_reals() const;
  [[nodiscard]] Operations operations() const;  ///< for one line

  /// One thread's lines, which lie one behind the other in both arrays. Once the limit is stopped, the rest is left
  /// out.
  void forward(const Real* in, Real* out, Index lines, Real* memory, running::Limit* limit) const;
  void backward(const Real* in, Real* out, Index lines, Real* memory, running::Limit* limit) const;

  /// The same, called by all threads of a team with the same arrays. Whoever reads the result waits for all.
  void forward_together(const Real* in, Real* out, Index lines, Real* memory, int thread, int team,
                        TeamStop& stop) const;
  void backward_together(const Real* in, Real* out, Index lines, Real* memory, int thread, int team,
                         TeamStop& stop) const;

 private:
  [[nodiscard]] static Index length_of(Index n) { return n % 2 == 0 ? n / 2 : n; }
  [[nodiscard]] bool even() const { return n_ % 2 == 0; }
  /// Whether several lines fill vectors together.
  [[nodiscard]] bool several() const { return even() && job_.wide_x.n == 0; }
  [[nodiscard]] Index out_row() const { return 2 * (n_ / 2 + 1); }
  /// Of an odd line as complex numbers, which have no place in the arrays.
  [[nodiscard]] Index line_reals() const {
    constexpr Index cache_line = 64 / sizeof(Real);
    return even() ? 0 : (2 * length_ + cache_line - 1) / cache_line * cache_line;
  }
  /// Lines of complex numbers that lie one behind the other, by one thread.
  void run_complex(bool back, Real* from, Real* to, Index lines, Real* memory) const;
  /// One line, in parts: from values to complex numbers, from these to modes, and back.
  void widen(const Real* values, Real* line, int thread, int team) const;
  void to_modes(const Real* line, Real* modes, int thread, int team) const;
  void from_modes(const Real* modes, Real* line, int thread, int team) const;
  void narrow(const Real* line, Real* values, int thread, int team) const;

  Index n_, length_;  ///< real values, and complex numbers of a line
  const Kernels<Real>* kernels_;
  std::vector<Real> factors_;  ///< of an even n: -i exp(-2 pi i k / n) / 2 for k up to n / 4
  std::optional<LongLine<Real>> long_;
  Job<Real> job_;      ///< where lines are not taken together
  Index block_lines_;  ///< that are in the cache together
};

}  // namespace rooftop::fft::internal
