#include "checked_mesh.hpp"

#include <cmath>
#include <cstddef>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "checked_values.hpp"
#include "rigid_motions.hpp"

namespace rooftop::elasticity {
namespace {

/// Parts of a mesh that hang together: nodes of an element are in one part.
class Parts {
 public:
  explicit Parts(std::size_t nodes) : above_(nodes) { std::iota(above_.begin(), above_.end(), std::size_t{0}); }

  std::size_t of(std::size_t node) {
    while (above_[node] != node) node = above_[node] = above_[above_[node]];
    return node;
  }
  void join(std::size_t one, std::size_t other) { above_[of(one)] = of(other); }

 private:
  std::vector<std::size_t> above_;
};

}  // namespace

void check(const Mesh& mesh, const Options& options, std::span<const double> displacement) {
  require_options(options);
  if (mesh.coordinates.empty() || mesh.coordinates.size() % components != 0) {
    throw InvalidInput("coordinates has " + std::to_string(mesh.coordinates.size()) +
                       " values; expected three for each node");
  }
  const auto nodes = static_cast<std::int64_t>(mesh.coordinates.size()) / components;
  if (nodes >= std::int64_t{1} << 31) throw InvalidInput("the mesh has 2^31 nodes or more; expected fewer");
  for (const auto& [name, values, each] :
       {std::tuple{"hexahedra", mesh.hexahedra, 8}, std::tuple{"tetrahedra", mesh.tetrahedra, 4}}) {
    if (values.size() % static_cast<std::size_t>(each) != 0) {
      throw InvalidInput(std::string(name) + " has " + std::to_string(values.size()) + " values; expected " +
                         std::to_string(each) + " for each element");
    }
  }
  const auto elements = static_cast<std::int64_t>(mesh.hexahedra.size() / 8 + mesh.tetrahedra.size() / 4);
  if (elements == 0) throw InvalidInput("the mesh has no elements; expected hexahedra or tetrahedra");
  require_size("load", mesh.load.size(), components * nodes);
  require_size("held", mesh.held.size(), components * nodes);
  require_size("displacement", displacement.size(), components * nodes);
  require_finite("coordinates", mesh.coordinates);
  require_finite("load", mesh.load);
  require_finite("displacement", displacement);
  require_material("young", mesh.young, elements, 0, HUGE_VAL);
  require_material("poisson", mesh.poisson, elements, -1, 0.5);

  Parts parts(static_cast<std::size_t>(nodes));
  std::vector<bool> used(static_cast<std::size_t>(nodes));
  std::int64_t element = 0;
  for (const auto& [values, each] :
       {std::pair{mesh.hexahedra, std::size_t{8}}, std::pair{mesh.tetrahedra, std::size_t{4}}}) {
    for (std::size_t first = 0; first < values.size(); first += each, ++element) {
      for (std::size_t i = first; i < first + each; ++i) {
        if (values[i] < 0 || values[i] >= nodes) {
          throw InvalidInput("element " + std::to_string(element) + " has node " + std::to_string(values[i]) +
                             "; expected 0 to " + std::to_string(nodes - 1));
        }
        used[static_cast<std::size_t>(values[i])] = true;
        parts.join(static_cast<std::size_t>(values[first]), static_cast<std::size_t>(values[i]));
      }
    }
  }
  const auto at = [&](std::size_t node) -> RigidMotions::Point {
    return {mesh.coordinates[3 * node], mesh.coordinates[3 * node + 1], mesh.coordinates[3 * node + 2]};
  };
  // Of each part by its own size: the farthest node from its first one.
  std::map<std::size_t, std::size_t> farthest;
  for (std::size_t node = 0; node < used.size(); ++node) {
    if (!used[node])
      throw InvalidInput("node " + std::to_string(node) + " is in no element; expected every node in one");
    const std::size_t part = parts.of(node);
    const auto distance = [&](std::size_t other) {
      double sum = 0;
      for (std::size_t d = 0; d < components; ++d) sum += std::abs(at(other)[d] - at(part)[d]);
      return sum;
    };
    auto& far = farthest.try_emplace(part, part).first->second;
    if (distance(node) > distance(far)) far = node;
  }
  std::map<std::size_t, RigidMotions> motions;
  for (const auto& [part, far] : farthest) motions.try_emplace(part, at(part), at(far));
  for (std::size_t node = 0; node < used.size(); ++node) {
    for (std::size_t c = 0; c < components; ++c) {
      if (mesh.held[3 * node + c] != 0) motions.at(parts.of(node)).hold(at(node), c);
    }
  }
  for (const auto& [part, free] : motions) {
    free.require_held(motions.size() == 1 ? "the mesh" : "the part of the mesh with node " + std::to_string(part));
  }
}

}  // namespace rooftop::elasticity
