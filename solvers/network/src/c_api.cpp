/// The C interface: checks what a C++ caller cannot get wrong (nulls, counts) and turns exceptions into statuses.
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "rooftop/network.h"
#include "rooftop/network.hpp"
#include "status.hpp"

struct rooftop_network_solution {
  struct Paths {
    std::vector<std::int64_t> first;
    std::vector<std::int32_t> arcs;
  };
  double seconds;
  std::int64_t iterations, overload_kg;
  std::vector<double> points;
  std::vector<Paths> plans;
};

namespace {

namespace network = rooftop::network;
namespace c_interface = rooftop::c_interface;

static_assert(ROOFTOP_NETWORK_INVALID_ARGUMENT == c_interface::invalid_argument);
static_assert(ROOFTOP_NETWORK_OUT_OF_MEMORY == c_interface::out_of_memory);
static_assert(ROOFTOP_NETWORK_INTERNAL_ERROR == c_interface::internal_error);
static_assert(ROOFTOP_NETWORK_STOPPED == c_interface::stopped);

template <typename Body>
int guarded(const Body& body) noexcept {
  return c_interface::guarded<network::InvalidInput>(body);
}

void require_pointer(const void* pointer, const char* name) {
  c_interface::require_pointer<network::InvalidInput>(pointer, name);
}

/// `count` values at a pointer, which may be null where there are none.
template <typename Value>
std::vector<Value> array(const char* name, const Value* values, std::size_t count) {
  if (count > 0) require_pointer(values, name);
  return values == nullptr ? std::vector<Value>{} : std::vector<Value>(values, values + count);
}

std::size_t count_of(const char* name, std::int32_t count) {
  if (count < 0)
    throw network::InvalidInput(std::string(name) + " is " + std::to_string(count) + "; expected 0 or more");
  return static_cast<std::size_t>(count);
}

/// Checked before arrays of that many values are read.
std::size_t count_of_objectives(std::int32_t objectives) {
  if (objectives < 0 || objectives > network::most_objectives) {
    throw network::InvalidInput("objectives is " + std::to_string(objectives) + "; expected 1 to " +
                                std::to_string(network::most_objectives));
  }
  return static_cast<std::size_t>(objectives);
}

network::Problem from_c(const rooftop_network_problem& given) {
  network::Problem problem;
  const std::size_t arcs = count_of("arcs", given.arcs), figures = arcs * count_of_objectives(given.objectives);
  problem.nodes = given.nodes;
  problem.months = given.months;
  problem.objectives = given.objectives;
  problem.tail = array("tail", given.tail, arcs);
  problem.head = array("head", given.head, arcs);
  problem.capacity_kg = array("capacity_kg", given.capacity_kg, arcs);
  problem.payload_kg = given.payload_kg;
  problem.per_vehicle = array("per_vehicle", given.per_vehicle, figures);
  problem.per_kg = array("per_kg", given.per_kg, figures);
  const std::size_t shipments = count_of("shipments", given.shipments);
  const auto month = array("month", given.month, shipments), origin = array("origin", given.origin, shipments);
  const auto destination = array("destination", given.destination, shipments);
  const auto kg = array("kg", given.kg, shipments);
  for (std::size_t i = 0; i < shipments; ++i) problem.shipments.push_back({month[i], origin[i], destination[i], kg[i]});
  return problem;
}

network::Options from_c(const rooftop_network_options& given, std::int32_t objectives) {
  network::Options options;
  options.seconds = given.seconds;
  options.iterations = given.iterations;
  options.seed = given.seed;
  options.threads = given.threads;
  options.plans = given.plans;
  options.stop = given.stop;
  options.trails = c_interface::enumerator<network::InvalidInput>(given.trails, network::Trails::combined, "trails");
  if (given.weights != nullptr) {
    options.weights = array("weights", given.weights, count_of_objectives(objectives));
  }
  if (given.watch != nullptr) {
    options.watch = [&given](const network::Progress& now) {
      const rooftop_network_progress told{now.seconds, now.iterations, now.overload_kg, now.plans, now.points.data()};
      return given.watch(&told, given.watch_with) != 0;
    };
  }
  return options;
}

rooftop_network_solution* to_c(const network::Solution& found) {
  auto* solution = new rooftop_network_solution{found.seconds, found.iterations, 0, {}, {}};
  for (const network::PlanOfPaths& plan : found.front) {
    solution->overload_kg = plan.overload_kg;
    solution->points.insert(solution->points.end(), plan.values.begin(), plan.values.end());
    auto& [first, arcs] = solution->plans.emplace_back();
    first.push_back(0);
    for (const network::Path& path : plan.paths) {
      arcs.insert(arcs.end(), path.begin(), path.end());
      first.push_back(static_cast<std::int64_t>(arcs.size()));
    }
  }
  return solution;
}

}  // namespace

int rooftop_network_abi_version(void) { return ROOFTOP_NETWORK_ABI_VERSION; }

const char* rooftop_network_last_error(void) { return c_interface::last_error; }

void rooftop_network_default_options(rooftop_network_options* options) {
  if (options == nullptr) return;
  const network::Options defaults;
  *options = {defaults.seconds, defaults.iterations,
              defaults.seed,    defaults.threads,
              defaults.plans,   0,
              nullptr,          nullptr,
              nullptr,          nullptr};
}

int rooftop_network_solve(const rooftop_network_problem* problem, const rooftop_network_options* options,
                          rooftop_network_solution** solution) {
  if (solution != nullptr) *solution = nullptr;
  return c_interface::guarded_team<network::InvalidInput, network::Stopped>([&] {
    require_pointer(problem, "problem");
    require_pointer(solution, "solution");
    const network::Options wanted = options == nullptr ? network::Options{} : from_c(*options, problem->objectives);
    *solution = to_c(network::solve(from_c(*problem), wanted));
  });
}

int rooftop_network_solution_result(const rooftop_network_solution* solution, rooftop_network_result* result) {
  return guarded([&] {
    require_pointer(solution, "solution");
    require_pointer(result, "result");
    *result = {solution->seconds, solution->iterations, solution->overload_kg,
               static_cast<int32_t>(solution->plans.size()), solution->points.data()};
  });
}

int rooftop_network_solution_paths(const rooftop_network_solution* solution, int32_t plan, const int64_t** first,
                                   const int32_t** arcs) {
  return guarded([&] {
    require_pointer(solution, "solution");
    require_pointer(first, "first");
    require_pointer(arcs, "arcs");
    if (plan < 0 || static_cast<std::size_t>(plan) >= solution->plans.size()) {
      throw network::InvalidInput("plan is " + std::to_string(plan) + "; expected 0 to " +
                                  std::to_string(solution->plans.size() - 1));
    }
    *first = solution->plans[static_cast<std::size_t>(plan)].first.data();
    *arcs = solution->plans[static_cast<std::size_t>(plan)].arcs.data();
  });
}

void rooftop_network_solution_destroy(rooftop_network_solution* solution) { delete solution; }
