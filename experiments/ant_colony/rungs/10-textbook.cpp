/// Ants as objects, solutions as texts, one matrix of pheromones for each of eight processes: the textbook's program.
/// The bottom of the ladder: each month OpenMP shares the processes statically over threads, each process sends out its
/// ants, and the main thread compares what they have found. An ant draws each next city among all that are left.
/// Limit: per step, a list is allocated and filled, a row of n pheromones read, and the text so far copied.
/// Evidence: the time of a step grows with the cities; allocations are several times the steps.
/// Source: an industrial ant colony optimiser on 96 cores, whose profile showed strings, one pool of memory for all
/// threads, serial time at each month's end, and imbalance.
#include <cstdlib>

#include "string_rung.hpp"

namespace {

struct Standard {
  static void* take(std::size_t bytes) { return std::malloc(bytes); }
  static void give(void* memory, std::size_t /*bytes*/) { std::free(memory); }
};

using Textbook = ants::StringMonths<Standard>;

}  // namespace

ROOFTOP_RUNG(ants::Problem, Textbook);
