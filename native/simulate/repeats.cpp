#include "repeats.hpp"

#include <algorithm>
#include <cmath>
#include <rooftop/require.hpp>

namespace rooftop::simulate {

namespace {

/// What two times of one iteration may differ by; the simulated clock's precision is a nanosecond.
double tolerance(double time) { return 4e-9 + 3e-3 * time; }

}  // namespace

void Repeats::Iteration::add(double time) {
  least = ended == 0 ? time : std::min(least, time);
  most = ended == 0 ? time : std::max(most, time);
  sum += time;
  ++ended;
}

bool Repeats::begin(int rank) {
  std::int64_t& begun = begun_[static_cast<std::size_t>(rank)];
  if (begun == (steady_ ? last_ : times_)) return false;
  require(begun < most_simulated, "a loop of ", times_, " iterations does not repeat within ", most_simulated);
  ++begun;
  most_begun_ = std::max(most_begun_, begun);
  return true;
}

void Repeats::end(int rank, double now) {
  if (steady_) return;
  const auto ended = static_cast<std::size_t>(begun_[static_cast<std::size_t>(rank)]);
  if (iterations_.size() <= ended) iterations_.resize(ended + 1);
  iterations_[ended].add(now);
  if (!repeats(ended)) return;
  steady_ = true;
  last_ = most_begun_;
}

bool Repeats::repeats(std::size_t iteration) {
  constexpr std::size_t stretches = 3;
  const Iteration& own = iterations_[iteration];
  if (own.ended < begun_.size()) return false;
  if (iteration > 2) widest_ = std::max(widest_, iterations_[iteration - 2].spread());
  if (iteration <= stretches) return false;
  const std::size_t length = (iteration - 1) / stretches, first = iteration - stretches * length;
  double least = 0, most = 0;
  for (std::size_t from = first; from < iteration; from += length) {
    const double one = took(from, from + length);
    least = from == first ? one : std::min(least, one);
    most = from == first ? one : std::max(most, one);
  }
  if (most - least > tolerance(most) || own.spread() > widest_ + tolerance(most)) return false;
  period_s_ = took(first, iteration);
  return true;
}

}  // namespace rooftop::simulate
