/// A plan under change: every shipment's path, the load of every arc in every month, and what it comes to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "graph.hpp"

namespace rooftop::network {

/// How an ant adds objectives up: weights that sum to 1, and the same divided by each objective's range.
struct Aim {
  std::vector<double> weights, scaled;
  std::vector<double> per_vehicle, per_kg;  ///< [arcs] of the scaled sum
  double per_overload_kg;                   ///< more than a kilogram's way around would cost

  [[nodiscard]] double sum(const std::vector<double>& values) const;
};

/// Weights are divided by ranges; both are [objectives].
Aim make_aim(const Graph& graph, const std::vector<double>& weights, const std::vector<double>& ranges);

class Plan {
 public:
  explicit Plan(const Graph& graph);

  [[nodiscard]] const Path& path(std::size_t shipment) const { return paths_[shipment]; }
  [[nodiscard]] const std::vector<Path>& paths() const { return paths_; }
  [[nodiscard]] std::int64_t load(std::int32_t month, std::int32_t arc) const { return load_[cell(month, arc)]; }
  [[nodiscard]] std::int64_t overload_kg() const { return overload_; }
  /// Beyond the capacity of an arc in a month.
  [[nodiscard]] std::int64_t overload_kg(std::int32_t month, std::int32_t arc) const {
    return over(load(month, arc), index(arc));
  }

  void place(std::size_t shipment, Path path) { paths_[shipment] = std::move(path), change(shipment, 1); }
  Path lift(std::size_t shipment);

  /// What it would add to an aim's sum to send a shipment over an arc as well.
  [[nodiscard]] double added(std::size_t shipment, std::int32_t arc, const Aim& aim) const;
  /// An aim's sum, without overload.
  [[nodiscard]] double sum(const Aim& aim) const { return aim.sum(values_); }
  /// All objectives, computed anew from the loads: equal loads give equal figures.
  [[nodiscard]] std::vector<double> values() const;

 private:
  [[nodiscard]] std::size_t cell(std::int32_t month, std::int32_t arc) const {
    return index(month) * graph_->arcs() + index(arc);
  }
  [[nodiscard]] std::int64_t over(std::int64_t load, std::size_t arc) const {
    const std::int64_t most = graph_->problem().capacity_kg[arc];
    return load > most ? load - most : 0;
  }
  [[nodiscard]] std::int64_t vehicles(std::int64_t load) const {
    const std::int64_t payload = graph_->problem().payload_kg;
    return load / payload + (load % payload != 0 ? 1 : 0);
  }
  void change(std::size_t shipment, std::int64_t sign);

  const Graph* graph_;
  std::vector<Path> paths_;
  std::vector<std::int64_t> load_;  ///< [months][arcs]
  std::int64_t overload_ = 0;
  std::vector<double> values_;  ///< followed from change to change, for comparing neighbours
};

}  // namespace rooftop::network
