/// The C interface: checks what a C++ caller cannot get wrong and turns exceptions into statuses.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

#include "element_kinds.hpp"
#include "rooftop/elasticity.h"
#include "rooftop/elasticity.hpp"
#include "status.hpp"

namespace {

namespace c_interface = rooftop::c_interface;
namespace elasticity = rooftop::elasticity;
using elasticity::InvalidInput;

static_assert(ROOFTOP_ELASTICITY_INVALID_ARGUMENT == c_interface::invalid_argument);
static_assert(ROOFTOP_ELASTICITY_OUT_OF_MEMORY == c_interface::out_of_memory);
static_assert(ROOFTOP_ELASTICITY_INTERNAL_ERROR == c_interface::internal_error);
static_assert(ROOFTOP_ELASTICITY_TETRAHEDRON == static_cast<int>(elasticity::ElementKind::tetrahedron));
static_assert(ROOFTOP_ELASTICITY_HEXAHEDRON20_REDUCED ==
              static_cast<int>(elasticity::ElementKind::hexahedron20_reduced));

template <typename Value>
std::span<const Value> array(const char* name, const Value* values, std::size_t count) {
  c_interface::require_pointer<InvalidInput>(values, name);
  return {values, count};
}

/// The number of nodes; 0 where a direction has none, which is refused later.
std::size_t nodes_of(const rooftop_elasticity_body& body) {
  std::size_t nodes = 1;
  for (const std::int64_t count : body.nodes) {
    if (count < 0) throw InvalidInput("nodes has " + std::to_string(count) + "; expected 2 or more in each direction");
    if (count > 0 && nodes > (std::size_t{1} << 40) / static_cast<std::size_t>(count)) {
      throw InvalidInput("nodes asks for more than 2^40 nodes; expected fewer");
    }
    nodes *= static_cast<std::size_t>(count);
  }
  return nodes;
}

std::size_t count_of(const char* name, std::int64_t count) {
  if (count < 1) {
    throw InvalidInput(std::string(name) + " is " + std::to_string(count) + "; expected 1 or the number of elements");
  }
  return static_cast<std::size_t>(count);
}

elasticity::Body from_c(const rooftop_elasticity_body& given) {
  const std::size_t values = 3 * nodes_of(given);
  elasticity::Body body;
  body.nodes = {given.nodes[0], given.nodes[1], given.nodes[2]};
  if (given.coordinates != nullptr) body.coordinates = {given.coordinates, values};
  body.young = array("young", given.young, count_of("young_values", given.young_values));
  body.poisson = array("poisson", given.poisson, count_of("poisson_values", given.poisson_values));
  body.load = array("load", given.load, values);
  body.held = array("held", given.held, values);
  return body;
}

std::size_t count_from_0(const char* name, std::int64_t count) {
  if (count < 0 || count > std::int64_t{1} << 40) {
    throw InvalidInput(std::string(name) + " is " + std::to_string(count) + "; expected 0 to 2^40");
  }
  return static_cast<std::size_t>(count);
}

elasticity::Dependences dependences_of(const rooftop_elasticity_mesh& given) {
  const std::size_t count = count_from_0("dependences", given.dependences);
  if (count == 0) return {};
  elasticity::Dependences result;
  result.dependent = array("dependent", given.dependent, count);
  result.start = array("start", given.start, count + 1);
  const std::size_t factors = count_from_0("the last of start", result.start.back());
  if (factors > 0) {
    result.independent = array("independent", given.independent, factors);
    result.factor = array("factor", given.factor, factors);
  }
  result.constant = array("constant", given.constant, count);
  return result;
}

elasticity::Mesh from_c(const rooftop_elasticity_mesh& given) {
  const std::size_t values = 3 * count_from_0("nodes", given.nodes);
  elasticity::Mesh mesh;
  mesh.coordinates = array("coordinates", given.coordinates, values);
  for (const auto& block : array("elements", given.elements, count_from_0("blocks", given.blocks))) {
    const auto kind = static_cast<elasticity::ElementKind>(block.kind);
    const std::size_t size = elasticity::nodes_of(kind) * count_from_0("a block's count", block.count);
    mesh.blocks.push_back({kind, size == 0 ? std::span<const std::int64_t>{} : array("nodes", block.nodes, size)});
  }
  if (const std::size_t count = count_from_0("stiffness_values", given.stiffness_values); count > 0) {
    mesh.stiffness = array("stiffness", given.stiffness, elasticity::stiffness_values * count);
  } else {
    mesh.young = array("young", given.young, count_of("young_values", given.young_values));
    mesh.poisson = array("poisson", given.poisson, count_of("poisson_values", given.poisson_values));
  }
  mesh.load = array("load", given.load, values);
  mesh.held = array("held", given.held, values);
  mesh.dependences = dependences_of(given);
  return mesh;
}

elasticity::Options from_c(const rooftop_elasticity_options& given) {
  elasticity::Options options;
  options.preconditioner = c_interface::enumerator<InvalidInput>(
      given.preconditioner, elasticity::Preconditioner::multigrid, "preconditioner");
  options.tolerance = given.tolerance;
  options.iterations = given.iterations;
  options.seconds = given.seconds;
  options.threads = given.threads;
  options.single_values = given.single_values != 0;
  options.stop = given.stop;
  if (given.watch != nullptr) {
    options.watch = [&given](const elasticity::Progress& now) {
      const rooftop_elasticity_progress told{now.seconds, now.iterations, now.residual};
      return given.watch(&told, given.watch_with) != 0;
    };
  }
  return options;
}

}  // namespace

