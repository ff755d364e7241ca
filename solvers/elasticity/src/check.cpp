#include "check.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <string>

namespace rooftop::elasticity {
namespace {

std::string text(double value) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.17g", value);
  return digits;
}

Grid checked_grid(const Body& body) {
  constexpr std::int64_t most = std::int64_t{1} << 33;  // nodes: more than any machine has memory for
  std::int64_t nodes = 1;
  for (const std::int64_t count : body.nodes) {
    if (count < 2) throw InvalidInput("nodes has " + std::to_string(count) + "; expected 2 or more in each direction");
    if (count > most / nodes) throw InvalidInput("nodes asks for more than 2^33 nodes; expected fewer");
    nodes *= count;
  }
  return {body.nodes[0], body.nodes[1], body.nodes[2]};
}

void require_size(const char* name, std::size_t size, std::int64_t expected) {
  if (size != static_cast<std::size_t>(expected)) {
    throw InvalidInput(std::string(name) + " has " + std::to_string(size) + " values; expected " +
                       std::to_string(expected));
  }
}

void require_finite(const char* name, std::span<const double> values) {
  const auto bad = std::ranges::find_if(values, [](double value) { return !std::isfinite(value); });
  if (bad != values.end()) {
    throw InvalidInput(std::string(name) + "[" + std::to_string(bad - values.begin()) + "] is " + text(*bad) +
                       "; expected a finite number");
  }
}

/// One value, or one for each element, above `least` and below `most`.
void require_material(const char* name, std::span<const double> values, const Grid& grid, double least, double most) {
  if (values.size() != 1) require_size(name, values.size(), grid.elements());
  const auto bad = std::ranges::find_if(values, [&](double value) { return !(value > least && value < most); });
  if (bad != values.end()) {
    throw InvalidInput(std::string(name) + "[" + std::to_string(bad - values.begin()) + "] is " + text(*bad) +
                       "; expected a number above " + text(least) + " and below " + text(most));
  }
}

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

/// Six rigid motions, as rows of three components at a point: they must not be free. The point counts from the body's
/// middle in units of its size, so that all have one scale.
using Modes = std::array<std::array<double, components>, 6>;
Modes modes(const std::array<double, 3>& x) {
  return {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, -x[2], x[1]}, {x[2], 0, -x[0]}, {-x[1], x[0], 0}}};
}

void require_held(const Body& body, const Grid& grid) {
  const auto at = [&](std::int64_t node, std::size_t d) {
    if (!body.coordinates.empty()) return body.coordinates[static_cast<std::size_t>(components * node) + d];
    return static_cast<double>(d == 0 ? node % grid.nx : d == 1 ? node / grid.nx % grid.ny : node / grid.plane());
  };
  std::array<double, 3> middle{};
  double size = 0;
  for (std::size_t d = 0; d < 3; ++d) {
    const double first = at(0, d), last = at(grid.nodes() - 1, d);
    middle[d] = (first + last) / 2;
    size = std::max(size, std::abs(last - first));
  }
  if (!(size > 0)) throw InvalidInput("the first and the last node lie in one place; expected a box");
  std::array<std::array<double, 6>, 6> sums{};
  for (std::int64_t node = 0; node < grid.nodes(); ++node) {
    for (std::size_t c = 0; c < components; ++c) {
      if (body.held[static_cast<std::size_t>(components * node) + c] == 0) continue;
      const Modes all =
          modes({(at(node, 0) - middle[0]) / size, (at(node, 1) - middle[1]) / size, (at(node, 2) - middle[2]) / size});
      for (std::size_t a = 0; a < 6; ++a) {
        for (std::size_t b = 0; b < 6; ++b) sums[a][b] += all[a][c] * all[b][c];
      }
    }
  }
  // Elimination with the largest pivot each time; what is left at zero is a motion that nothing holds.
  double largest = 0;
  for (std::size_t step = 0; step < 6; ++step) {
    std::size_t pivot = step;
    for (std::size_t a = step; a < 6; ++a) {
      if (sums[a][a] > sums[pivot][pivot]) pivot = a;
    }
    std::swap(sums[step], sums[pivot]);
    for (auto& row : sums) std::swap(row[step], row[pivot]);
    largest = std::max(largest, sums[step][step]);
    if (!(sums[step][step] > 1e-12 * largest)) {
      throw InvalidInput("the body is free to move in " + std::to_string(6 - step) + (step == 5 ? " way" : " ways") +
                         "; expected displacements held against all six rigid motions");
    }
    for (std::size_t a = step + 1; a < 6; ++a) {
      const double factor = sums[a][step] / sums[step][step];
      for (std::size_t b = step; b < 6; ++b) sums[a][b] -= factor * sums[step][b];
    }
  }
}

void require_options(const Options& options) {
  if (!(options.tolerance > 0)) {
    throw InvalidInput("tolerance is " + text(options.tolerance) + "; expected a number above 0");
  }
  if (options.iterations < 0) {
    throw InvalidInput("iterations is " + std::to_string(options.iterations) + "; expected 0 or more");
  }
  if (!(options.seconds > 0)) throw InvalidInput("seconds is " + text(options.seconds) + "; expected a number above 0");
  if (options.threads < 0) {
    throw InvalidInput("threads is " + std::to_string(options.threads) + "; expected 0 or more");
  }
}

}  // namespace

Boxes check(const Body& body, const Options& options, std::span<const double> displacement, int threads) {
  require_options(options);
  const Grid grid = checked_grid(body);
  if (!body.coordinates.empty()) require_size("coordinates", body.coordinates.size(), components * grid.nodes());
  require_size("load", body.load.size(), components * grid.nodes());
  require_size("held", body.held.size(), components * grid.nodes());
  require_size("displacement", displacement.size(), components * grid.nodes());
  require_finite("coordinates", body.coordinates);
  require_finite("load", body.load);
  require_finite("displacement", displacement);
  require_material("young", body.young, grid, 0, HUGE_VAL);
  require_material("poisson", body.poisson, grid, -1, 0.5);
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
