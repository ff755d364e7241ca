/// Exchanges in chains: a step may make the tour longer if the next ones make up for it.
/// Changed from 70-local-search: where no single exchange gains any more, chains of up to 6 are tried, from the
/// best three candidates on, and what gains most of a chain is kept. Limit attacked: the quality of a
/// tour at which 2-opt and Or-opt stop. Evidence: less excess from as many ants, and fewer tours a second. Source: S.
/// Lin, B. W. Kernighan, 1973; D. S. Johnson, L. A. McGeoch, 2002.
#include "candidate_months.hpp"
#include "chains.hpp"
#include "edge_exchanges.hpp"
#include "vector_walk.hpp"

namespace {

/// 2-opt and Or-opt first: they bring most, and cost less.
class VariableDepth {
 public:
  explicit VariableDepth(const ants::Ground& ground) : exchanges_(ground), chains_(ground) {}

  ants::Length improve(ants::City* tour) {
    const ants::Length length = exchanges_.improve(tour);
    chains_.take(tour);
    const ants::City cities = chains_.tour().cities();
    for (ants::City i = 0; i < cities; ++i) chains_.wake(tour[i]);
    const ants::Length gained = chains_.run();
    std::copy_n(chains_.tour().order(), cities, tour);
    return length - gained;
  }

 private:
  ants::EdgeExchanges exchanges_;
  ants::Chains chains_;
};

class ChainsOfExchanges : public ants::CandidateMonths<ants::VectorWalk<4, true>, VariableDepth> {
 public:
  explicit ChainsOfExchanges(const ants::Problem& problem) : CandidateMonths(problem, true, false) {}
  // Beside local search, some 30 steps of chains are looked at from a city, at 10 distances of 5 flops and 16 bytes.
  [[nodiscard]] rooftop::Work work() const override { return improvement_work("variable depth"); }
};

}  // namespace

ROOFTOP_RUNG(ants::Problem, ChainsOfExchanges);
