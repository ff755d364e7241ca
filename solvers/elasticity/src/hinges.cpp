#include "hinges.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "checked_mesh.hpp"
#include "joined_nodes.hpp"
#include "rigid_motions.hpp"

namespace rooftop::elasticity {
namespace {

using Vector = std::array<double, components>;
constexpr std::size_t most_bodies = 100, most_moving = 1000;

/// The elements of each node.
struct ElementsOfNodes {
  std::vector<std::int64_t> start;
  std::vector<std::int32_t> element;
};
ElementsOfNodes elements_of_nodes(const Mesh& mesh, std::size_t nodes) {
  ElementsOfNodes result{std::vector<std::int64_t>(nodes + 1), {}};
  for_elements(mesh, [&](std::int64_t, std::span<const std::int64_t> of) {
    for (const std::int64_t node : of) ++result.start[static_cast<std::size_t>(node) + 1];
  });
  for (std::size_t node = 0; node < nodes; ++node) result.start[node + 1] += result.start[node];
  result.element.resize(static_cast<std::size_t>(result.start.back()));
  std::vector<std::int64_t> next(result.start.begin(), result.start.end() - 1);
  for_elements(mesh, [&](std::int64_t element, std::span<const std::int64_t> of) {
    for (const std::int64_t node : of) {
      result.element[static_cast<std::size_t>(next[static_cast<std::size_t>(node)]++)] =
          static_cast<std::int32_t>(element);
    }
  });
  return result;
}

Vector at(const Mesh& mesh, std::int64_t node) {
  const double* x = mesh.coordinates.data() + components * node;
  return {x[0], x[1], x[2]};
}

/// Whether nodes do not all lie on one line.
bool span_a_plane(const Mesh& mesh, const std::vector<std::int64_t>& nodes) {
  if (nodes.size() < 3) return false;
  const Vector origin = at(mesh, nodes[0]);
  const auto away = [&](std::int64_t node) {
    const Vector x = at(mesh, node);
    return Vector{x[0] - origin[0], x[1] - origin[1], x[2] - origin[2]};
  };
  const auto length = [](const Vector& v) { return std::hypot(v[0], v[1], v[2]); };
  Vector far{};
  for (const std::int64_t node : nodes) {
    if (length(away(node)) > length(far)) far = away(node);
  }
  return std::ranges::any_of(nodes, [&](std::int64_t node) {
    const Vector v = away(node);
    const Vector across{far[1] * v[2] - far[2] * v[1], far[2] * v[0] - far[0] * v[2], far[0] * v[1] - far[1] * v[0]};
    return length(across) > 1e-9 * length(far) * length(v);
  });
}

/// Elements that have a face in common are one body.
JoinedNodes joined_by_faces(const Mesh& mesh, const ElementsOfNodes& around) {
  JoinedNodes bodies(static_cast<std::size_t>(elements_of(mesh)));
  std::vector<std::int32_t> others;
  std::vector<std::int64_t> shared;
  std::vector<std::span<const std::int64_t>> nodes_of_element;
  for_elements(mesh, [&](std::int64_t, std::span<const std::int64_t> of) { nodes_of_element.push_back(of); });
  for (std::size_t element = 0; element < nodes_of_element.size(); ++element) {
    others.clear();
    const std::size_t body = bodies.of(element);
    for (const std::int64_t node : nodes_of_element[element]) {
      for (std::int64_t e = around.start.data()[node]; e < around.start.data()[node + 1]; ++e) {
        const std::int32_t other = around.element.data()[e];
        const auto number = static_cast<std::size_t>(other);
        if (number > element && bodies.of(number) != body) others.push_back(other);
      }
    }
    std::ranges::sort(others);
    for (std::size_t i = 0; i + 2 < others.size(); ++i) {
      if (others[i] != others[i + 2] || (i > 0 && others[i - 1] == others[i])) continue;
      const auto other = static_cast<std::size_t>(others[i]);
      if (bodies.of(element) == bodies.of(other)) continue;
      shared.clear();
      for (const std::int64_t node : nodes_of_element[element]) {
        if (std::ranges::find(nodes_of_element[other], node) != nodes_of_element[other].end()) shared.push_back(node);
      }
      if (span_a_plane(mesh, shared)) bodies.join(element, other);
    }
  }
  return bodies;
}

/// What moves: bodies, each of which has six motions, and displacements of nodes that no element has.
struct Moving {
  std::vector<std::int64_t> first;                  ///< node of each body
  std::vector<RigidMotions> motions;                ///< of each body
  std::vector<std::vector<std::size_t>> bodies_of;  ///< a node
  std::vector<std::int64_t> others;                 ///< displacements, by their numbers

