/// An ant chooses among the 16 nearest cities, and pheromones are kept for them alone: 16 for each city instead of n.
/// Changed from 40-no-allocation: a step reads 128 bytes, not a row of n choices. An ant that has visited all
/// candidates goes to the nearest of the next cities along Hilbert's curve that are left, never looking through all of
/// them. Limit attacked: O(n^2) for a tour, in time and memory. What is left is a chain: a choice waits for the last
/// one. Evidence: the time of a step no longer grows with the cities; tours are shorter, too, since nobody strays.
/// Source: M. Dorigo, L. M. Gambardella, "Ant colony system", 1997; M. Dorigo, T. Stuetzle, 2004, section 3.7.
#include "candidate_months.hpp"
#include "curve_walk.hpp"

namespace {

using ants::City;
using ants::width;

/// One ant after the other, one candidate after the other.
class ScalarWalk {
 public:
  explicit ScalarWalk(const ants::Ground& ground) : ground_(ground), left_(ground) {}

  void walk(const ants::Trails& trails, std::int64_t month, int process, const ants::Group& tours) {
    for (int ant = 0; ant < ants::ants_of_group; ++ant) {
      ants::Chance chance(ground_.problem(), month, process, ant);
      left_.start();
      City here = chance.below(ground_.cities());
      for (City step = 0;; ++step) {
        tours[ants::at(ant)][step] = here;
        left_.visit(here);
        if (step + 1 == ground_.cities()) break;
        here = next(trails, here, chance.next());
      }
    }
  }

 private:
  City next(const ants::Trails& trails, City here, float chance) {
    const City* const ids = ground_.candidates().ids(here);
    const float* const choices = trails.choices(here);
    std::array<float, width> sums{};
    float sum = 0;
    for (int i = 0; i < width; ++i) {
      if (left_.is_left(ids[i])) sum += choices[i];
      sums[ants::at(i)] = sum;
    }
    if (sum == 0) return left_.near(here);
    const float drawn = sum * chance;
    // The sum grows at cities that are left, and at no others.
    for (int i = 0; i < width; ++i) {
      if (sums[ants::at(i)] > drawn) return ids[i];
    }
    for (int i = width - 1;; --i) {  // rounded up to the sum
      if (left_.is_left(ids[i])) return ids[i];
    }
  }

  const ants::Ground& ground_;
  ants::CurveWalk left_;
};

class CandidateLists : public ants::CandidateMonths<ScalarWalk, ants::AsBuilt> {
 public:
  explicit CandidateLists(const ants::Problem& problem) : CandidateMonths(problem) {}
  [[nodiscard]] rooftop::Work work() const override { return construction_work(); }
};

}  // namespace

ROOFTOP_RUNG(ants::Problem, CandidateLists);
