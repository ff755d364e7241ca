#include "lin_kernighan.hpp"

#include "balance.hpp"

namespace rooftop::routing {
namespace {

/// An exchange takes up to a millisecond, of a tour of a million cities.
constexpr int looks_between_questions = 64;

}  // namespace

LinKernighan::LinKernighan(const Costs& costs, const Candidates& candidates, ArrayTour& tour)
    : tour_(&tour),
      search_{.costs = &costs, .candidates = &candidates, .tour = &tour},
      waits_(index(costs.cities()), 0) {}

void LinKernighan::wake(City city) {
  if (waits_[index(city)] != 0) return;
  waits_[index(city)] = 1;
  waiting_.push_back(city);
}

City LinKernighan::take() {
  const City city = waiting_.back();
  waiting_.pop_back();
  waits_[index(city)] = 0;
  return city;
}

void LinKernighan::let_nobody_wait() {
  for (const City city : waiting_) waits_[index(city)] = 0;
  waiting_.clear();
}

bool LinKernighan::improve(City city) {
  ArrayTour::Pieces pieces;
  if (!find_exchange(search_, city) || !tour_->joins(search_.exchange, pieces)) return false;
  tour_->apply(pieces);
  for (int end = 0; end < 2 * search_.exchange.edges; ++end) wake(search_.exchange.ends[index(end)]);
  return true;
}

Length LinKernighan::run(Patience& patience) {
  Length shorter = 0;
  for (int looks = 0; !waiting_.empty(); ++looks) {
    if (looks % looks_between_questions == 0 && !patience.left()) break;
    for (const City city = take(); improve(city); tour_->keep()) shorter += search_.gain;
  }
  let_nobody_wait();
  return shorter;
}

LinKernighan::Repaired LinKernighan::repair(std::vector<Exchange>& made) {
  Length shorter = 0;
  std::uint64_t changed = balance(made.back());
  while (!waiting_.empty()) {
    for (const City city = take(); improve(city);) {
      shorter += search_.gain;
      made.push_back(search_.exchange);
      changed += balance(search_.exchange);
      if (changed != 0) continue;
      let_nobody_wait();  // nothing was to be found there before
      return {shorter, true};
    }
  }
  return {shorter, false};
}

}  // namespace rooftop::routing
