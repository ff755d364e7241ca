#include "every_plan.hpp"

#include <algorithm>
#include <functional>
#include <random>
#include <stdexcept>

namespace network_test {

namespace network = rooftop::network;

namespace {

std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

std::vector<network::Path> paths_of(const network::Problem& problem, const network::Shipment& shipment) {
  std::vector<network::Path> all;
  network::Path path;
  std::vector<bool> seen(at(problem.nodes));
  const std::function<void(std::int32_t)> go = [&](std::int32_t node) {
    if (node == shipment.to) return all.push_back(path);
    seen[at(node)] = true;
    for (std::size_t arc = 0; arc < problem.head.size(); ++arc) {
      if (problem.tail[arc] != node || seen[at(problem.head[arc])]) continue;
      path.push_back(static_cast<std::int32_t>(arc));
      go(problem.head[arc]);
      path.pop_back();
    }
    seen[at(node)] = false;
  };
  go(shipment.from);
  return all;
}

}  // namespace

Bill bill(const network::Problem& problem, const std::vector<network::Path>& paths) {
  const std::size_t arcs = problem.head.size();
  std::vector<std::int64_t> load(arcs * at(problem.months));
  if (paths.size() != problem.shipments.size()) throw std::logic_error("not one path for each shipment");
  for (std::size_t i = 0; i < paths.size(); ++i) {
    std::int32_t node = problem.shipments[i].from;
    for (const std::int32_t arc : paths[i]) {
      if (problem.tail.at(at(arc)) != node) throw std::logic_error("a broken path");
      node = problem.head[at(arc)];
      load[at(problem.shipments[i].month) * arcs + at(arc)] += problem.shipments[i].kg;
    }
    if (node != problem.shipments[i].to) throw std::logic_error("a path that ends elsewhere");
  }
  Bill sum{Point(at(problem.objectives)), 0};
  for (std::size_t i = 0; i < load.size(); ++i) {
    const std::size_t arc = i % arcs;
    sum.overload_kg += std::max<std::int64_t>(0, load[i] - problem.capacity_kg[arc]);
    const auto vehicles = static_cast<double>((load[i] + problem.payload_kg - 1) / problem.payload_kg);
    for (std::size_t o = 0; o < sum.values.size(); ++o) {
      sum.values[o] += problem.per_vehicle[o * arcs + arc] * vehicles;
      sum.values[o] += problem.per_kg[o * arcs + arc] * static_cast<double>(load[i]);
    }
  }
  return sum;
}

bool dominates(const Point& a, const Point& b) {
  bool better = false;
  for (std::size_t o = 0; o < a.size(); ++o) {
    if (a[o] > b[o] + 1e-9) return false;
    better = better || a[o] < b[o] - 1e-9;
  }
  return better;
}

std::vector<Point> whole_front(const network::Problem& problem) {
  std::vector<std::vector<network::Path>> choices;
  for (const network::Shipment& shipment : problem.shipments) choices.push_back(paths_of(problem, shipment));
  std::set<Point> points;
  std::vector<network::Path> plan(choices.size());
  const std::function<void(std::size_t)> choose = [&](std::size_t i) {
    if (i == choices.size()) {
      const Bill sum = bill(problem, plan);
      if (sum.overload_kg == 0) points.insert(sum.values);
      return;
    }
    for (const network::Path& path : choices[i]) {
      plan[i] = path;
      choose(i + 1);
    }
  };
  choose(0);
  std::vector<Point> front;
  for (const Point& point : points) {
    if (std::none_of(points.begin(), points.end(), [&](const Point& other) { return dominates(other, point); })) {
      front.push_back(point);
    }
  }
  return front;
}

std::vector<Point> values_of(const network::Solution& found) {
  std::vector<Point> all;
  for (const network::PlanOfPaths& plan : found.front) all.push_back(plan.values);
  return all;
}

network::Problem random_problem(std::uint64_t seed, std::int32_t nodes, std::int32_t chords, std::int32_t shipments,
                                std::int32_t months) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::int32_t end) {
    return static_cast<std::int32_t>(random() % static_cast<std::uint64_t>(end));
  };
  network::Problem problem;
  problem.nodes = nodes;
  problem.months = months;
  problem.objectives = 3;
  problem.payload_kg = 10;
  for (std::int32_t i = 0; i < nodes + chords; ++i) {
    const std::int32_t tail = i < nodes ? i : below(nodes);
    problem.tail.push_back(tail);
    problem.head.push_back(i < nodes ? (i + 1) % nodes : (tail + 1 + below(nodes - 1)) % nodes);
    problem.capacity_kg.push_back(i < nodes ? network::unlimited : 10 + below(40));
  }
  for (std::size_t i = 0; i < 3 * problem.head.size(); ++i) {
    problem.per_vehicle.push_back(below(20));
    problem.per_kg.push_back(below(4));
  }
  for (std::int32_t i = 0; i < shipments; ++i) {
    const std::int32_t from = below(nodes);
    problem.shipments.push_back({below(months), from, (from + 1 + below(nodes - 1)) % nodes, 1 + below(15)});
  }
  return problem;
}

}  // namespace network_test
