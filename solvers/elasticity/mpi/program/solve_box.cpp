// A rank's part of a box, read from arrays of the whole one.
#include <mpi.h>

#include <cstddef>
#include <vector>

#include "file.hpp"
#include "solve_shared.hpp"

namespace elasticity_by_ranks {
namespace {

namespace elasticity = rooftop::elasticity;

/// Lines of a part in an array of the whole box: visit(position in bytes, number of the line among the part's).
template <class Visit>
void for_lines(const Counts& whole, const Counts& first, const Counts& own, std::int64_t bytes, Visit visit) {
  std::int64_t line = 0;
  for (std::int64_t k = first[2]; k < first[2] + own[2]; ++k) {
    for (std::int64_t j = first[1]; j < first[1] + own[1]; ++j) {
      visit(bytes * ((k * whole[1] + j) * whole[0] + first[0]), line++);
    }
  }
}

template <class Value>
std::vector<Value> read_part(const std::string& path, const Counts& whole, const Counts& first, const Counts& own,
                             std::int64_t each) {
  const File file(path, O_RDONLY);
  const std::int64_t values = each * own[0], bytes = each * static_cast<std::int64_t>(sizeof(Value));
  std::vector<Value> result(static_cast<std::size_t>(values * own[1] * own[2]));
  for_lines(whole, first, own, bytes, [&](std::int64_t at, std::int64_t line) {
    file.read(result.data() + line * values, static_cast<std::size_t>(values) * sizeof(Value), at);
  });
  return result;
}

/// One value, or one for each element.
std::vector<double> read_material(const std::string& path, const Counts& nodes, const elasticity::PartOfBox& part) {
  const File file(path, O_RDONLY);
  if (file.size() == sizeof(double)) {
    std::vector<double> result(1);
    file.read(result.data(), sizeof(double), 0);
    return result;
  }
  return read_part<double>(path, {nodes[0] - 1, nodes[1] - 1, nodes[2] - 1}, part.first, part.elements, 1);
}

}  // namespace

elasticity::Result solve_box(const std::string& folder, const Counts& nodes, elasticity::Parts& parts,
                             elasticity::OptionsByRanks options, double deadline) {
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (parts == elasticity::Parts{}) parts = elasticity::parts_of(nodes, ranks);
  const elasticity::PartOfBox part = elasticity::part_of(nodes, parts, rank_here());
  const auto of_nodes = [&](const char* name) {
    return read_part<double>(folder + "/" + name, nodes, part.first, part.nodes, 3);
  };
  std::vector<double> coordinates;
  if (::access((folder + "/coordinates").c_str(), R_OK) == 0) coordinates = of_nodes("coordinates");
  const std::vector<double> load = of_nodes("load");
  const auto held = read_part<std::uint8_t>(folder + "/held", nodes, part.first, part.nodes, 3);
  const std::vector<double> young = read_material(folder + "/young", nodes, part);
  const std::vector<double> poisson = read_material(folder + "/poisson", nodes, part);
  std::vector<double> displacement = of_nodes("displacement");
  options.seconds = seconds_until(deadline);
  const elasticity::PartOfBody body{nodes, parts, coordinates, young, poisson, load, held};
  elasticity::Result result = elasticity::solve(body, options, displacement, MPI_COMM_WORLD);
  const File file(folder + "/displacement", O_WRONLY);
  const auto line_bytes = static_cast<std::size_t>(3 * part.nodes[0]) * sizeof(double);
  for_lines(nodes, part.first, part.nodes, 3 * sizeof(double), [&](std::int64_t at, std::int64_t line) {
    file.write(displacement.data() + line * 3 * part.nodes[0], line_bytes, at);
  });
  return result;
}

}  // namespace elasticity_by_ranks
