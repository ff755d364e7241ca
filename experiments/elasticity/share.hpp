/// One rank's share of the mesh: a box of nodes, and copies of those around it, which other ranks have.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "assembly.hpp"

namespace elasticity {

using Three = std::array<Index, 3>;

/// Nodes from `begin` to before `end`.
struct Box {
  Three begin{}, end{};

  [[nodiscard]] Index nodes() const { return (end[0] - begin[0]) * (end[1] - begin[1]) * (end[2] - begin[2]); }
  [[nodiscard]] bool has(const Place& place) const {
    return place.i >= begin[0] && place.i < end[0] && place.j >= begin[1] && place.j < end[1] && place.k >= begin[2] &&
           place.k < end[2];
  }
};

/// Into how many boxes each direction is cut, so that the surfaces between them are smallest; nothing where there are
/// fewer nodes than boxes, whatever the cut.
inline std::optional<Three> cut(const Mesh& mesh, int ranks) {
  std::optional<Three> best;
  double smallest = 0;
  for (Index z = 1; z <= ranks; ++z) {
    for (Index y = 1; ranks % z == 0 && y <= ranks / z; ++y) {
      const Index x = ranks / z / y;
      if (x * y * z != ranks || x > mesh.nx || y > mesh.ny || z > mesh.nz) continue;
      const auto nx = static_cast<double>(mesh.nx), ny = static_cast<double>(mesh.ny),
                 nz = static_cast<double>(mesh.nz);
      const double surface = static_cast<double>(x - 1) * ny * nz + static_cast<double>(y - 1) * nx * nz +
                             static_cast<double>(z - 1) * nx * ny;
      // Of equal ones the last, which cuts z most: its surfaces are contiguous in memory.
      if (!best || surface <= smallest) best = Three{x, y, z}, smallest = surface;
    }
  }
  return best;
}

/// In which order a share's own nodes are numbered.
enum class Order {
  as_in_mesh,
  interior_first,  ///< nodes that need nothing from other ranks come first
};

class Share {
 public:
  /// What is exchanged with one other rank: own nodes that it needs, and where its nodes begin in our numbers.
  struct Neighbour {
    int rank;
    std::vector<std::int32_t> sent;
    Index first = 0, count = 0;
  };

  Share(const Mesh& mesh, const Three& boxes, int rank, Order order) : mesh_(mesh), boxes_(boxes) {
    const Three at = position(rank);
    box_ = box_at(at);
    number_own(order);
    Index next = box_.nodes();
    for (Index dz = -1; dz <= 1; ++dz) {
      for (Index dy = -1; dy <= 1; ++dy) {
        for (Index dx = -1; dx <= 1; ++dx) add_neighbour(at, {dx, dy, dz}, next);
      }
    }
    all_ = next;
  }

  [[nodiscard]] Index own() const { return box_.nodes(); }
  /// Own nodes and copies of others'.
  [[nodiscard]] Index all() const { return all_; }
  /// How many of the first own nodes need nothing from other ranks; all of them only with Order::interior_first.
  [[nodiscard]] Index interior() const { return interior_; }
  /// Where own nodes lie, in the order of their numbers.
  [[nodiscard]] const std::vector<Place>& places() const { return places_; }
  [[nodiscard]] const std::vector<Neighbour>& neighbours() const { return neighbours_; }
  /// The number here of an own node or of one next to it.
  [[nodiscard]] std::int32_t number(const Place& place) const { return numbers_[slot(place)]; }
  /// Whether a node has a neighbour that another rank has.
  [[nodiscard]] bool at_boundary(const Place& place) const {
    const auto inner = [](Index i, Index begin, Index end, Index n) {
      return (i > begin || begin == 0) && (i + 1 < end || end == n);
    };
    return !(inner(place.i, box_.begin[0], box_.end[0], mesh_.nx) &&
             inner(place.j, box_.begin[1], box_.end[1], mesh_.ny) &&
             inner(place.k, box_.begin[2], box_.end[2], mesh_.nz));
  }

 private:
  [[nodiscard]] Three position(int rank) const {
    return {rank % boxes_[0], rank / boxes_[0] % boxes_[1], rank / (boxes_[0] * boxes_[1])};
  }

  [[nodiscard]] Box box_at(const Three& at) const {
    Box box;
    const Three nodes{mesh_.nx, mesh_.ny, mesh_.nz};
    for (std::size_t d = 0; d < 3; ++d) {
      box.begin[d] = nodes[d] * at[d] / boxes_[d];
      box.end[d] = nodes[d] * (at[d] + 1) / boxes_[d];
    }
    return box;
  }

  template <class Visit>
  static void for_places(const Box& box, Visit visit) {
    for (Index k = box.begin[2]; k < box.end[2]; ++k) {
      for (Index j = box.begin[1]; j < box.end[1]; ++j) {
        for (Index i = box.begin[0]; i < box.end[0]; ++i) visit(Place{i, j, k});
      }
    }
  }

  /// In a box that is larger by a layer of nodes on every side.
  [[nodiscard]] std::size_t slot(const Place& place) const {
    const Index nx = box_.end[0] - box_.begin[0] + 2, ny = box_.end[1] - box_.begin[1] + 2;
    return static_cast<std::size_t>(((place.k - box_.begin[2] + 1) * ny + place.j - box_.begin[1] + 1) * nx + place.i -
                                    box_.begin[0] + 1);
  }

  void number_own(Order order) {
    numbers_.assign(slot({box_.end[0], box_.end[1], box_.end[2]}) + 1, -1);
    std::vector<Place> boundary;
    for_places(box_, [&](const Place& place) {
      const bool outside = at_boundary(place);
      interior_ += outside ? 0 : 1;
      (outside && order == Order::interior_first ? boundary : places_).push_back(place);
    });
    places_.insert(places_.end(), boundary.begin(), boundary.end());
    for (std::size_t n = 0; n < places_.size(); ++n) numbers_[slot(places_[n])] = static_cast<std::int32_t>(n);
  }

  /// The part of a box that lies next to the box which is `away` from it.
  static Box side(Box box, const Three& away) {
    for (std::size_t d = 0; d < 3; ++d) {
      if (away[d] > 0) box.begin[d] = box.end[d] - 1;
      if (away[d] < 0) box.end[d] = box.begin[d] + 1;
    }
    return box;
  }

  void add_neighbour(const Three& at, const Three& away, Index& next) {
    const Three there{at[0] + away[0], at[1] + away[1], at[2] + away[2]};
    for (std::size_t d = 0; d < 3; ++d) {
      if (there[d] < 0 || there[d] >= boxes_[d]) return;
    }
    if (away == Three{0, 0, 0}) return;
    Neighbour neighbour{static_cast<int>((there[2] * boxes_[1] + there[1]) * boxes_[0] + there[0]), {}, next, 0};
    for_places(side(box_, away), [&](const Place& place) { neighbour.sent.push_back(number(place)); });
    for_places(side(box_at(there), {-away[0], -away[1], -away[2]}), [&](const Place& place) {
      numbers_[slot(place)] = static_cast<std::int32_t>(next++);
      ++neighbour.count;
    });
    neighbours_.push_back(std::move(neighbour));
  }

  Mesh mesh_;
  Three boxes_;
  Box box_;
  std::vector<Place> places_;
  std::vector<std::int32_t> numbers_;
  std::vector<Neighbour> neighbours_;
  Index interior_ = 0, all_ = 0;
};

}  // namespace elasticity