int rooftop_elasticity_abi_version(void) { return ROOFTOP_ELASTICITY_ABI_VERSION; }

const char* rooftop_elasticity_last_error(void) { return c_interface::last_error; }

void rooftop_elasticity_default_options(rooftop_elasticity_options* options) {
  if (options == nullptr) return;
  const elasticity::Options defaults;
  *options = {static_cast<std::int32_t>(defaults.preconditioner),
              defaults.tolerance,
              defaults.iterations,
              defaults.seconds,
              defaults.threads,
              nullptr,
              nullptr,
              0,
              nullptr};
}

namespace {

/// Of a body or a mesh, `given`, of so many nodes.
template <class Given, class CountNodes>
int solve_any(const Given* given, const char* name, CountNodes count_nodes, const rooftop_elasticity_options* options,
              double* displacement, double* residuals, std::int64_t capacity, rooftop_elasticity_result* result) {
  return c_interface::guarded_team<InvalidInput>([&] {
    c_interface::require_pointer<InvalidInput>(given, name);
    c_interface::require_pointer<InvalidInput>(displacement, "displacement");
    c_interface::require_pointer<InvalidInput>(result, "result");
    if (capacity < 0) throw InvalidInput("capacity is " + std::to_string(capacity) + "; expected 0 or more");
    const elasticity::Options wanted = options == nullptr ? elasticity::Options{} : from_c(*options);
    const auto found = elasticity::solve(from_c(*given), wanted, {displacement, 3 * count_nodes(*given)});
    if (residuals != nullptr) {
      const std::size_t count = std::min(found.residuals.size(), static_cast<std::size_t>(capacity));
      std::copy_n(found.residuals.begin(), count, residuals);
    }
    *result = {static_cast<std::int32_t>(found.outcome),
               found.iterations,
               found.residual,
               found.setup_seconds,
               found.seconds,
               found.bytes,
               found.rounding,
               found.stretched ? 1 : 0,
               found.replaced ? 1 : 0};
  });
}

}  // namespace

int rooftop_elasticity_solve(const rooftop_elasticity_body* body, const rooftop_elasticity_options* options,
                             double* displacement, double* residuals, int64_t capacity,
                             rooftop_elasticity_result* result) {
  return solve_any(body, "body", nodes_of, options, displacement, residuals, capacity, result);
}

int rooftop_elasticity_solve_mesh(const rooftop_elasticity_mesh* mesh, const rooftop_elasticity_options* options,
                                  double* displacement, double* residuals, int64_t capacity,
                                  rooftop_elasticity_result* result) {
  const auto nodes = [](const rooftop_elasticity_mesh& given) { return count_from_0("nodes", given.nodes); };
  return solve_any(mesh, "mesh", nodes, options, displacement, residuals, capacity, result);
}
