// A rank's part of a mesh that is known as a whole.
#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <utility>

#include "checked_mesh.hpp"
#include "checked_values.hpp"
#include "grid.hpp"
#include "rooftop/elasticity_mpi.hpp"

namespace rooftop::elasticity {
namespace {

/// What a node is to a rank.
enum class Kind : std::uint8_t { elsewhere, inner, border, copy };

/// Own nodes, and the others of elements that have one.
std::vector<Kind> kinds_of(const Mesh& whole, std::span<const std::int32_t> ranks, int rank) {
  std::vector<Kind> result(ranks.size(), Kind::elsewhere);
  for (std::size_t node = 0; node < ranks.size(); ++node) {
    if (ranks[node] == rank) result[node] = Kind::inner;
  }
  for_elements(whole, [&](std::int64_t, std::span<const std::int64_t> corners) {
    const auto is_own = [&](std::int64_t node) { return ranks[static_cast<std::size_t>(node)] == rank; };
    if (std::ranges::none_of(corners, is_own) || std::ranges::all_of(corners, is_own)) return;
    for (const std::int64_t node : corners) {
      result[static_cast<std::size_t>(node)] = is_own(node) ? Kind::border : Kind::copy;
    }
  });
  return result;
}

/// Inner nodes, those at the border, and copies of one rank after the other; each in the order of the whole mesh.
void number_nodes(const std::vector<Kind>& kinds, std::span<const std::int32_t> ranks, CutMesh& part) {
  for (const Kind kind : {Kind::inner, Kind::border, Kind::copy}) {
    for (std::size_t node = 0; node < kinds.size(); ++node) {
      if (kinds[node] == kind) part.numbers.push_back(static_cast<std::int64_t>(node));
    }
    if (kind == Kind::border) part.own = static_cast<std::int64_t>(part.numbers.size());
  }
  const auto rank_of = [&](std::int64_t node) { return ranks[static_cast<std::size_t>(node)]; };
  std::ranges::stable_sort(part.numbers.begin() + part.own, part.numbers.end(), {}, rank_of);
  std::transform(part.numbers.begin() + part.own, part.numbers.end(), std::back_inserter(part.owners), rank_of);
}

}  // namespace

CutMesh cut(const Mesh& whole, std::span<const std::int32_t> ranks, int rank) {
  require_mesh(whole);
  if (!whole.stiffness.empty()) throw InvalidInput("stiffness is given; expected young and poisson in bodies of ranks");
  const auto nodes = static_cast<std::int64_t>(whole.coordinates.size()) / components;
  require_size("load", whole.load.size(), components * nodes);
  require_size("held", whole.held.size(), components * nodes);
  require_size("ranks", ranks.size(), nodes);
  CutMesh part;
  number_nodes(kinds_of(whole, ranks, rank), ranks, part);
  std::vector<std::int64_t> here(ranks.size(), -1);
  for (std::size_t n = 0; n < part.numbers.size(); ++n) {
    const auto node = static_cast<std::size_t>(part.numbers[n]);
    here[node] = static_cast<std::int64_t>(n);
    for (std::size_t v = components * node; v < components * (node + 1); ++v) {
      part.coordinates.push_back(whole.coordinates[v]);
      if (ranks[node] != rank) continue;
      part.load.push_back(whole.load[v]);
      part.held.push_back(whole.held[v]);
    }
  }
  std::size_t at = 0;
  for (const ElementBlock& block : whole.blocks) {
    std::vector<std::int64_t>& to = part.blocks.emplace_back(CutMesh::Elements{block.kind, {}}).nodes;
    const std::size_t each = nodes_of(block.kind);
    for (std::size_t first = 0; first < block.nodes.size(); first += each, ++at) {
      const auto corners = block.nodes.subspan(first, each);
      const auto is_own = [&](std::int64_t node) { return ranks[static_cast<std::size_t>(node)] == rank; };
      if (std::ranges::none_of(corners, is_own)) continue;
      part.elements.push_back(static_cast<std::int64_t>(at));
      for (const std::int64_t node : corners) to.push_back(here[static_cast<std::size_t>(node)]);
      if (whole.young.size() > 1) part.young.push_back(whole.young[at]);
      if (whole.poisson.size() > 1) part.poisson.push_back(whole.poisson[at]);
    }
  }
  if (whole.young.size() == 1) part.young = {whole.young[0]};
  if (whole.poisson.size() == 1) part.poisson = {whole.poisson[0]};
  return part;
}

}  // namespace rooftop::elasticity
