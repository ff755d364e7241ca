#include "measured_ways.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <limits>
#include <new>
#include <optional>
#include <random>
#include <utility>
#include <vector>

namespace rooftop::fft::internal {
namespace {

constexpr double least_s = 3e-4;                    ///< of runs between two looks at the clock
constexpr double each_s = 0.05;                     ///< of all rounds of one rival, …
constexpr int fewest_rounds = 2, most_rounds = 10;  ///< … but so many in any case
constexpr double hopeless = 1.5;  ///< a rival that takes so many times as long in the first round is given up
constexpr double clearly = 0.97;  ///< a rival that takes less than this part of the time is faster
constexpr Index most_cuts = 3;    ///< that are tried, those that should cost least
/// Smaller results stay in the caches however they are written, and larger ones do not fit in any.
constexpr Index least_streamed = Index{1} << 20, most_streamed = Index{256} << 20;
/// Columns of smaller arrays are never worth a copy, and those of larger ones always are.
constexpr Index least_tiled = Index{128} << 10, most_straight = Index{64} << 20;

std::optional<std::minstd_rand> chance;  // only a test's beginning writes it

/// Ways with what they take.
class Contender {
 public:
  Contender(const Candidate& candidate, const Measured& measured)
      : measured_(measured), trial_(candidate.plan(measured_.threads, measured_.ways)) {
    trial_();  // the first run finds cold caches and sleeping threads
    const double once_s = seconds_of(1);
    runs_ = static_cast<int>(std::clamp(least_s / std::max(once_s, 1e-9), 1.0, 10000.0));
    rounds_ = static_cast<int>(std::clamp<double>(each_s / (once_s * runs_), fewest_rounds, most_rounds));
  }

  [[nodiscard]] const Measured& measured() const { return measured_; }
  [[nodiscard]] double fastest_s() const { return fastest_s_; }
  void begin() { fastest_s_ = std::numeric_limits<double>::infinity(); }
  [[nodiscard]] int rounds() const { return rounds_; }
  void run() { fastest_s_ = std::min(fastest_s_, seconds_of(runs_)); }

 private:
  double seconds_of(int runs) {
    const auto began = std::chrono::steady_clock::now();
    for (int i = 0; i < runs; ++i) trial_();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count() / runs;
  }

  Measured measured_;
  Trial trial_;
  int runs_ = 1, rounds_ = 1;
  double fastest_s_ = std::numeric_limits<double>::infinity();
};

/// Whether a rival is faster: in turn, since the clock and other programs change.
bool is_faster(Contender& rival, Contender& leader) {
  if (chance) return (*chance)() % 2 == 0;
  rival.begin();
  leader.begin();
  for (int round = 0; round < rival.rounds(); ++round) {
    leader.run();
    rival.run();
    if (rival.fastest_s() > hopeless * leader.fastest_s()) return false;
  }
  return rival.fastest_s() < clearly * leader.fastest_s();
}

using Others = std::vector<Measured>;

Others of_threads(const Candidate& candidate, const Measured& now) {
  Others others;
  for (int threads = 1; threads < candidate.threads; threads *= 2) others.push_back({threads, now.ways});
  others.push_back({candidate.threads, now.ways});
  others.erase(
      std::remove_if(others.begin(), others.end(), [&](const Measured& other) { return other.threads == now.threads; }),
      others.end());
  return others;
}

Others of_sweeps(const Candidate& candidate, const Measured& now) {
  if (candidate.dimensions < 2) return {};
  Measured other = now;
  other.ways.by_axes = !now.ways.by_axes;
  return {other};
}

Others of_stores(const Candidate& candidate, const Measured& now) {
  Others others;
  if (candidate.dimensions < 2 || candidate.bytes < least_streamed || candidate.bytes > most_streamed) return others;
  for (const bool stream : {false, true}) {
    others.push_back(now);
    others.back().ways.stream = stream;
  }
  return others;
}

Others of_columns(const Candidate& candidate, const Measured& now) {
  if ((candidate.dimensions < 2 && candidate.cuts == 0) || candidate.bytes < least_tiled ||
      candidate.bytes > most_straight) {
    return {};
  }
  Measured other = now;
  other.ways.straight_bytes = now.ways.straight_bytes < candidate.bytes ? most_straight : 0;
  return {other};
}

Others of_cuts(const Candidate& candidate, const Measured& now) {
  Others others;
  for (int cut = 0; cut < std::min(candidate.cuts, most_cuts); ++cut) {
    if (cut == now.ways.cut) continue;
    others.push_back(now);
    others.back().ways.cut = cut;
  }
  return others;
}

}  // namespace

std::shared_ptr<void> trial_memory(std::size_t bytes) {
  constexpr std::align_val_t line{64};
  std::shared_ptr<void> memory(::operator new(bytes, line), [](void* free) { ::operator delete(free, line); });
  std::memset(memory.get(), 0, bytes);  // pages that were never written are all one page of zeros
  return memory;
}

void leave_choices_to_chance_for_test(unsigned seed) { chance.emplace(seed); }

Measured measured_ways(const Candidate& candidate, const Measured& first) {
  Contender leader(candidate, first);
  for (const auto& others : {of_threads, of_sweeps, of_stores, of_columns, of_cuts}) {
    for (const Measured& other : others(candidate, leader.measured())) {
      Contender rival(candidate, other);
      if (is_faster(rival, leader)) leader = std::move(rival);
    }
  }
  return leader.measured();
}

}  // namespace rooftop::fft::internal
