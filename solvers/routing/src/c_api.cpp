/// The C interface: checks what a C++ caller cannot get wrong (nulls) and turns exceptions into statuses.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <span>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "distance.hpp"
#include "initial_tour.hpp"
#include "rooftop/routing.h"
#include "rooftop/routing.hpp"
#include "specification.hpp"
#include "status.hpp"

struct rooftop_routing_problem {
  rooftop::routing::Instance instance;
  std::string remarks;
};
struct rooftop_routing_solution {
  rooftop::routing::Solution solution;
  std::vector<rooftop_routing_progress> history;
};

namespace {

namespace routing = rooftop::routing;
namespace c_interface = rooftop::c_interface;

static_assert(ROOFTOP_ROUTING_INVALID_ARGUMENT == c_interface::invalid_argument);
static_assert(ROOFTOP_ROUTING_OUT_OF_MEMORY == c_interface::out_of_memory);
static_assert(ROOFTOP_ROUTING_INTERNAL_ERROR == c_interface::internal_error);

constexpr double longest_edge = 1e9;  ///< below the largest int32, also along a diagonal

template <typename Body>
int guarded(const Body& body) noexcept {
  return c_interface::guarded<routing::InvalidInput>(body);
}

void require_pointer(const void* pointer, const char* name) {
  c_interface::require_pointer<routing::InvalidInput>(pointer, name);
}

void require_cities(std::int32_t cities) {
  if (cities < 3) throw routing::InvalidInput("cities is " + std::to_string(cities) + "; expected 3 or more");
}

std::vector<double> coordinates(const char* name, const double* values, std::int32_t cities) {
  std::vector<double> all(values, values + cities);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (std::abs(all[i]) <= longest_edge / 2) continue;
    throw routing::InvalidInput("the " + std::string(name) + " of city " + std::to_string(i) + " is " +
                                std::to_string(all[i]) + "; expected -5e8 to 5e8");
  }
  return all;
}

std::string text_of(const char* text, std::int64_t size, const char* source) {
  require_pointer(text, "text");
  require_pointer(source, "source");
  if (size < 0) throw routing::InvalidInput("size is " + std::to_string(size) + "; expected bytes from 0 on");
  return {text, static_cast<std::size_t>(size)};
}

template <typename Make>
int create(rooftop_routing_problem** problem, const Make& make) noexcept {
  if (problem != nullptr) *problem = nullptr;
  return guarded([&] {
    require_pointer(problem, "problem");
    auto made = std::make_unique<rooftop_routing_problem>(rooftop_routing_problem{make(), ""});
    for (const std::string& remark : made->instance.remarks) {
      made->remarks += (made->remarks.empty() ? "" : "\n") + remark;
    }
    *problem = made.release();
  });
}

/// Null where there are none.
const double* begin_of(const std::vector<double>& values) { return values.empty() ? nullptr : values.data(); }

rooftop_routing_progress to_c(const routing::Progress& progress) {
  return {progress.seconds, progress.iterations, progress.length};
}

}  // namespace

int rooftop_routing_abi_version(void) { return ROOFTOP_ROUTING_ABI_VERSION; }

const char* rooftop_routing_last_error(void) { return c_interface::last_error; }

int rooftop_routing_problem_read(const char* path, rooftop_routing_problem** problem) {
  return create(problem, [&] {
    require_pointer(path, "path");
    return routing::read_instance_file(path);
  });
}

int rooftop_routing_problem_of_text(const char* text, int64_t size, const char* source,
                                    rooftop_routing_problem** problem) {
  return create(problem, [&] {
    std::istringstream in(text_of(text, size, source));
    return routing::read_instance(in, source);
  });
}

int rooftop_routing_problem_tour_of_text(const rooftop_routing_problem* problem, const char* text, int64_t size,
                                         const char* source, int32_t* order) {
  return guarded([&] {
    require_pointer(problem, "problem");
    require_pointer(order, "order");
    std::istringstream in(text_of(text, size, source));
    const routing::Tour tour = routing::read_tour(in, source);
    const auto cities = static_cast<std::size_t>(problem->instance.cities);
    if (tour.order.size() != cities) {
      throw routing::InvalidInput(std::string(source) + ": a tour of " + std::to_string(tour.order.size()) +
                                  " cities; expected the problem's " + std::to_string(cities));
    }
    std::copy(tour.order.begin(), tour.order.end(), order);
  });
}

int rooftop_routing_problem_in_plane(int32_t cities, const double* x, const double* y,
                                     rooftop_routing_problem** problem) {
  return create(problem, [&] {
    require_cities(cities);
    require_pointer(x, "x");
    require_pointer(y, "y");
    routing::Instance instance;
    instance.cities = cities;
    instance.x = coordinates("x", x, cities);
    instance.y = coordinates("y", y, cities);
    return instance;
  });
}

int rooftop_routing_problem_of_matrix(int32_t cities, const int32_t* matrix, rooftop_routing_problem** problem) {
  return create(problem, [&] {
    require_cities(cities);
    require_pointer(matrix, "matrix");
    const auto n = static_cast<std::size_t>(cities);
    routing::Instance instance;
    instance.cities = cities;
    instance.metric = routing::Metric::matrix;
    instance.matrix.assign(matrix, matrix + n * n);
    routing::require_distances(instance);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (matrix[i * n + j] != matrix[j * n + i]) instance.symmetric = false;
      }
    }
    return instance;
  });
}

