#include "ant.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace rooftop::network {
namespace {

constexpr int steps = 30;  ///< of an ant
constexpr std::size_t most_lifted = 6;
constexpr double lifted_anywhere = 0.3;  ///< share of steps
constexpr std::size_t most_found = 8;    ///< plans that one ant brings
constexpr double greed = 6;              ///< power of how near a way comes to the cheapest
constexpr double unmarked = 0.02;        ///< strength of an arc that no trail recommends

}  // namespace

Ant::Ant(const Graph& graph, const TrailMap& trails, const Archive& archive)
    : graph_(&graph),
      trails_(&trails),
      archive_(&archive),
      router_(graph),
      of_month_(index(graph.problem().months)),
      visited_(index(graph.problem().nodes)) {
  const std::vector<Shipment>& shipments = graph.problem().shipments;
  for (std::size_t i = 0; i < shipments.size(); ++i) of_month_[index(shipments[i].month)].push_back(i);
}

std::vector<Member> Ant::walk(const Errand& errand, Random& random, const std::function<bool()>& left) {
  std::vector<Member> found;
  Plan plan = archive_->members()[errand.start].plan;
  const Aim& aim = errand.aim;
  for (int step = 0; step < steps && left(); ++step) {
    const double sum = plan.sum(aim);
    const std::int64_t overload = plan.overload_kg();
    choose(plan, random);
    before_.clear();
    for (const std::size_t shipment : lifted_) before_.push_back(plan.lift(shipment));
    if (lay(plan, aim, random, left)) {
      offer(plan, found);
      const double worse = plan.sum(aim) - sum;
      const bool kept = plan.overload_kg() != overload
                            ? plan.overload_kg() < overload
                            : worse <= 0 || random.share() < std::exp(-worse / errand.temperature);
      if (kept) continue;
    }
    for (const std::size_t shipment : lifted_) (void)plan.lift(shipment);
    for (std::size_t i = 0; i < lifted_.size(); ++i) plan.place(lifted_[i], std::move(before_[i]));
  }
  offer(plan, found);
  return found;
}

bool Ant::lay(Plan& plan, const Aim& aim, Random& random, const std::function<bool()>& left) {
  for (const std::size_t shipment : lifted_) {
    if (!left()) return false;
    plan.place(shipment, wander(plan, shipment, aim, random));
  }
  if (random.bits() & 1) {
    for (const std::size_t shipment : lifted_) {
      if (!left()) return false;
      (void)plan.lift(shipment);
      plan.place(shipment, router_.route(plan, shipment, aim));
    }
  }
  return true;
}

void Ant::choose(const Plan& plan, Random& random) {
  const std::vector<Shipment>& shipments = graph_->problem().shipments;
  std::size_t first = random.below(shipments.size());
  const Path* path = &plan.path(first);
  std::int32_t arc = (*path)[random.below(path->size())];
  if (plan.overload_kg() > 0) {
    // Where too much is sent is where to look.
    for (std::size_t tried = 0; tried < shipments.size(); ++tried) {
      const std::size_t one = (first + tried) % shipments.size();
      const Path& over = plan.path(one);
      const auto at = std::find_if(over.begin(), over.end(),
                                   [&](std::int32_t a) { return plan.overload_kg(shipments[one].month, a) > 0; });
      if (at == over.end()) continue;
      first = one, arc = *at;
      break;
    }
  }
  lifted_.assign(1, first);
  const std::size_t wanted = 1 + random.below(most_lifted);
  const std::vector<std::size_t>& near = of_month_[index(shipments[first].month)];
  const std::size_t from = random.below(near.size());
  // Shipments that could share an arc, and those that could change places, are on none together yet.
  const bool anywhere = random.share() < lifted_anywhere;
  for (std::size_t i = 0; i < near.size() && lifted_.size() < wanted; ++i) {
    const std::size_t one = near[(from + i) % near.size()];
    if (one == first) continue;
    const Path& other = plan.path(one);
    if (anywhere || std::find(other.begin(), other.end(), arc) != other.end()) lifted_.push_back(one);
  }
  for (std::size_t i = lifted_.size(); i > 1; --i) std::swap(lifted_[i - 1], lifted_[random.below(i)]);
}

Path Ant::wander(const Plan& plan, std::size_t shipment, const Aim& aim, Random& random) {
  const Shipment& sent = graph_->problem().shipments[shipment];
  const std::size_t target = graph_->target(shipment);
  Path path;
  visited_[index(sent.from)] = true;
  std::int32_t at = sent.from;
  while (at != sent.to) {
    const auto leaving = graph_->leaving(at);
    chances_.assign(leaving.size(), infinite);
    double least = infinite;
    for (std::size_t i = 0; i < leaving.size(); ++i) {
      const std::int32_t node = graph_->problem().head[index(leaving[i])];
      if (visited_[index(node)] || graph_->distance(0, target, node) == infinite) continue;
      double ahead = 0;
      for (std::size_t o = 0; o < aim.scaled.size(); ++o) ahead += aim.scaled[o] * graph_->distance(o, target, node);
      chances_[i] = plan.added(shipment, leaving[i], aim) + ahead * static_cast<double>(sent.kg);
      least = std::min(least, chances_[i]);
    }
    trails_->read(target, at, aim.weights, strengths_);
    double total = 0;
    for (std::size_t i = 0; i < leaving.size(); ++i) {
      if (chances_[i] == infinite) {
        chances_[i] = 0;
        continue;
      }
      const double nearness = chances_[i] > 0 ? least / chances_[i] : 1;
      chances_[i] = (unmarked + strengths_[i]) * std::max(1e-12, std::pow(nearness, greed));
      total += chances_[i];
    }
    if (total == 0) break;
    double drawn = random.share() * total;
    std::size_t chosen = leaving.size();
    for (std::size_t i = 0; i < leaving.size(); ++i) {
      if (chances_[i] == 0) continue;
      chosen = i;
      if ((drawn -= chances_[i]) < 0) break;
    }
    path.push_back(leaving[chosen]);
    at = graph_->problem().head[index(leaving[chosen])];
    visited_[index(at)] = true;
  }
  visited_[index(sent.from)] = false;
  for (const std::int32_t arc : path) visited_[index(graph_->problem().head[index(arc)])] = false;
  return at == sent.to ? path : router_.route(plan, shipment, aim);
}

void Ant::offer(const Plan& plan, std::vector<Member>& found) const {
  std::vector<double> values = plan.values();
  if (!archive_->wants(values, plan.overload_kg())) return;
  for (const Member& one : found) {
    if (one.plan.overload_kg() <= plan.overload_kg() && covers(one.values, values)) return;
  }
  if (found.size() == most_found) found.erase(found.begin());
  found.push_back({std::move(values), plan});
}

}  // namespace rooftop::network
