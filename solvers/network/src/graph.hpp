/// The network as ants walk it: arcs by their tails, and how far each node is from every destination.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "rooftop/network.hpp"

namespace rooftop::network {

inline constexpr double infinite = std::numeric_limits<double>::infinity();

inline std::size_t index(std::int32_t number) { return static_cast<std::size_t>(number); }

class Graph {
 public:
  /// Where `left` says that there is no time, distances of the last objectives are left out; throws Stopped where that
  /// leaves none.
  Graph(const Problem& problem, int threads, const std::function<bool()>& left);

  [[nodiscard]] const Problem& problem() const { return *problem_; }
  [[nodiscard]] std::size_t arcs() const { return problem_->head.size(); }
  [[nodiscard]] std::size_t objectives() const { return index(problem_->objectives); }
  [[nodiscard]] std::size_t targets() const { return targets_; }
  /// The number of a shipment's destination among all destinations.
  [[nodiscard]] std::size_t target(std::size_t shipment) const {
    return target_of_[index(problem_->shipments[shipment].to)];
  }
  [[nodiscard]] std::span<const std::int32_t> leaving(std::int32_t node) const {
    return {order_.data() + first_[index(node)], order_.data() + first_[index(node) + 1]};
  }
  /// Where an arc stands among all arcs, ordered by their tails: those that leave a node stand from `first_place` on.
  [[nodiscard]] std::int32_t place(std::int32_t arc) const { return place_[index(arc)]; }
  [[nodiscard]] std::int32_t first_place(std::int32_t node) const {
    return static_cast<std::int32_t>(first_[index(node)]);
  }
  /// The least that a kilogram adds to an objective on its way to a destination in vehicles that are full.
  [[nodiscard]] double distance(std::size_t objective, std::size_t target, std::int32_t node) const {
    return distance_[(objective * targets_ + target) * index(problem_->nodes) + index(node)];
  }
  /// How many of the objectives have all their distances.
  [[nodiscard]] std::size_t measured() const { return measured_; }
  /// What a kilogram adds to an objective on an arc, in vehicles that are full.
  [[nodiscard]] double step(std::size_t objective, std::int32_t arc) const {
    const std::size_t cell = objective * arcs() + index(arc);
    return problem_->per_vehicle[cell] / static_cast<double>(problem_->payload_kg) + problem_->per_kg[cell];
  }

 private:
  /// False where there was no time for it.
  bool measure(std::size_t objective, std::size_t target, std::int32_t node, std::span<const std::size_t> first_back,
               std::span<const std::int32_t> back, const std::function<bool()>& left);

  const Problem* problem_;
  std::vector<std::size_t> first_;
  std::vector<std::int32_t> order_, place_;
  std::size_t targets_ = 0, measured_ = 0;
  std::vector<std::size_t> target_of_;
  /// [objectives][targets][nodes]: each search fills its part, and what no search was begun for is not touched.
  std::unique_ptr<double[]> distance_;
};

}  // namespace rooftop::network