  [[nodiscard]] std::size_t count() const { return RigidMotions::count * motions.size() + others.size(); }
};

/// Unless there are fewer bodies than asked for, or more than can be looked at.
std::optional<Moving> moving_of(const Mesh& mesh, std::size_t fewest) {
  const std::size_t nodes = mesh.coordinates.size() / components;
  const ElementsOfNodes around = elements_of_nodes(mesh, nodes);
  JoinedNodes joined = joined_by_faces(mesh, around);
  std::map<std::size_t, std::size_t> numbers;
  for (std::size_t element = 0; element < static_cast<std::size_t>(elements_of(mesh)); ++element) {
    numbers.try_emplace(joined.of(element), numbers.size());
    if (numbers.size() > most_bodies) return {};
  }
  if (numbers.size() < fewest) return {};
  // Each body's first node and the one farthest from it along the axes.
  Moving result;
  result.bodies_of.resize(nodes);
  std::vector<std::pair<std::int64_t, std::int64_t>> ends(numbers.size(), {-1, -1});
  for (std::size_t node = 0; node < nodes; ++node) {
    std::set<std::size_t> found;
    for (std::int64_t e = around.start[node]; e < around.start[node + 1]; ++e) {
      found.insert(numbers.at(joined.of(static_cast<std::size_t>(around.element.data()[e]))));
    }
    result.bodies_of[node].assign(found.begin(), found.end());
    for (std::size_t c = 0; found.empty() && c < components; ++c) {
      result.others.push_back(static_cast<std::int64_t>(components * node + c));
    }
    for (const std::size_t body : found) {
      auto& between = ends[body];
      const auto here = static_cast<std::int64_t>(node);
      if (between.first < 0) between = {here, here};
      const auto distance = [&](std::int64_t other) {
        const Vector one = at(mesh, between.first), two = at(mesh, other);
        return std::hypot(two[0] - one[0], two[1] - one[1], two[2] - one[2]);
      };
      if (distance(here) > distance(between.second)) between.second = here;
    }
  }
  for (const auto& [first, far] : ends) {
    result.first.push_back(first);
    result.motions.emplace_back(at(mesh, first), at(mesh, far));
  }
  return result;
}

/// What holds them: sums of squares.
class Holds {
 public:
  using Row = std::vector<std::pair<std::size_t, double>>;

  Holds(const Mesh& mesh, const Moving& moving) : mesh_(mesh), moving_(moving), count_(moving.count()) {
    sums_.resize(count_ * count_);
  }

