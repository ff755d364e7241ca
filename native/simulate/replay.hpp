/// Replays a recording on a simulated machine.
#pragma once

#include "collectives.hpp"
#include "repeats.hpp"

namespace rooftop::simulate {

struct Span {
  int rank;
  char what;  ///< 'w' work, 'c' in MPI calls
  double from, until;
};

struct Replayed {
  double seconds = 0;
  std::vector<RankState> ranks;
  std::vector<double> ended;
  std::vector<Repeats> loops;
  std::vector<Span> spans;
  std::vector<std::pair<std::string, double>> loads;
};

/// `spans`: how many of each rank are kept. Throws RequirementFailed where the programs do not fit together.
Replayed replay(const Recording& recording, const Description& description, const Choices& choices, std::size_t spans);

}  // namespace rooftop::simulate
