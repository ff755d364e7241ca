#include "measure.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <limits>
#include <memory>
#include <new>
#include <vector>

#include "team.hpp"

namespace rooftop::conv::internal {
namespace {

struct Free {
  void operator()(float* p) const { std::free(p); }
};
using Buffer = std::unique_ptr<float[], Free>;

Buffer zeros(std::size_t floats) {
  const std::size_t bytes = (floats * sizeof(float) + 63) / 64 * 64 + 64;
  auto* const p = static_cast<float*>(std::aligned_alloc(64, bytes));
  if (p == nullptr) throw std::bad_alloc();
  std::fill_n(p, bytes / sizeof(float), 0.0F);
  return Buffer(p);
}

/// Of a core, as the system tells it; otherwise what most servers have.
Index l2_cache_bytes() {
#ifdef _SC_LEVEL2_CACHE_SIZE
  const Index bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
  if (bytes > 0) return bytes;
#endif
  return Index{1} << 20;
}

struct Timed {
  Candidate candidate;
  Job job;
  std::vector<double> rounds_s;  ///< the best time of each

  [[nodiscard]] double best_s() const { return *std::min_element(rounds_s.begin(), rounds_s.end()); }
};

bool faster(const Timed& a, const Timed& b) { return a.best_s() < b.best_s(); }

}  // namespace

std::vector<Candidate> candidates(const Geometry& g, const Options& options, int threads, const Kernels& kernels,
                                  Index l2_bytes) {
  std::vector<Candidate> found;
  for (const int m : allowed_algorithms(options)) {
    const std::vector<Estimate> expected = estimates(g, m, threads, kernels);
    for (const Estimate& estimate : expected) found.push_back({estimate.schedule});
    const auto cheapest = std::min_element(expected.begin(), expected.end(),
                                           [](const Estimate& a, const Estimate& b) { return a.cycles < b.cycles; });
    for (const Schedule& smaller : smaller_blocks(g, cheapest->schedule, kernels, l2_bytes)) {
      found.push_back({smaller, true});
    }
  }
  return found;
}

bool clearly_faster(const std::vector<double>& times, const std::vector<double>& than) {
  constexpr double margin = 1.03;
  std::size_t turns = 0;
  for (std::size_t i = 0; i < times.size(); ++i) turns += margin * times[i] < than[i] ? 1 : 0;
  return 10 * turns >= 9 * times.size();
}

Schedule measure(const Geometry& g, const Options& options, int threads, const Kernels& kernels) {
  std::vector<Timed> timed;
  std::size_t filter_size = 0, scratch_size = 0;
  for (const Candidate& candidate : candidates(g, options, threads, kernels, l2_cache_bytes())) {
    const Schedule& schedule = candidate.schedule;
    timed.push_back({candidate, make_job(g, schedule, kernels.panel), {}});
    filter_size = std::max(filter_size, filter_floats(timed.back().job));
    scratch_size = std::max(scratch_size, scratch_floats(timed.back().job, schedule.threads));
  }
  if (timed.size() == 1) return timed.front().candidate.schedule;
  // One after the other they take the same arrays: all are zero, and stay so.
  const Buffer filter = zeros(filter_size), scratch = zeros(scratch_size);
  const Buffer image = zeros(image_floats(g)), output = zeros(output_floats(g));
  // Taken in turn, so that a disturbance meets all, and for long enough that a short one does not last to the end; four
  // at a time, since the one before has left its own part of the arrays in the caches.
  using Clock = std::chrono::steady_clock;
  // Runs that take longer than those together tell as much alone.
  constexpr int least_rounds = 3, most_rounds = 40, together = 4;
  constexpr std::chrono::milliseconds long_enough{60}, too_long{2000};
  const auto began = Clock::now();
  running::Limit limit(running::Limit::no_limit, options.stop);
  const auto go_on = [&](int round) {
    const auto passed = Clock::now() - began;
    return (round < least_rounds && passed < too_long) || (round < most_rounds && passed < long_enough);
  };
  for (int round = 0; round == 0 || go_on(round); ++round) {
    for (Timed& c : timed) {
      const Arrays arrays{image.get(), filter.get(), output.get(), scratch.get(), &limit};
      const auto first = Clock::now();
      double& best_s = c.rounds_s.emplace_back(std::numeric_limits<double>::infinity());
      for (int turn = 0; turn == 0 || (turn < together && Clock::now() - first < long_enough); ++turn) {
        const auto start = Clock::now();
        on_team(c.candidate.schedule.threads, [&](int thread, int team) { kernels.run(c.job, arrays, thread, team); });
        best_s = std::min(best_s, std::chrono::duration<double>(Clock::now() - start).count());
        if (arrays.stopped()) throw Stopped("planning was stopped before the candidates were timed");
      }
    }
  }
  const auto smaller =
      std::partition(timed.begin(), timed.end(), [](const Timed& t) { return !t.candidate.smaller_blocks; });
  const Timed* const of_model = &*std::min_element(timed.begin(), smaller, faster);
  const Timed* best = of_model;
  for (auto t = smaller; t != timed.end(); ++t) {
    if (clearly_faster(t->rounds_s, of_model->rounds_s) && faster(*t, *best)) best = &*t;
  }
  return best->candidate.schedule;
}

}  // namespace rooftop::conv::internal
