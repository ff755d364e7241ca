/// How matrices that ranks share are made.
#pragma once

#include "approximate_inverse.hpp"
#include "communicator.hpp"

namespace rooftop::elasticity {

/// `go_on` is each rank's own answer, `all_go_on` what they agree on.
struct Sharing {
  const Communicator& ranks;
  bool overlap;
  int threads;
  GoOn go_on, all_go_on;
};

}  // namespace rooftop::elasticity
