#include "body.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <rooftop/random.hpp>
#include <utility>
#include <vector>

namespace elasticity_solution {
namespace {

constexpr double growth = 10;       // of graded edges, from the first to the last
constexpr double moved = 0.2;       // edges that a distorted mesh's node is moved by at most
constexpr double stiffness = 1000;  // of the inclusion
constexpr double flatness = 4;      // of a plate's elements: edges along x and y, over those along z

/// Where n nodes lie along one direction; the mean edge is 1.
std::vector<double> positions(Index n, bool graded) {
  std::vector<double> at{0};
  const Index edges = n - 1;
  for (Index e = 0; e < edges; ++e) {
    const double along = edges > 1 ? static_cast<double>(e) / static_cast<double>(edges - 1) : 0;
    at.push_back(at.back() + (graded ? std::pow(growth, along) : 1));
  }
  const double scale = static_cast<double>(edges) / at.back();
  for (double& each : at) each *= scale;
  return at;
}

/// Moves a node by at most `moved` of an edge of 1, in any direction. Three edges that leave a corner then differ from
/// those of a cube by vectors of at most 0.4, a matrix whose norm is at most 0.4 sqrt(3) < 1: added to the identity it
/// is never singular, there and, since edges within are means of such, in the whole element. Nor is it for three edges
/// of a tetrahedron that follow each other.
void move(const rooftop::RandomStream& random, Index node, double* place) {
  std::array<double, components> by{};
  double squares = 0;
  for (std::size_t c = 0; c < components; ++c) {
    by[c] = random.uniform_double(static_cast<std::uint64_t>(components * node) + c);
    squares += by[c] * by[c];
  }
  const double scale = moved / std::max(1.0, std::sqrt(squares));
  for (std::size_t c = 0; c < components; ++c) place[c] += scale * by[c];
}

/// Whether an element is in the middle half of a direction that has so many.
bool in_the_middle(Index element, Index elements) { return element >= elements / 4 && element < elements * 3 / 4; }

template <class Visit>
void for_nodes(const Mesh& mesh, Visit visit) {
  Index node = 0;
  for (Index k = 0; k < mesh.nz; ++k) {
    for (Index j = 0; j < mesh.ny; ++j) {
      for (Index i = 0; i < mesh.nx; ++i) visit(node++, i, j, k);
    }
  }
}

}  // namespace

std::optional<Kind> kind_named(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, Kind>, 7> names{{{"uniform", Kind::uniform},
                                                                    {"graded", Kind::graded},
                                                                    {"distorted", Kind::distorted},
                                                                    {"jump", Kind::jump},
                                                                    {"plate", Kind::plate},
                                                                    {"tetrahedra", Kind::tetrahedra},
                                                                    {"listed", Kind::listed}}};
  const auto* const found = std::ranges::find(names, name, &std::pair<std::string_view, Kind>::first);
  if (found == names.end()) return std::nullopt;
  return found->second;
}

void place_nodes(const Mesh& mesh, Kind kind, std::uint64_t seed, double* coordinates) {
  const bool graded = kind == Kind::graded, moves = kind == Kind::distorted || kind == Kind::tetrahedra;
  const double wide = kind == Kind::plate ? flatness : 1;
  const auto x = positions(mesh.nx, graded), y = positions(mesh.ny, graded), z = positions(mesh.nz, graded);
  const rooftop::RandomStream random(seed);
  for_nodes(mesh, [&](Index node, Index i, Index j, Index k) {
    double* const place = coordinates + components * node;
    place[0] = wide * x[static_cast<std::size_t>(i)];
    place[1] = wide * y[static_cast<std::size_t>(j)];
    place[2] = z[static_cast<std::size_t>(k)];
    const bool inner = i > 0 && i + 1 < mesh.nx && j > 0 && j + 1 < mesh.ny && k > 0 && k + 1 < mesh.nz;
    if (moves && inner) move(random, node, place);
  });
}

void fill_young(const Mesh& mesh, Kind kind, double* young) {
  Index element = 0;
  for (Index k = 0; k + 1 < mesh.nz; ++k) {
    for (Index j = 0; j + 1 < mesh.ny; ++j) {
      for (Index i = 0; i + 1 < mesh.nx; ++i) {
        const bool inside =
            in_the_middle(i, mesh.nx - 1) && in_the_middle(j, mesh.ny - 1) && in_the_middle(k, mesh.nz - 1);
        young[element++] = kind == Kind::jump && inside ? stiffness : 1;
      }
    }
  }
}

void hold(const Mesh& mesh, Kind kind, std::uint8_t* held) {
  for_nodes(mesh, [&](Index node, Index i, Index j, Index k) {
    const std::array<Index, components> place{i, j, k};
    for (std::size_t c = 0; c < components; ++c)
      held[components * node + static_cast<Index>(c)] = holds(kind, place, c) ? 1 : 0;
  });
}

void pull(const Mesh& mesh, Kind kind, const double* coordinates, double* load) {
  std::fill_n(load, components * mesh.nodes(), 0.0);
  const Index top = mesh.nz - 1;
  for (Index j = 0; j + 1 < mesh.ny; ++j) {
    for (Index i = 0; i + 1 < mesh.nx; ++i) {
      const double* const near = coordinates + components * mesh.node(i, j, top);
      const double* const far = coordinates + components * mesh.node(i + 1, j + 1, top);
      const double area = (far[0] - near[0]) * (far[1] - near[1]);
      for (const Index dj : {0, 1}) {
        for (const Index di : {0, 1}) {
          if (holds(kind, std::array<Index, components>{i + di, j + dj, top}, 2)) continue;
          const double triangles = di == dj ? 1.0 / 3 : 1.0 / 6;  // corners of two and of one
          load[components * mesh.node(i + di, j + dj, top) + 2] += area * (kind == Kind::tetrahedra ? triangles : 0.25);
        }
      }
    }
  }
}

}  // namespace elasticity_solution
