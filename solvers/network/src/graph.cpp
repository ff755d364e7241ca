#include "graph.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <string>
#include <utility>

namespace rooftop::network {
namespace {

constexpr unsigned looked_every = 4096;  ///< nodes: within a millisecond

/// Arcs sorted by one of their ends, those of an end in the order given.
void sort_arcs(std::int32_t nodes, const std::vector<std::int32_t>& end, std::vector<std::size_t>& first,
               std::vector<std::int32_t>& order) {
  first.assign(index(nodes) + 1, 0);
  for (const std::int32_t node : end) ++first[index(node) + 1];
  for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
  std::vector<std::size_t> next(first.begin(), first.end() - 1);
  order.resize(end.size());
  for (std::size_t arc = 0; arc < end.size(); ++arc) order[next[index(end[arc])]++] = static_cast<std::int32_t>(arc);
}

}  // namespace

Graph::Graph(const Problem& problem, int threads, const std::function<bool()>& left)
    : problem_(&problem), target_of_(index(problem.nodes)) {
  std::vector<std::size_t> first_back;
  std::vector<std::int32_t> back, destinations;
  sort_arcs(problem.nodes, problem.tail, first_, order_);
  place_.resize(order_.size());
  for (std::size_t i = 0; i < order_.size(); ++i) place_[index(order_[i])] = static_cast<std::int32_t>(i);
  sort_arcs(problem.nodes, problem.head, first_back, back);
  std::vector<bool> seen(index(problem.nodes));
  for (const Shipment& shipment : problem.shipments) {
    if (seen[index(shipment.to)]) continue;
    seen[index(shipment.to)] = true;
    target_of_[index(shipment.to)] = destinations.size();
    destinations.push_back(shipment.to);
  }
  targets_ = destinations.size();
  distance_ = std::make_unique_for_overwrite<double[]>(objectives() * targets_ * index(problem.nodes));
  const auto searches = static_cast<std::int64_t>(objectives() * targets_);
  std::vector<char> ended(static_cast<std::size_t>(searches), 0);
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
  for (std::int64_t i = 0; i < searches; ++i) {
    const std::size_t search = static_cast<std::size_t>(i), target = search % targets_;
    if (measure(search / targets_, target, destinations[target], first_back, back, left)) ended[search] = 1;
  }
  const auto open = std::find(ended.begin(), ended.end(), 0) - ended.begin();
  measured_ = targets_ == 0 ? objectives() : static_cast<std::size_t>(open) / targets_;
  if (measured_ > 0) return;
  throw Stopped("there was no time for a plan: ways to " + std::to_string(targets_) + " destinations among " +
                std::to_string(problem.nodes) + " nodes take longer; expected more seconds");
}

bool Graph::measure(std::size_t objective, std::size_t target, std::int32_t node,
                    std::span<const std::size_t> first_back, std::span<const std::int32_t> back,
                    const std::function<bool()>& left) {
  using Reached = std::pair<double, std::int32_t>;
  if (!left()) return false;
  double* far = distance_.get() + (objective * targets_ + target) * index(problem_->nodes);
  std::fill_n(far, index(problem_->nodes), infinite);
  std::priority_queue<Reached, std::vector<Reached>, std::greater<>> queue;
  far[node] = 0;
  queue.emplace(0, node);
  for (unsigned steps = 1; !queue.empty(); ++steps) {
    if (steps % looked_every == 0 && !left()) return false;
    const auto [here, at] = queue.top();
    queue.pop();
    if (here > far[at]) continue;
    for (std::size_t i = first_back[index(at)]; i < first_back[index(at) + 1]; ++i) {
      const double there = here + step(objective, back[i]);
      const std::int32_t from = problem_->tail[index(back[i])];
      if (!(there < far[from])) continue;
      far[from] = there;
      queue.emplace(there, from);
    }
  }
  return true;
}

}  // namespace rooftop::network
