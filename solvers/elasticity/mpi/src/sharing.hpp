/// How matrices that ranks share are made.
#pragma once

#include <omp.h>

#include "approximate_inverse.hpp"
#include "communicator.hpp"
#include "limit.hpp"
#include "moderate_numbers.hpp"
#include "rooftop/elasticity_mpi.hpp"

namespace rooftop::elasticity {

/// `go_on` is each rank's own answer, `all_go_on` what they agree on.
struct Sharing {
  const Communicator& ranks;
  bool overlap;
  int threads;
  GoOn go_on, all_go_on;

  /// Keeps `all` and `limit`.
  Sharing(const Communicator& all, const OptionsByRanks& options, running::Limit& limit)
      : ranks(all),
        overlap(options.overlap),
        threads(options.threads > 0 ? options.threads : omp_get_max_threads()),
        go_on([&limit] { return limit.left(); }),
        all_go_on([&all, &limit] { return all.largest(limit.left() ? 0 : 1) == 0; }) {}
};

/// Units in which all ranks' numbers are moderate. Collective.
[[nodiscard]] inline Units common_units(Exponents own, const Communicator& ranks) {
  for (int* one : {&own.length, &own.young, &own.load, &own.displacement}) *one = ranks.largest(*one);
  return units_for(own);
}

}  // namespace rooftop::elasticity
