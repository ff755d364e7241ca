#include "checked_mesh_part.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "checked_mesh.hpp"
#include "checked_values.hpp"
#include "joined_nodes.hpp"
#include "node_exchange.hpp"

namespace rooftop::elasticity {
namespace {

using Numbers = std::vector<std::int64_t>;

/// What can be said without other ranks.
void require_part(const PartOfMesh& part, const Mesh& mesh, std::int64_t own, std::span<const double> displacement,
                  const Communicator& ranks) {
  if (own < 1) throw InvalidInput("it has no nodes of its own; expected one or more on every rank");
  require_size("coordinates", part.coordinates.size(), components * static_cast<std::int64_t>(part.numbers.size()));
  require_mesh(mesh);
  require_size("elements", part.elements.size(), elements_of(mesh));
  require_node_values(part.load, part.held, displacement, own);
  for (std::size_t copy = 0; copy < part.owners.size(); ++copy) {
    const int owner = part.owners[copy];
    if (owner < 0 || owner >= ranks.size() || owner == ranks.rank()) {
      throw InvalidInput("owners[" + std::to_string(copy) + "] is " + std::to_string(owner) +
                         "; expected another rank of " + std::to_string(ranks.size()));
    }
  }
}

void require_used(const PartOfMesh& part, const Mesh& mesh, std::int64_t own) {
  std::vector<bool> used(part.numbers.size());
  for_elements(mesh, [&](std::int64_t, std::span<const std::int64_t> corners) {
    for (const std::int64_t node : corners) used[static_cast<std::size_t>(node)] = true;
  });
  for (std::size_t node = 0; node < static_cast<std::size_t>(own); ++node) {
    if (!used[node]) throw_for_unused(part.numbers[node]);
  }
}

/// Asks the owners of copies for them, by their numbers in the whole mesh.
std::vector<Neighbour> neighbours_of(const PartOfMesh& part, std::int64_t own, const Communicator& ranks) {
  std::vector<Numbers> wanted(static_cast<std::size_t>(ranks.size())), received(wanted.size());
  ranks.together([&] {
    for (std::size_t copy = 0; copy < part.owners.size(); ++copy) {
      const auto owner = static_cast<std::size_t>(part.owners[copy]);
      const auto node = static_cast<std::size_t>(own) + copy;
      wanted[owner].push_back(part.numbers[node]);
      received[owner].push_back(static_cast<std::int64_t>(node));
    }
  });
  const std::vector<Numbers> asked = ranks.exchange(wanted);
  std::vector<Neighbour> result;
  ranks.together([&] {
    std::vector<std::pair<std::int64_t, std::int64_t>> known;  // numbers of own nodes, and where they are
    for (std::int64_t node = 0; node < own; ++node)
      known.emplace_back(part.numbers[static_cast<std::size_t>(node)], node);
    std::ranges::sort(known);
    for (std::size_t rank = 0; rank < asked.size(); ++rank) {
      if (asked[rank].empty() && received[rank].empty()) continue;
      Numbers sent;
      for (const std::int64_t number : asked[rank]) {
        const auto found = std::ranges::lower_bound(known, std::pair{number, std::int64_t{0}});
        if (found == known.end() || found->first != number) {
          throw InvalidInput("rank " + std::to_string(rank) + " has a copy of node " + std::to_string(number) +
                             " of rank " + std::to_string(ranks.rank()) + ", which does not have it");
        }
        sent.push_back(found->second);
      }
      result.push_back({static_cast<int>(rank), runs_of(sent), runs_of(received[rank])});
    }
  });
  return result;
}

/// For each node, the least number in the whole mesh of the nodes that hang together with it. Elements that join nodes
/// of two ranks are known to both.
Numbers joined(const PartOfMesh& part, const Mesh& mesh, const std::vector<Neighbour>& neighbours,
               const Communicator& ranks) {
  Numbers least;
  std::optional<JoinedNodes> here;
  std::optional<NodeExchange> exchange;
  ranks.together([&] {
    least.assign(part.numbers.begin(), part.numbers.end());
    here.emplace(part.numbers.size());
    exchange.emplace(neighbours, sizeof(std::int64_t), ranks);
    for_elements(mesh, [&](std::int64_t, std::span<const std::int64_t> corners) {
      for (const std::int64_t node : corners) {
        here->join(static_cast<std::size_t>(corners[0]), static_cast<std::size_t>(node));
      }
    });
  });
  for (bool changed = true; changed;) {
    for (std::size_t node = 0; node < least.size(); ++node) {
      std::int64_t& of_part = least[here->of(node)];
      of_part = std::min(of_part, least[node]);
    }
    for (std::size_t node = 0; node < least.size(); ++node) least[node] = least[here->of(node)];
    exchange->fetch(least);
    changed = false;
    for (std::size_t node = 0; node < least.size(); ++node) changed = changed || least[node] != least[here->of(node)];
    changed = ranks.largest(changed ? 1 : 0) > 0;
  }
  return least;
}

RigidMotions::Point at(const PartOfMesh& part, std::size_t node) {
  return {part.coordinates[3 * node], part.coordinates[3 * node + 1], part.coordinates[3 * node + 2]};
}

/// Throws InvalidInput where the mesh, or a part of it that is not joined to the rest, is free to move. Returns the
/// motions of the whole.
RigidMotions require_held(const PartOfMesh& part, std::int64_t own, const Numbers& joined, const Communicator& ranks) {
  Numbers found;
  ranks.together([&] {
    found.assign(joined.begin(), joined.begin() + own);
    std::ranges::sort(found);
    found.erase(std::ranges::unique(found).begin(), found.end());
  });
  found = ranks.gather(std::span<const std::int64_t>(found));
  std::ranges::sort(found);
  found.erase(std::ranges::unique(found).begin(), found.end());
  const auto part_of = [&](std::size_t node) {
    return static_cast<std::size_t>(std::ranges::lower_bound(found, joined[node]) - found.begin());
  };
  // Of each part: the corners of the box around what is held of it.
  constexpr std::size_t sides = 2 * components;
  std::vector<double> most(sides * found.size(), -HUGE_VAL);
  std::array<double, sides> whole;
  whole.fill(-HUGE_VAL);
  const auto extend = [&](double* box, std::size_t node) {
    for (std::size_t c = 0; c < components; ++c) {
      box[c] = std::max(box[c], at(part, node)[c]);
      box[components + c] = std::max(box[components + c], -at(part, node)[c]);
    }
  };
  for (std::size_t node = 0; node < static_cast<std::size_t>(own); ++node) {
    extend(whole.data(), node);
    const auto* held = part.held.data() + components * node;
    if (held[0] != 0 || held[1] != 0 || held[2] != 0) extend(most.data() + sides * part_of(node), node);
  }
  ranks.largest(most);
  ranks.largest(whole);
  std::vector<RigidMotions> motions;
  for (std::size_t i = 0; i < found.size(); ++i) {
    double* of = most.data() + sides * i;
    if (of[0] < -of[components]) std::fill_n(of, sides, 0.0);  // nothing is held
    motions.push_back({{-of[3], -of[4], -of[5]}, {of[0], of[1], of[2]}});
  }
  for (std::size_t node = 0; node < static_cast<std::size_t>(own); ++node) {
    for (std::size_t c = 0; c < components; ++c) {
      if (part.held[components * node + c] != 0) motions[part_of(node)].hold(at(part, node), c);
    }
  }
  for (std::size_t i = 0; i < motions.size(); ++i) {
    ranks.sum(motions[i].sums());
    motions[i].require_held(motions.size() == 1 ? "the mesh"
                                                : "the part of the mesh with node " + std::to_string(found[i]));
  }
  return {{-whole[3], -whole[4], -whole[5]}, {whole[0], whole[1], whole[2]}};
}

}  // namespace

MeshPart checked_mesh_part(const PartOfMesh& part, const Options& options, std::span<const double> displacement,
                           const Communicator& ranks) {
  const Mesh mesh{part.coordinates, part.blocks, part.young, part.poisson, part.load, part.held};
  const auto own = static_cast<std::int64_t>(part.numbers.size()) - static_cast<std::int64_t>(part.owners.size());
  ranks.together([&] { require_options(options); });
  ranks.together([&] {
    try {
      require_part(part, mesh, own, displacement, ranks);
    } catch (const InvalidInput& error) {
      throw InvalidInput("rank " + std::to_string(ranks.rank()) + ": " + error.what());
    }
  });
  ranks.together([&] { require_used(part, mesh, own); });
  std::vector<Neighbour> neighbours = neighbours_of(part, own, ranks);
  const Numbers parts = joined(part, mesh, neighbours, ranks);
  const RigidMotions motions = require_held(part, own, parts, ranks);
  return {mesh, own, part.numbers, part.elements, std::move(neighbours), motions};
}

}  // namespace rooftop::elasticity
