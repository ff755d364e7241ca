#include "check.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

#include "checked_values.hpp"
#include "rigid_motions.hpp"

namespace rooftop::elasticity {
namespace {

/// The lines of each direction, if nodes lie on lines that are parallel to the axes; whether the box is one.
std::optional<std::array<std::vector<double>, 3>> lines(const Body& body, const Grid& grid) {
  std::array<std::vector<double>, 3> at;
  const std::array<std::int64_t, 3> counts{grid.nx, grid.ny, grid.nz}, steps{1, grid.nx, grid.plane()};
  for (std::size_t d = 0; d < 3; ++d) {
    for (std::int64_t i = 0; i < counts[d]; ++i) {
      at[d].push_back(body.coordinates.empty()
                          ? static_cast<double>(i)
                          : body.coordinates[static_cast<std::size_t>(components * i * steps[d]) + d]);
      if (i > 0 && !(at[d][static_cast<std::size_t>(i)] > at[d][static_cast<std::size_t>(i - 1)])) return {};
    }
  }
  if (body.coordinates.empty()) return at;
  const double* x = body.coordinates.data();
  for (std::int64_t k = 0; k < grid.nz; ++k) {
    for (std::int64_t j = 0; j < grid.ny; ++j) {
      for (std::int64_t i = 0; i < grid.nx; ++i, x += components) {
        if (x[0] != at[0].data()[i] || x[1] != at[1].data()[j] || x[2] != at[2].data()[k]) return {};
      }
    }
  }
  return at;
}

void require_held(const Body& body, const Grid& grid) {
  const auto at = [&](std::int64_t node) -> std::array<double, components> {
    const auto first = static_cast<std::size_t>(components * node);
    if (!body.coordinates.empty()) {
      return {body.coordinates[first], body.coordinates[first + 1], body.coordinates[first + 2]};
    }
    return {static_cast<double>(node % grid.nx), static_cast<double>(node / grid.nx % grid.ny),
            static_cast<double>(node / grid.plane())};
  };
  std::int64_t first = -1, far = 0;
  const auto distance = [&](std::int64_t node) {
    const auto one = at(node), other = at(first);
    return std::abs(one[0] - other[0]) + std::abs(one[1] - other[1]) + std::abs(one[2] - other[2]);
  };
  for (std::int64_t node = 0; node < grid.nodes(); ++node) {
    const auto* held = body.held.data() + components * node;
    if (held[0] == 0 && held[1] == 0 && held[2] == 0) continue;
    if (first < 0) first = far = node;
    if (distance(node) > distance(far)) far = node;
  }
  RigidMotions motions(at(std::max<std::int64_t>(first, 0)), at(far));
  for (std::int64_t node = 0; node < grid.nodes(); ++node) {
    for (std::size_t c = 0; c < components; ++c) {
      if (body.held[static_cast<std::size_t>(components * node) + c] != 0) motions.hold(at(node), c);
    }
  }
  motions.require_held("the body");
}

}  // namespace

Grid checked_grid(const std::array<std::int64_t, 3>& nodes) {
  constexpr std::int64_t most = std::int64_t{1} << 33;  // more than any machine has memory for
  std::int64_t count = 1;
  for (const std::int64_t along : nodes) {
    if (along < 2) throw InvalidInput("nodes has " + std::to_string(along) + "; expected 2 or more in each direction");
    if (along > most / count) throw InvalidInput("nodes asks for more than 2^33 nodes; expected fewer");
    count *= along;
  }
  return {nodes[0], nodes[1], nodes[2]};
}

Boxes check(const Body& body, const Options& options, std::span<const double> displacement, int threads) {
  require_options(options);
  const Grid grid = checked_grid(body.nodes);
  if (!body.coordinates.empty()) require_size("coordinates", body.coordinates.size(), components * grid.nodes());
  require_size("load", body.load.size(), components * grid.nodes());
  require_size("held", body.held.size(), components * grid.nodes());
  require_size("displacement", displacement.size(), components * grid.nodes());
  require_finite("coordinates", body.coordinates);
  require_finite("load", body.load);
  require_finite("displacement", displacement);
  require_material("young", body.young, grid.elements(), 0, HUGE_VAL);
  require_material("poisson", body.poisson, grid.elements(), -1, 0.5);
  require_held(body, grid);
  Boxes boxes;
  if (body.young.size() == 1 && body.poisson.size() == 1) {
    if (auto at = lines(body, grid)) {
      boxes.aligned = AlignedBox{grid, std::move(*at), material(body.young[0], body.poisson[0])};
      return boxes;
    }
  }
  FreeBox box{grid, {body.coordinates.begin(), body.coordinates.end()}, {}, {}};
  if (body.coordinates.empty()) {
    box.coordinates.resize(static_cast<std::size_t>(components * grid.nodes()));
#pragma omp parallel for num_threads(threads) schedule(static)
    for (std::int64_t node = 0; node < grid.nodes(); ++node) {
      double* x = box.coordinates.data() + components * node;
      x[0] = static_cast<double>(node % grid.nx);
      x[1] = static_cast<double>(node / grid.nx % grid.ny);
      x[2] = static_cast<double>(node / grid.plane());
    }
  }
  box.lame.resize(static_cast<std::size_t>(grid.elements()));
  box.shear.resize(box.lame.size());
  for (std::size_t e = 0; e < box.lame.size(); ++e) {
    const Material one =
        material(body.young[body.young.size() == 1 ? 0 : e], body.poisson[body.poisson.size() == 1 ? 0 : e]);
    box.lame[e] = one.lame;
    box.shear[e] = one.shear;
  }
  boxes.free = std::move(box);
  return boxes;
}

}  // namespace rooftop::elasticity
