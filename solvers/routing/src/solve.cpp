#include <omp.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "candidates.hpp"
#include "costs.hpp"
#include "distance.hpp"
#include "exhaustive.hpp"
#include "greedy.hpp"
#include "initial_tour.hpp"
#include "limit.hpp"
#include "meeting.hpp"
#include "neighbours.hpp"
#include "nodes.hpp"
#include "race.hpp"
#include "rooftop/routing.hpp"
#include "shared_places.hpp"
#include "sites.hpp"
#include "tolls.hpp"

namespace rooftop::routing {
namespace {

constexpr City few = 8;          ///< nodes, mates counted once, whose tours are all tried
constexpr City near_width = 12;  ///< of the graph in which candidates are looked for
constexpr City candidate_width = 6;
static_assert(candidate_width <= most_candidates);
constexpr double first_temperature = 0.3;  ///< of the tour's mean edge
constexpr std::size_t most_history = 500;
constexpr double watched_every = 0.1;  ///< seconds
constexpr int most_threads = 4096;
/// What a first tour may still take when the time is over: a tour that is worth having is worth waiting for.
constexpr double late_s = 0.2;
/// When searches meet, as parts of the search: once each has given up all its colonies but those that go on to the end.
constexpr std::array meetings{0.5, 0.625, 0.75, 0.875};

/// Time and ants that are left, and who is told of the best tour.
class Search final : public Patience {
 public:
  explicit Search(const Options& options)
      : options_(options),
        limit_(options.iterations > 0 ? running::Limit::no_limit : options.seconds, options.stop),
        preparing_(limit_) {}

  [[nodiscard]] double seconds() const { return limit_.seconds(); }
  [[nodiscard]] bool left() override { return limit_.left(); }
  /// Of all that comes before the first tour.
  [[nodiscard]] Patience& preparing() { return preparing_; }
  [[nodiscard]] std::int64_t walks_left() const {
    return options_.iterations > 0 ? options_.iterations - walks_ : std::numeric_limits<std::int64_t>::max();
  }
  [[nodiscard]] std::int64_t walks() const { return walks_; }
  /// From 0 at the first call to 1 at the end.
  [[nodiscard]] double done() {
    if (options_.iterations > 0) return static_cast<double>(walks_) / static_cast<double>(options_.iterations);
    const double now = seconds();
    if (walking_since_ < 0) walking_since_ = now;
    return std::min(1.0, (now - walking_since_) / std::max(1e-9, options_.seconds - walking_since_));
  }
  void walked(std::int64_t walks) { walks_ += walks; }

  /// `cities` gives the best tour.
  template <typename Cities>
  void tell(Length best, const Cities& cities) {
    // An initial tour may be shorter than what the search has.
    const Progress now{seconds(), walks_, history_.empty() ? best : std::min(best, history_.back().length)};
    const bool shorter = history_.empty() || best < history_.back().length;
    if (shorter) {
      if (history_.size() == most_history) thin();
      history_.push_back(now);
    }
    if (options_.watch && !limit_.stopped() && (now.seconds >= told_ + watched_every || walks_ == 0)) {
      told_ = now.seconds;
      if (!options_.watch(now)) limit_.stop();
    }
    if (options_.show && best < shown_length_ && now.seconds >= shown_ + options_.show_every) {
      shown_ = now.seconds;
      shown_length_ = best;
      options_.show(now, cities());
    }
  }
  [[nodiscard]] std::vector<Progress> take_history() { return std::move(history_); }

 private:
  /// Leaves out every second entry but the last ones.
  void thin() {
    std::vector<Progress> kept;
    for (std::size_t i = 0; i < history_.size(); ++i) {
      if (i % 2 == 0 || i + 1 == history_.size()) kept.push_back(history_[i]);
    }
    history_ = std::move(kept);
  }

  class Preparing final : public Patience {
   public:
    explicit Preparing(running::Limit& limit) : limit_(&limit) {}
    [[nodiscard]] bool left() override { return limit_->left(late_s); }

   private:
    running::Limit* limit_;
  };

