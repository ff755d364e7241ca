// A part of a problem solved in units in which its numbers are moderate, the same on all ranks.
#pragma once

#include <optional>
#include <span>

#include "communicator.hpp"
#include "moderate_numbers.hpp"
#include "rooftop/elasticity_mpi.hpp"
#include "sharing.hpp"

namespace rooftop::elasticity {

/// Call `solve_moderate` with a part whose coordinates, load and Young's modulus are scaled if their numbers need it,
/// and scale the displacement back. Collective. `Part` is PartOfBody or PartOfMesh.
template <typename Part, typename Solve>
Result solve_in_moderate_numbers(const Part& part, const OptionsByRanks& options, std::span<double> displacement,
                                 MPI_Comm given, Solve solve_moderate) {
  const Communicator ranks(given);
  const Units units = common_units(exponents_of(part.coordinates, part.young, part.load, displacement), ranks);
  if (!changes(units)) return solve_moderate(part, options, displacement, given);
  std::optional<ModerateNumbers> numbers;
  ranks.together([&] { numbers.emplace(units, part.coordinates, part.young, part.load, displacement); });
  Part moderate = part;
  moderate.coordinates = numbers->coordinates;
  moderate.young = numbers->young;
  moderate.load = numbers->load;
  Result result = solve_moderate(moderate, options, numbers->displacement, given);
  ranks.together([&] { numbers->give(displacement); });
  return result;
}

}  // namespace rooftop::elasticity
