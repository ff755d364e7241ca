#include "checked_part.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "checked_values.hpp"
#include "rigid_motions.hpp"

namespace rooftop::elasticity {
namespace {

using Where = std::array<std::int64_t, 3>;

Piece checked_division(const PartOfBody& body, const Communicator& ranks) {
  const Grid whole = checked_grid(body.nodes);
  std::int64_t product = 1;
  for (std::size_t d = 0; d < 3; ++d) {
    const int parts = body.parts[d];
    if (parts < 1 || parts > body.nodes[d]) {
      throw InvalidInput(std::to_string(parts) + " parts along " + "xyz"[d] + " cannot share " +
                         std::to_string(body.nodes[d]) + " nodes; expected 1 to " + std::to_string(body.nodes[d]));
    }
    product = std::min<std::int64_t>(product * parts, std::numeric_limits<int>::max());
  }
  if (product != ranks.size()) {
    throw InvalidInput("parts has " + std::to_string(body.parts[0]) + " x " + std::to_string(body.parts[1]) + " x " +
                       std::to_string(body.parts[2]) + " for " + std::to_string(ranks.size()) +
                       " ranks; expected one part for each rank");
  }
  return {whole, body.parts, ranks.rank()};
}

void require_values(const PartOfBody& body, std::span<const double> displacement, int rank) {
  const PartOfBox part = part_of(body.nodes, body.parts, rank);
  const std::int64_t values = components * part.nodes[0] * part.nodes[1] * part.nodes[2];
  const std::int64_t elements = part.elements[0] * part.elements[1] * part.elements[2];
  if (!body.coordinates.empty()) require_size("coordinates", body.coordinates.size(), values);
  require_size("load", body.load.size(), values);
  require_size("held", body.held.size(), values);
  require_size("displacement", displacement.size(), values);
  require_finite("coordinates", body.coordinates);
  require_finite("load", body.load);
  require_finite("displacement", displacement);
  require_material("young", body.young, elements, 0, HUGE_VAL);
  require_material("poisson", body.poisson, elements, -1, 0.5);
}

/// each(number among this rank's nodes, where that lies in the whole box)
template <class Each>
void for_nodes(const Piece& piece, Each each) {
  std::int64_t number = 0;
  for_own(piece, [&](std::int64_t, const Where& where) { each(number++, where); });
}

std::array<double, components> place_of(const PartOfBody& body, std::int64_t number, const Where& where) {
  if (body.coordinates.empty()) {
    return {static_cast<double>(where[0]), static_cast<double>(where[1]), static_cast<double>(where[2])};
  }
  const double* at = body.coordinates.data() + components * number;
  return {at[0], at[1], at[2]};
}

void require_held(const PartOfBody& body, const Piece& piece, const Communicator& ranks) {
  // The corners of the box around what is held.
  std::array<double, 2 * components> most;
  most.fill(-HUGE_VAL);
  for_nodes(piece, [&](std::int64_t number, const Where& where) {
    const auto* held = body.held.data() + components * number;
    if (held[0] == 0 && held[1] == 0 && held[2] == 0) return;
    const auto at = place_of(body, number, where);
    for (std::size_t c = 0; c < components; ++c) {
      most[c] = std::max(most[c], at[c]);
      most[components + c] = std::max(most[components + c], -at[c]);
    }
  });
  ranks.largest(most);
  if (most[0] < -most[components]) most.fill(0);  // nothing is
  RigidMotions motions({-most[3], -most[4], -most[5]}, {most[0], most[1], most[2]});
  for_nodes(piece, [&](std::int64_t number, const Where& where) {
    for (std::size_t c = 0; c < components; ++c) {
      if (body.held[static_cast<std::size_t>(components * number) + c] != 0) {
        motions.hold(place_of(body, number, where), c);
      }
    }
  });
  ranks.sum(motions.sums());
  motions.require_held("the body");
}

/// Whether all ranks have the same single value.
bool is_one(std::span<const double> values, const Communicator& ranks) {
  const double value = values.empty() ? 0 : values[0];
  std::array<double, 3> most{value, -value, values.size() == 1 ? 0.0 : 1.0};
  ranks.largest(most);
  return most[0] == -most[1] && most[2] == 0;
}

/// The lines of each direction, if all nodes lie on lines that are parallel to the axes.
std::optional<std::array<std::vector<double>, 3>> lines(const PartOfBody& body, const Piece& piece,
                                                        const Communicator& ranks) {
  std::array<std::vector<double>, 3> most, less;  // the largest, and the least with the other sign
  for (std::size_t d = 0; d < 3; ++d) {
    most[d].assign(static_cast<std::size_t>(body.nodes[d]), -HUGE_VAL);
    less[d] = most[d];
  }
  for_nodes(piece, [&](std::int64_t number, const Where& where) {
    const auto at = place_of(body, number, where);
    for (std::size_t d = 0; d < 3; ++d) {
      const auto line = static_cast<std::size_t>(where[d]);
      most[d][line] = std::max(most[d][line], at[d]);
      less[d][line] = std::max(less[d][line], -at[d]);
    }
  });
  for (std::size_t d = 0; d < 3; ++d) {
    ranks.largest(most[d]);
    ranks.largest(less[d]);
    for (std::size_t i = 0; i < most[d].size(); ++i) {
      if (most[d][i] != -less[d][i] || (i > 0 && !(most[d][i] > most[d][i - 1]))) return {};
    }
  }
  return most;
}

}  // namespace

Piece checked_piece(const PartOfBody& body, const Options& options, std::span<const double> displacement,
                    const Communicator& ranks) {
  std::optional<Piece> piece;
  ranks.together([&] {
    require_options(options);
    piece = checked_division(body, ranks);
  });
  ranks.together([&] {
    try {
      require_values(body, displacement, ranks.rank());
    } catch (const InvalidInput& error) {
      throw InvalidInput("rank " + std::to_string(ranks.rank()) + ": " + error.what());
    }
  });
  const auto given = ranks.largest(body.coordinates.empty() ? 0 : 1);
  ranks.together([&] {
    if (given > 0 && body.coordinates.empty()) {
      throw InvalidInput("rank " + std::to_string(ranks.rank()) +
                         ": coordinates is empty, and not on all ranks; expected it on all or none");
    }
  });
  require_held(body, *piece, ranks);
  return std::move(*piece);
}

SharedBox shared_box(const PartOfBody& body, const Piece& piece, int threads, const Communicator& ranks) {
  if (is_one(body.young, ranks) && is_one(body.poisson, ranks)) {
    if (auto at = lines(body, piece, ranks)) {
      return {piece, AlignedBox{piece.whole(), std::move(*at), material(body.young[0], body.poisson[0])}};
    }
  }
  std::optional<FreePart> part;
  std::optional<Halo<double>> halo;
  ranks.together([&] {
    part.emplace(Field<double>(piece.grid(), threads), Field<double>(piece.grid(), threads));
    halo.emplace(neighbours_of(piece), ranks);
  });
  const std::array<std::int64_t, 3> nodes = body.nodes;
  std::int64_t number = 0;
  std::size_t element = 0;
  for_own(piece, [&](std::int64_t node, const Where& where) {
    const auto at = place_of(body, number++, where);
    for (int c = 0; c < components; ++c) part->at[c][node] = at[static_cast<std::size_t>(c)];
    if (where[0] + 1 == nodes[0] || where[1] + 1 == nodes[1] || where[2] + 1 == nodes[2]) return;
    const Material one = material(body.young[body.young.size() == 1 ? 0 : element],
                                  body.poisson[body.poisson.size() == 1 ? 0 : element]);
    part->material[0][node] = one.lame;
    part->material[1][node] = one.shear;
    ++element;
  });
  halo->exchange(part->at);
  halo->exchange(part->material);
  return {piece, std::move(*part)};
}

}  // namespace rooftop::elasticity