  const Options& options_;
  running::Limit limit_;
  Preparing preparing_;
  double walking_since_ = -1, told_ = -1, shown_ = -std::numeric_limits<double>::infinity();
  Length shown_length_ = std::numeric_limits<Length>::max();
  std::int64_t walks_ = 0;
  std::vector<Progress> history_;
};

void check(const Instance& instance, const Options& options) {
  if (instance.cities < 3) {
    throw InvalidInput("a problem of " + std::to_string(instance.cities) + " cities; expected 3 or more");
  }
  require_distances(instance);
  if (options.iterations < 0) {
    throw InvalidInput("iterations is " + std::to_string(options.iterations) + "; expected 0 or more");
  }
  if (options.iterations == 0 && !(options.seconds > 0 && std::isfinite(options.seconds))) {
    throw InvalidInput("seconds is " + std::to_string(options.seconds) + "; expected more than 0");
  }
  if (!(options.show_every >= 0)) {
    throw InvalidInput("show_every is " + std::to_string(options.show_every) + "; expected seconds from 0 on");
  }
  if (!options.initial.empty()) require_initial_tour(instance, options.initial);
  if (options.threads < 0 || options.threads > most_threads) {
    throw InvalidInput("threads is " + std::to_string(options.threads) + "; expected 0 (all) to " +
                       std::to_string(most_threads));
  }
}

void meet(Meeting& meeting, Race& race) {
  std::vector<City> order = race.best();
  if (meeting.meet(race.best_length(), order)) race.take_over(std::move(order));
}

/// What a race needs to know of the nodes.
struct Surroundings {
  Neighbours near;
  std::vector<double> tolls;
  Candidates candidates;
};

/// None where patience ran out.
std::optional<Surroundings> look_around(const Costs& costs, const std::vector<Site>& there, int threads,
                                        Patience& patience) {
  Neighbours near = near_neighbours(costs, there, near_width, threads, patience);
  if (!patience.left()) return {};
  const Graph graph = symmetric(costs, near);
  std::vector<double> tolls = find_tolls(graph, patience);
  if (!patience.left()) return {};
  Candidates candidates = alpha_candidates(costs, graph, tolls, candidate_width, threads, patience);
  if (!patience.left()) return {};
  return Surroundings{std::move(near), std::move(tolls), std::move(candidates)};
}

/// Where there was no time for more than a tour as nodes come; other searches may have a shorter one.
std::vector<City> without_search(const Costs& costs, Meeting* meeting) {
  std::vector<City> order = tour_in_order(costs);
  for (std::size_t met = 0; meeting != nullptr && met < meetings.size(); ++met) {
    Length length = 0;
    for (std::size_t i = 0; i < order.size(); ++i) length += costs(order[i], order[i + 1 == order.size() ? 0 : i + 1]);
    static_cast<void>(meeting->meet(length, order));
  }
  return order;
}

/// A short tour of nodes, which are more than few. `initial` may be empty, `meeting` null.
std::vector<City> walk(const Instance& instance, const Nodes& nodes, const Costs& costs, const std::vector<Site>& there,
                       const std::vector<City>& initial, int threads, std::uint64_t seed, Search& search,
                       Meeting* meeting) {
  const std::optional<Surroundings> around = look_around(costs, there, threads, search.preparing());
  if (!around) return without_search(costs, meeting);
  Race race({costs, around->near, around->tolls, there}, around->candidates, seed, threads,
            meeting == nullptr ? 0 : meeting->number());
  race.set_out(search.preparing(), initial);
  // What lies between mates is the same in every tour.
  const Length inside = length(instance, nodes.cities(race.best())) - race.best_length();
  const auto tell = [&] { search.tell(race.best_length() + inside, [&] { return nodes.cities(race.best()); }); };
  tell();
  race.improve(search);
  tell();
  const double mean = static_cast<double>(race.best_length() + inside) / instance.cities;
  std::size_t met = meeting == nullptr ? meetings.size() : 0;
  while (search.left() && search.walks_left() > 0) {
    const double done = search.done(), temperature = first_temperature * std::max(0.0, mean) * (1 - done);
    for (; met < meetings.size() && done >= meetings[met]; ++met) meet(*meeting, race);
    search.walked(race.rounds(search.walks_left(), temperature, done, search));
    tell();
  }
  for (; met < meetings.size(); ++met) meet(*meeting, race);  // the others wait for it
  return race.best();
}

Solution search_for(const Instance& given, const Options& options, Meeting* meeting) {
  check(given, options);
  Search search(options);
  if (!options.initial.empty()) search.tell(length(given, options.initial), [&] { return options.initial; });
  const int threads = options.threads == 0 ? omp_get_max_threads() : options.threads;
  const std::vector<Site> all = sites(given);
  const std::optional<Instance> joined = with_shared_places_joined(given, all);
  const Instance& instance = joined ? *joined : given;
  const Nodes nodes(instance, along_curve(all, instance.cities));
  const Costs costs(instance, nodes, search.preparing());
  std::vector<Site> there;
  if (!all.empty() && !nodes.directed()) {
    there.reserve(nodes.places().size());
    for (const City city : nodes.places()) there.push_back(all[index(city)]);
  }
  const auto pairs = std::count_if(nodes.mates().begin(), nodes.mates().end(), [](City mate) { return mate >= 0; }) / 2;
  const bool tried = costs.cities() - pairs <= few;
  const std::vector<City> initial = options.initial.empty() ? std::vector<City>() : nodes.tour(options.initial);
  std::vector<City> order =
      nodes.cities(tried ? shortest_of_all(costs)
                         : walk(instance, nodes, costs, there, initial, threads, options.seed, search, meeting));
  // Where it had no time for a search, or joins shared places.
  if (!options.initial.empty() && length(given, options.initial) < length(given, order)) {
    order.assign(options.initial.begin(), options.initial.end());
  }
  std::rotate(order.begin(), std::find(order.begin(), order.end(), 0), order.end());
  const Length shortest = length(given, order);
  search.tell(shortest, [&] { return order; });
  return {std::move(order), shortest, search.seconds(), search.walks(), search.take_history()};
}

}  // namespace

Solution solve(const Instance& instance, const Options& options) { return search_for(instance, options, nullptr); }

Solution solve_meeting(const Instance& instance, const Options& options, Meeting& meeting) {
  return search_for(instance, options, &meeting);
}

}  // namespace rooftop::routing
