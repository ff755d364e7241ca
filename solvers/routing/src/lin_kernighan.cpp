#include "lin_kernighan.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace rooftop::routing {
namespace {

/// Steps that are followed further, by the number of edges that have left.
constexpr std::array<int, most_exchanged> breadth{0, 3, 3, 1, 1};
constexpr int most_steps = 32;
constexpr int looks_between_questions = 256;

}  // namespace

LinKernighan::LinKernighan(const Costs& costs, const Neighbours& candidates, ArrayTour& tour)
    : costs_(&costs), candidates_(&candidates), tour_(&tour), waits_(index(costs.cities()), 0) {}

void LinKernighan::wake(City city) {
  if (waits_[index(city)] != 0) return;
  waits_[index(city)] = 1;
  waiting_.push_back(city);
}

Length LinKernighan::run(std::vector<Exchange>* made, Patience* patience) {
  Length shorter = 0;
  for (int looks = 0; !waiting_.empty(); ++looks) {
    if (patience != nullptr && looks % looks_between_questions == 0 && !patience->left()) {
      for (const City city : waiting_) waits_[index(city)] = 0;
      waiting_.clear();
      break;
    }
    const City city = waiting_.back();
    waiting_.pop_back();
    waits_[index(city)] = 0;
    while (improve(city)) {
      tour_->apply(pieces_);
      shorter += closed_;
      if (made != nullptr) {
        made->push_back(exchange_);
      } else {
        tour_->keep();
      }
      for (int end = 0; end < 2 * exchange_.edges; ++end) wake(exchange_.ends[index(end)]);
    }
  }
  return shorter;
}

bool LinKernighan::improve(City city) {
  for (const City before : {tour_->previous(city), tour_->next(city)}) {
    if (costs_->fixed(before, city)) continue;
    exchange_.edges = 1;
    exchange_.ends[0] = before;
    exchange_.ends[1] = city;
    if (extend((*costs_)(before, city))) return true;
  }
  return false;
}

bool LinKernighan::leaves(City a, City b) const {
  for (int e = 0; e < exchange_.edges; ++e) {
    const City c = exchange_.ends[index(2 * e)], d = exchange_.ends[index(2 * e + 1)];
    if ((a == c && b == d) || (a == d && b == c)) return true;
  }
  return false;
}

bool LinKernighan::enters(City a, City b) const {
  for (int e = 1; e < exchange_.edges; ++e) {
    const City c = exchange_.ends[index(2 * e - 1)], d = exchange_.ends[index(2 * e)];
    if ((a == c && b == d) || (a == d && b == c)) return true;
  }
  return false;
}

void LinKernighan::end_with(const Step& step) {
  exchange_.ends[index(2 * exchange_.edges - 2)] = step.near;
  exchange_.ends[index(2 * exchange_.edges - 1)] = step.after;
}

/// Takes the step that closes the tour with the largest gain.
bool LinKernighan::close(const Step* steps, int count) {
  const City start = exchange_.ends[0];
  closed_ = 0;
  const Step* best = nullptr;
  for (const Step* step = steps; step != steps + count; ++step) {
    if (step->after == start) continue;
    const Length gain = step->gain - (*costs_)(step->after, start);
    if (gain <= closed_ || !costs_->may_join(step->after, start)) continue;
    end_with(*step);
    ArrayTour::Pieces pieces;
    if (!tour_->joins(exchange_, pieces)) continue;
    pieces_ = pieces;
    closed_ = gain;
    best = step;
  }
  if (best == nullptr) return false;
  end_with(*best);
  return true;
}

/// Goes on from the last end of what has left, `gain` being what has left less what has entered so far.
bool LinKernighan::extend(Length gain) {
  const City from = exchange_.ends[index(2 * exchange_.edges - 1)];
  const City beside[] = {tour_->previous(from), tour_->next(from)};
  const City* const near = candidates_->of(from);
  const Cost* const cost = candidates_->cost_of(from);
  std::array<Step, most_steps> steps;
  int count = 0;
  for (City k = 0; k < candidates_->width; ++k) {
    const Length over = gain - cost[k];
    const City to = near[k];
    if (over <= 0 || to == beside[0] || to == beside[1] || enters(from, to)) continue;
    for (const City after : {tour_->previous(to), tour_->next(to)}) {
      if (leaves(to, after) || costs_->fixed(to, after)) continue;
      steps[index(count++)] = {over + (*costs_)(to, after), to, after};
    }
  }
  ++exchange_.edges;
  if (close(steps.data(), count)) return true;
  if (exchange_.edges < most_exchanged) {
    const int followed = std::min(count, breadth[index(exchange_.edges - 1)]);
    for (int i = 0; i < followed; ++i) {
      const auto rest = steps.begin() + i;
      std::iter_swap(rest, std::max_element(rest, steps.begin() + count,
                                            [](const Step& a, const Step& b) { return a.gain < b.gain; }));
      end_with(*rest);
      if (extend(rest->gain)) return true;
    }
  }
  --exchange_.edges;
  return false;
}

}  // namespace rooftop::routing
