#include "colony.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace rooftop::network {
namespace {

constexpr std::size_t ants_in_round = 16;    ///< whatever the number of threads
constexpr double cold = 1e-9, warm = 0.003;  ///< temperatures, of the sum that an ant begins with
constexpr double tie = 0.01;                 ///< weight of the other objectives for an ant that looks at one of them

std::vector<double> normalised(std::vector<double> weights) {
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& weight : weights) weight /= sum;
  return weights;
}

}  // namespace

Colony::Colony(const Graph& graph, const Options& options, int threads)
    : graph_(&graph),
      options_(&options),
      archive_(static_cast<std::size_t>(options.plans)),
      trails_(graph, options.trails == Trails::superposed ? graph.objectives() : 1) {
  for (int i = 0; i < threads; ++i) ants_.emplace_back(graph, trails_, archive_);
}

std::vector<double> Colony::weights(std::size_t ant, Random& random) const {
  std::vector<double> drawn(graph_->objectives(), tie);
  if (ant < drawn.size()) {
    drawn[ant] = 1;
  } else if (ant % 4 == 3 && !options_->weights.empty()) {
    // Given weights of 0 are ties to be broken too.
    drawn = normalised(options_->weights);
    for (double& weight : drawn) weight += tie / 10;
  } else {
    // Exponential, then normalised: even over the simplex.
    for (double& weight : drawn) weight = tie - std::log1p(-random.share());
  }
  return normalised(drawn);
}

void Colony::begin(const std::function<bool()>& left) {
  std::vector<double> ranges(graph_->objectives(), 0.0);
  const std::vector<Shipment>& shipments = graph_->problem().shipments;
  for (std::size_t o = 0; o < ranges.size(); ++o) {
    for (std::size_t i = 0; i < shipments.size(); ++i) {
      ranges[o] += graph_->distance(o, graph_->target(i), shipments[i].from) * static_cast<double>(shipments[i].kg);
    }
    if (!(ranges[o] > 0)) ranges[o] = 1;
  }
  const std::size_t objectives = ranges.size();
  for (std::size_t i = 0; i <= objectives && (archive_.empty() || left()); ++i) {
    std::vector<double> some(objectives, i == 0 ? 1 : tie);
    if (i == 0 && !options_->weights.empty()) some = options_->weights;
    if (i > 0) some[i - 1] = 1;
    settle(make_aim(*graph_, normalised(some), ranges), left);
  }
}

void Colony::settle(const Aim& aim, const std::function<bool()>& left) {
  const std::vector<Shipment>& shipments = graph_->problem().shipments;
  std::vector<std::size_t> order(shipments.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return shipments[a].kg > shipments[b].kg; });
  Plan plan(*graph_);
  Router router(*graph_);
  for (const std::size_t shipment : order) {
    const bool time = left();
    if (!time && !archive_.empty()) return;
    plan.place(shipment, time ? router.route(plan, shipment, aim) : router.straight(shipment));
  }
  std::vector<double> values = plan.values();
  if (archive_.wants(values, plan.overload_kg())) archive_.take({std::move(values), std::move(plan)});
}

std::int64_t Colony::round(std::int64_t ants, const std::function<bool()>& left) {
  const auto count = static_cast<std::size_t>(std::min<std::int64_t>(ants, ants_in_round));
  const std::vector<double> ranges = archive_.ranges();
  std::vector<Errand> errands;
  std::vector<Random> randoms;
  for (std::size_t i = 0; i < count; ++i) {
    Random& random = randoms.emplace_back(options_->seed, rounds_, i);
    Aim aim = make_aim(*graph_, weights(i, random), ranges);
    const std::size_t best = archive_.best(aim), other = random.below(archive_.members().size());
    const std::size_t start = random.share() < 0.5 ? best : other;
    const double heat = i % 2 == 0 ? cold : warm * random.share() + cold;
    const double temperature = std::max(1e-300, heat * aim.sum(archive_.members()[start].values));
    errands.push_back({std::move(aim), start, temperature});
  }
  std::vector<std::vector<Member>> found(count);
#pragma omp parallel for schedule(dynamic, 1) num_threads(static_cast<int>(ants_.size()))
  for (std::size_t i = 0; i < count; ++i) {
    found[i] = ants_[static_cast<std::size_t>(omp_get_thread_num())].walk(errands[i], randoms[i], left);
  }
  for (std::vector<Member>& some : found) {
    for (Member& one : some) {
      if (archive_.wants(one.values, one.plan.overload_kg())) archive_.take(std::move(one));
    }
  }
  leave_trails(left);
  ++rounds_;
  return static_cast<std::int64_t>(count);
}

void Colony::leave_trails(const std::function<bool()>& left) {
  const std::vector<double> ranges = archive_.ranges();
  for (std::size_t trail = 0; trail < trails_.trails(); ++trail) {
    std::vector<double> goal(graph_->objectives(), trails_.trails() == 1 ? 1.0 : tie);
    if (trails_.trails() > 1) goal[trail] = 1;
    Aim aim{goal, normalised(goal), {}, {}, 0};
    for (std::size_t o = 0; o < goal.size(); ++o) aim.scaled[o] /= ranges[o];
    trails_.follow(trail, archive_.members()[archive_.best(aim)].plan.paths(), left);
  }
}

}  // namespace rooftop::network
