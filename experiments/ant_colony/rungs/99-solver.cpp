/// The solver: ants that are focused on one place of one tour, which all threads share.
/// Changed from the rungs before: exchanges of up to five edges among candidates of small alpha-nearness, and a longer
/// tour is kept with a probability that falls until the end. Limit attacked: threads that each have a tour of their own
/// do the same work. Evidence: shorter tours from as many ants; threads change the time and nothing else.
/// Source: docs/decisions/0011.
// needs: rooftop_routing
#include <algorithm>
#include <rooftop/routing.hpp>
#include <rooftop/rung.hpp>

#include "problem.hpp"

namespace {

class Solver : public rooftop::Rung {
 public:
  explicit Solver(const ants::Problem& problem) : p_(problem) {
    instance_.cities = p_.cities;
    instance_.x.assign(p_.x, p_.x + p_.cities);
    instance_.y.assign(p_.y, p_.y + p_.cities);
  }

  void run() override {
    p_.ledger->memory_bytes = static_cast<std::int64_t>(work().working_set_bytes);
    const auto solution = rooftop::routing::solve(
        instance_, {.seconds = 1, .iterations = p_.tours, .seed = p_.seed, .threads = p_.threads, .watch = {}});
    std::ranges::copy(solution.order, p_.tour);
    *p_.length = solution.length;
  }

  // No flops and bytes: how many exchanges an ant tries depends on the tour. For each city 500 bytes are neighbours,
  // candidates and the graph of trees, and 24 more each tour, of which there are up to eight and one for each thread.
  [[nodiscard]] rooftop::Work work() const override {
    const double n = p_.cities;
    return {.working_set_bytes = (500 + 24 * (std::clamp(100'000 / n, 1.0, 8.0) + p_.threads)) * n,
            .algorithm = "solver"};
  }

 private:
  const ants::Problem& p_;
  rooftop::routing::Instance instance_;
};

}  // namespace

ROOFTOP_RUNG(ants::Problem, Solver);
