/// What one process finds. Every rank would find the same: each finds some of it, and tells the others.
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "body_in_parts.hpp"

namespace elasticity_test {

struct Alone {
  rooftop::elasticity::Outcome outcome{};
  std::int64_t iterations = 0;
  std::vector<double> residuals, displacement;
};

/// Solves a Body or a Mesh by one process with each of these options. Collective.
template <class Whole>
std::vector<Alone> each_alone(const Whole& whole, std::span<const OptionsByRanks> each,
                              const std::vector<double>& first) {
  const World world;
  std::vector<Alone> all(each.size());
  const auto finder = [&](std::size_t i) { return static_cast<int>(i) % world.size; };
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].displacement = first;
    if (finder(i) != world.rank) continue;
    const Result found = solve(whole, each[i], all[i].displacement);
    all[i].outcome = found.outcome;
    all[i].iterations = found.iterations;
    all[i].residuals = found.residuals;
  }
  const auto tell = [&](std::vector<double>& values, int from) {
    MPI_Bcast(values.data(), static_cast<int>(values.size()), MPI_DOUBLE, from, MPI_COMM_WORLD);
  };
  for (std::size_t i = 0; i < all.size(); ++i) {
    Alone& one = all[i];
    std::array<std::int64_t, 3> counts{static_cast<std::int64_t>(one.outcome), one.iterations,
                                       static_cast<std::int64_t>(one.residuals.size())};
    MPI_Bcast(counts.data(), static_cast<int>(counts.size()), MPI_INT64_T, finder(i), MPI_COMM_WORLD);
    one.outcome = static_cast<rooftop::elasticity::Outcome>(counts[0]);
    one.iterations = counts[1];
    one.residuals.resize(static_cast<std::size_t>(counts[2]));
    tell(one.residuals, finder(i));
    tell(one.displacement, finder(i));
  }
  return all;
}

}  // namespace elasticity_test
