// A rank's part of a mesh, cut out of arrays of the whole one.
#include <mpi.h>

#include <cstddef>
#include <vector>

#include "file.hpp"
#include "solve_shared.hpp"

namespace elasticity_by_ranks {
namespace {

namespace elasticity = rooftop::elasticity;

elasticity::CutMesh read_part(const std::string& folder) {
  const auto path = [&](const char* name) { return folder + "/" + name; };
  const Mapped<double> coordinates(path("coordinates")), young(path("young")), poisson(path("poisson")),
      load(path("load"));
  const Mapped<std::int64_t> blocks(path("blocks")), elements(path("elements"));
  const Mapped<std::uint8_t> held(path("held"));
  const Mapped<std::int32_t> ranks(path("ranks"));
  elasticity::Mesh whole{coordinates.values(), {}, young.values(), poisson.values(), load.values(), held.values()};
  std::span<const std::int64_t> left = elements.values();
  for (std::size_t b = 0; b < blocks.values().size(); b += 2) {
    const auto count = static_cast<std::size_t>(blocks.values()[b + 1]);
    whole.blocks.push_back({static_cast<elasticity::ElementKind>(blocks.values()[b]), left.first(count)});
    left = left.subspan(count);
  }
  return elasticity::cut(whole, ranks.values(), rank_here());
}

/// Calls visit(first, count) for own nodes that follow each other in the whole mesh.
template <class Visit>
void for_runs(const elasticity::CutMesh& part, Visit visit) {
  for (std::int64_t first = 0; first < part.own;) {
    const auto number = [&](std::int64_t node) { return part.numbers[static_cast<std::size_t>(node)]; };
    std::int64_t end = first + 1;
    while (end < part.own && number(end) == number(first) + end - first) ++end;
    visit(first, end - first);
    first = end;
  }
}

}  // namespace

elasticity::Result solve_mesh(const std::string& folder, elasticity::OptionsByRanks options, double deadline) {
  const elasticity::CutMesh part = read_part(folder);
  std::vector<double> displacement(static_cast<std::size_t>(3 * part.own));
  options.seconds = seconds_until(deadline);
  elasticity::Result result = elasticity::solve(part.part(), options, displacement, MPI_COMM_WORLD);
  const File file(folder + "/displacement", O_WRONLY);
  constexpr std::int64_t of_node = 3 * sizeof(double);
  for_runs(part, [&](std::int64_t first, std::int64_t count) {
    file.write(displacement.data() + 3 * first, static_cast<std::size_t>(count * of_node),
               of_node * part.numbers[static_cast<std::size_t>(first)]);
  });
  return result;
}

}  // namespace elasticity_by_ranks