void rooftop_routing_problem_destroy(rooftop_routing_problem* problem) { delete problem; }

int rooftop_routing_problem_cities(const rooftop_routing_problem* problem, int32_t* cities) {
  return guarded([&] {
    require_pointer(problem, "problem");
    require_pointer(cities, "cities");
    *cities = problem->instance.cities;
  });
}

const char* rooftop_routing_problem_name(const rooftop_routing_problem* problem) {
  return problem == nullptr ? nullptr : problem->instance.name.c_str();
}

const char* rooftop_routing_problem_remarks(const rooftop_routing_problem* problem) {
  return problem == nullptr ? nullptr : problem->remarks.c_str();
}

const double* rooftop_routing_problem_x(const rooftop_routing_problem* problem) {
  if (problem == nullptr) return nullptr;
  const routing::Instance& instance = problem->instance;
  if (!instance.display_x.empty()) return instance.display_x.data();
  return begin_of(instance.metric == routing::Metric::geo ? instance.y : instance.x);
}

const double* rooftop_routing_problem_y(const rooftop_routing_problem* problem) {
  if (problem == nullptr) return nullptr;
  const routing::Instance& instance = problem->instance;
  if (!instance.display_y.empty()) return instance.display_y.data();
  return begin_of(instance.metric == routing::Metric::geo ? instance.x : instance.y);
}

int rooftop_routing_problem_length(const rooftop_routing_problem* problem, const int32_t* order, int64_t* length) {
  return guarded([&] {
    require_pointer(problem, "problem");
    require_pointer(order, "order");
    require_pointer(length, "length");
    const std::span all(order, static_cast<std::size_t>(problem->instance.cities));
    *length = routing::length(problem->instance, all);
    routing::require_fixed_edges(problem->instance, all, "the tour");
  });
}

const char* rooftop_routing_problem_metric(const rooftop_routing_problem* problem) {
  return problem == nullptr ? nullptr : routing::name_of(problem->instance.metric).data();  // of a literal: it ends
}

const int32_t* rooftop_routing_problem_matrix(const rooftop_routing_problem* problem) {
  if (problem == nullptr || problem->instance.matrix.empty()) return nullptr;
  return problem->instance.matrix.data();
}

void rooftop_routing_default_options(rooftop_routing_options* options) {
  if (options == nullptr) return;
  const routing::Options defaults;
  *options = {defaults.seconds, defaults.iterations, defaults.seed, defaults.threads, nullptr, nullptr,
              nullptr,          defaults.show_every, nullptr,       nullptr,          nullptr};
}

int rooftop_routing_solve(const rooftop_routing_problem* problem, const rooftop_routing_options* options,
                          rooftop_routing_solution** solution) {
  if (solution != nullptr) *solution = nullptr;
  return c_interface::guarded_team<routing::InvalidInput>([&] {
    require_pointer(problem, "problem");
    require_pointer(solution, "solution");
    routing::Options wanted;
    if (options != nullptr) {
      wanted.seconds = options->seconds;
      wanted.iterations = options->iterations;
      wanted.seed = options->seed;
      wanted.threads = options->threads;
      wanted.stop = options->stop;
      if (options->initial != nullptr) {
        wanted.initial = {options->initial, static_cast<std::size_t>(problem->instance.cities)};
      }
      if (options->watch != nullptr) {
        wanted.watch = [options](const routing::Progress& progress) {
          const rooftop_routing_progress now = to_c(progress);
          return options->watch(&now, options->watch_with) != 0;
        };
      }
      if (options->show != nullptr) {
        wanted.show_every = options->show_every;
        wanted.show = [options](const routing::Progress& progress, std::span<const std::int32_t> order) {
          const rooftop_routing_progress now = to_c(progress);
          options->show(&now, order.data(), options->show_with);
        };
      }
    }
    routing::Solution found = routing::solve(problem->instance, wanted);
    std::vector<rooftop_routing_progress> history;
    history.reserve(found.history.size());
    for (const routing::Progress& progress : found.history) history.push_back(to_c(progress));
    *solution = new rooftop_routing_solution{std::move(found), std::move(history)};
  });
}

int rooftop_routing_solution_result(const rooftop_routing_solution* solution, rooftop_routing_result* result) {
  return guarded([&] {
    require_pointer(solution, "solution");
    require_pointer(result, "result");
    const routing::Solution& found = solution->solution;
    *result = {found.length,
               found.iterations,
               found.seconds,
               static_cast<int32_t>(found.order.size()),
               found.order.data(),
               static_cast<int64_t>(solution->history.size()),
               solution->history.data()};
  });
}

int rooftop_routing_solution_write(const rooftop_routing_solution* solution, const char* name, const char* path) {
  return guarded([&] {
    require_pointer(solution, "solution");
    require_pointer(name, "name");
    require_pointer(path, "path");
    const std::string comment = "length " + std::to_string(solution->solution.length);
    routing::write_tour_file(path, {name, comment, solution->solution.order});
  });
}

void rooftop_routing_solution_destroy(rooftop_routing_solution* solution) { delete solution; }
