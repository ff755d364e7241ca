#include "measure.hpp"

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

struct Candidate {
  Schedule schedule;
  Job job;
  Buffer filter, scratch;
  double best_s = std::numeric_limits<double>::infinity();
};

}  // namespace

Schedule measure(const Geometry& g, const Options& options, int threads, const Kernels& kernels) {
  std::vector<Candidate> candidates;
  for (const int m : allowed_algorithms(options)) {
    for (const Estimate& estimate : estimates(g, m, threads, kernels)) {
      Job job = make_job(g, estimate.schedule, kernels.panel);
      Buffer filter = zeros(filter_floats(job)), scratch = zeros(scratch_floats(job, estimate.schedule.threads));
      candidates.push_back({estimate.schedule, job, std::move(filter), std::move(scratch)});
    }
  }
  if (candidates.size() == 1) return candidates.front().schedule;
  const Buffer image = zeros(image_floats(g)), output = zeros(output_floats(g));
  // Taken in turn, so that a disturbance meets all, and for long enough that a short one does not last to the end; four
  // at a time, since the others have filled the caches with arrays of their own.
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
    for (Candidate& c : candidates) {
      const Arrays arrays{image.get(), c.filter.get(), output.get(), c.scratch.get(), &limit};
      const auto first = Clock::now();
      for (int turn = 0; turn == 0 || (turn < together && Clock::now() - first < long_enough); ++turn) {
        const auto start = Clock::now();
        on_team(c.schedule.threads, [&](int thread, int team) { kernels.run(c.job, arrays, thread, team); });
        c.best_s = std::min(c.best_s, std::chrono::duration<double>(Clock::now() - start).count());
        if (arrays.stopped()) throw Stopped("planning was stopped before the candidates were timed");
      }
    }
  }
  return std::min_element(candidates.begin(), candidates.end(),
                          [](const Candidate& a, const Candidate& b) { return a.best_s < b.best_s; })
      ->schedule;
}

}  // namespace rooftop::conv::internal
