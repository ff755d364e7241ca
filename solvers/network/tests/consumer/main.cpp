// Three tonnes in two vehicles, by the cheaper of two arcs.
#include <cstdio>
#include <rooftop/network.hpp>

int main() {
  rooftop::network::Problem problem;
  problem.nodes = 2;
  problem.months = problem.objectives = 1;
  problem.tail = {0, 0};
  problem.head = {1, 1};
  problem.capacity_kg = {4000, 4000};
  problem.payload_kg = 2000;
  problem.per_vehicle = {3, 5};
  problem.per_kg = {0, 0};
  problem.shipments = {{0, 0, 1, 3000}};
  rooftop::network::Options options;
  options.iterations = 10;
  const auto solution = rooftop::network::solve(problem, options);
  std::printf("%g\n", solution.front.at(0).values.at(0));
  return solution.front.at(0).values.at(0) == 6 ? 0 : 1;
}