  /// Adds to a row what moves a displacement, by one of the bodies that its node is in.
  void add(Row& row, std::int64_t number, double factor, std::size_t which = 0) const {
    const std::int64_t node = number / components;
    const auto c = static_cast<std::size_t>(number % components);
    const auto& bodies = moving_.bodies_of[static_cast<std::size_t>(node)];
    if (bodies.empty()) {
      const auto other = std::ranges::lower_bound(moving_.others, number) - moving_.others.begin();
      row.emplace_back(RigidMotions::count * moving_.motions.size() + static_cast<std::size_t>(other), factor);
      return;
    }
    const auto all = moving_.motions[bodies[which]].at(at(mesh_, node));
    for (std::size_t m = 0; m < RigidMotions::count; ++m) {
      row.emplace_back(RigidMotions::count * bodies[which] + m, factor * all[c][m]);
    }
  }
  /// What a row says is zero.
  void hold(const Row& row) {
    std::map<std::size_t, double> once;
    for (const auto& [i, a] : row) once[i] += a;
    for (const auto& [i, a] : once) {
      for (const auto& [j, b] : once) sums_[i * count_ + j] += a * b;
    }
  }
  /// Nodes that several bodies have, and what is held.
  void hold_all() {
    for (std::size_t node = 0; node < moving_.bodies_of.size(); ++node) {
      for (std::size_t c = 0; c < components; ++c) {
        const auto number = static_cast<std::int64_t>(components * node + c);
        for (std::size_t i = 1; i < moving_.bodies_of[node].size(); ++i) {
          Row row;
          add(row, number, 1);
          add(row, number, -1, i);
          hold(row);
        }
        if (mesh_.held[components * node + c] == 0) continue;
        Row row;
        add(row, number, 1);
        hold(row);
      }
    }
  }
  /// What depends on others.
  void hold_dependent() {
    const Dependences& of = mesh_.dependences;
    for (std::size_t i = 0; i < of.dependent.size(); ++i) {
      Row row;
      add(row, of.dependent[i], 1);
      for (std::int64_t k = of.start[i]; k < of.start[i + 1]; ++k) {
        const auto at = static_cast<std::size_t>(k);
        add(row, of.independent[at], -of.factor[at]);
      }
      hold(row);
    }
  }
  /// The motions that are left by elimination, by their numbers: none where all is held.
  [[nodiscard]] std::vector<std::size_t> left() && {
    std::vector<double> before(count_);
    std::vector<std::size_t> open(count_);
    for (std::size_t i = 0; i < count_; ++i) before[i] = sums_[i * count_ + i], open[i] = i;
    const auto share = [&](std::size_t i) { return before[i] > 0 ? sums_[i * count_ + i] / before[i] : 0; };
    while (!open.empty()) {
      const auto pivot = std::ranges::max_element(open, {}, share);
      const std::size_t p = *pivot;
      if (!(share(p) > 1e-10)) break;
      open.erase(pivot);
      for (const std::size_t r : open) {
        const double factor = sums_[r * count_ + p] / sums_[p * count_ + p];
        for (const std::size_t c : open) sums_[r * count_ + c] -= factor * sums_[p * count_ + c];
      }
    }
    return open;
  }

 private:
  const Mesh& mesh_;
  const Moving& moving_;
  std::size_t count_;
  std::vector<double> sums_;
};

std::string ways(std::size_t count) { return std::to_string(count) + (count == 1 ? " way" : " ways"); }

}  // namespace

void require_no_hinge(const Mesh& mesh) {
  const std::optional<Moving> moving = moving_of(mesh, 2);
  if (!moving) return;
  Holds holds(mesh, *moving);
  holds.hold_all();
  const std::vector<std::size_t> left = std::move(holds).left();
  if (left.empty()) return;
  throw InvalidInput("the part of the mesh with node " +
                     std::to_string(moving->first[left.front() / RigidMotions::count]) +
                     " touches the rest in an edge or a node only, and is free to move in " + ways(left.size()) +
                     "; expected bodies that have faces in common, or displacements held against all rigid motions");
}

void require_no_motion_left(const Mesh& mesh) {
  const std::optional<Moving> moving = moving_of(mesh, 0);
  if (!moving || moving->count() > most_moving) return;
  Holds holds(mesh, *moving);
  holds.hold_all();
  holds.hold_dependent();
  const std::vector<std::size_t> left = std::move(holds).left();
  if (left.empty()) return;
  const std::size_t body = left.front() / RigidMotions::count;
  std::string what = "the mesh";
  if (body >= moving->motions.size()) {
    const std::int64_t number = moving->others[left.front() - RigidMotions::count * moving->motions.size()];
    what = "node " + std::to_string(number / components) + ", which is in no element,";
  } else if (moving->motions.size() > 1) {
    what = "the part of the mesh with node " + std::to_string(moving->first[body]);
  }
  throw InvalidInput(what + " is free to move in " + ways(left.size()) +
                     ", with what depends on it; expected displacements held against all rigid motions, or that "
                     "depend on what is");
}

}  // namespace rooftop::elasticity
