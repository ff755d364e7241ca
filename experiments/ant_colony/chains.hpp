/// Chains of exchanges after Lin and Kernighan, of which the part that gains most is kept.
#pragma once

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "array_tour.hpp"

namespace ants {

/// Holds a tour, and knows the way back to what it was when keep() was called.
///
/// A chain takes an edge (base, end) out of the tour, which leaves a path, and adds an edge from its end to a
/// candidate; the candidate's neighbour towards the end becomes the new end. As exchanges of two edges these are
/// reversals, one for each step, with a tour after each: S. Lin, B. W. Kernighan, "An effective heuristic algorithm for
/// the traveling-salesman problem", 1973, in the form of Johnson and McGeoch 2002, with some breadth at the first
/// steps.
class Chains {
 public:
  explicit Chains(const Ground& ground)
      : p_(ground.problem()), candidates_(ground.candidates()), tour_(ground.cities()), awake_(ground.cities()) {}

  void take(const City* tour) {
    tour_.take(tour);
    keep();
  }
  [[nodiscard]] const ArrayTour& tour() const { return tour_; }
  void wake(City city) { awake_.add(city); }
  /// As of ArrayTour: true where the tour has been turned round.
  bool reverse(City a, City b) {
    done_.push_back(tour_.reverse(a, b));
    return done_.back().mirrored;
  }
  void keep() { done_.clear(); }
  void undo() { undo_to(0); }

  /// Until no chain from a city that is awake makes the tour shorter; gives by how much it has become so.
  Length run() {
    Length gained = 0;
    for (City base = 0; awake_.next(base);) {
      for (const bool forth : {true, false}) {
        const City end = step(base, forth);
        const Length gain = chain(base, end, forth, distance(p_, base, end), 0, 0);
        if (gain == 0) continue;
        gained += gain;
        awake_.add(base);
        awake_.add(end);
        break;
      }
    }
    return gained;
  }

 private:
  static constexpr int deepest = 6;  ///< of a chain; deeper and broader ones give better tours, and far fewer of them
  struct Step {
    Length open;  ///< gained by it and those before, if the path need not be closed
    City candidate, end;
  };

  /// How many candidates are tried at a depth: the best ones.
  static int breadth(int depth) { return depth == 0 ? 3 : 1; }
  [[nodiscard]] City step(City city, bool forth) const { return forth ? tour_.after(city) : tour_.before(city); }
  void undo_to(std::size_t count) {
    for (; done_.size() > count; done_.pop_back()) tour_.apply(done_.back());
  }

  /// Goes on with the path from base to end that has `open` more to spend, end being `forth` of base. Gives what the
  /// whole chain gains and leaves the tour so if that is more than `least`; else 0, and the tour as it was.
  Length chain(City base, City end, bool forth, Length open, Length least, int depth) {
    std::array<Step, looked_at> steps;
    const int found = steps_from(base, end, forth, open, steps);
    const int tried = std::min(found, breadth(depth));
    std::partial_sort(steps.begin(), steps.begin() + tried, steps.begin() + found,
                      [](const Step& a, const Step& b) { return a.open > b.open; });
    for (int i = 0; i < tried; ++i) {
      const Step& next = steps[at(i)];
      const std::size_t before = done_.size();
      // base end … next.end candidate: base next.end … end candidate
      const bool mirrored = forth ? reverse(end, next.end) : reverse(next.end, end);
      const Length closed = next.open - distance(p_, base, next.end);
      Length gain = 0;
      if (depth + 1 < deepest) {
        gain = chain(base, next.end, forth != mirrored, next.open, std::max(closed, least), depth + 1);
      }
      if (gain == 0 && closed > least) gain = closed;
      if (gain > 0) {
        awake_.add(next.candidate);
        awake_.add(next.end);
        return gain;
      }
      undo_to(before);
    }
    return 0;
  }

  int steps_from(City base, City end, bool forth, Length open, std::array<Step, looked_at>& steps) const {
    int found = 0;
    for (int i = 0; i < looked_at; ++i) {
      const City candidate = candidates_.ids(end)[i];
      const Length left = open - distance(p_, end, candidate);
      if (left <= 0 || candidate == end) break;
      const City next = step(candidate, !forth);
      if (candidate == base || next == end) continue;
      steps[at(found++)] = {left + distance(p_, next, candidate), candidate, next};
    }
    return found;
  }

  const Problem& p_;
  const Candidates& candidates_;
  ArrayTour tour_;
  Awake awake_;
  std::vector<ArrayTour::Flip> done_;
};

}  // namespace ants
