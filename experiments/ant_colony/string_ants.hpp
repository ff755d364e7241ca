/// The baseline's colony: solutions are texts such as "17-4-9", and whatever is needed is taken from an allocator.
#pragma once

#include <array>
#include <charconv>
#include <memory>
#include <vector>

#include "metered.hpp"
#include "months.hpp"

namespace ants {

inline std::size_t place_of(const Problem& p, City a, City b) { return at(a) * at(p.cities) + at(b); }

/// The cities of a text, in its order.
template <typename Source>
List<City, Source> cities_of(std::string_view text) {
  List<City, Source> cities;
  for (const char *next = text.data(), *end = next + text.size(); next < end; ++next) {
    City city = 0;
    next = std::from_chars(next, end, city).ptr;
    cities.push_back(city);
  }
  return cities;
}

/// One ant, made for one tour.
template <typename Source>
class StringAnt {
 public:
  StringAnt(const Problem& p, Chance chance) : p_(p), chance_(chance), visited_(at(p.cities), false) {}

  /// The next city is drawn among all that are left, each by pheromone * attraction.
  void walk(const std::vector<double>& pheromones, const std::vector<double>& attractions) {
    visit(chance_.below(p_.cities));
    for (City step = 1; step < p_.cities; ++step) {
      List<Choice, Source> choices;
      double sum = 0;
      for (City city = 0; city < p_.cities; ++city) {
        if (visited_[at(city)]) continue;
        sum += pheromones[place_of(p_, here_, city)] * attractions[place_of(p_, here_, city)];
        choices.push_back({city, sum});
      }
      const double drawn = sum * static_cast<double>(chance_.next());
      std::size_t chosen = 0;
      while (chosen + 1 < choices.size() && choices[chosen].sum <= drawn) ++chosen;
      visit(choices[chosen].city);
    }
  }
  [[nodiscard]] const Text<Source>& path() const { return path_; }

 private:
  struct Choice {
    City city;
    double sum;
  };
  void visit(City city) {
    const Text<Source> name(std::to_string(city));
    path_ = path_.empty() ? name : path_ + "-" + name;
    visited_[at(city)] = true;
    here_ = city;
  }

  const Problem& p_;
  Chance chance_;
  List<bool, Source> visited_;
  Text<Source> path_;
  City here_ = 0;
};

/// A text and its length; none yet where it is empty.
template <typename Source>
struct TextTour {
  Text<Source> path;
  Length length = 0;

  [[nodiscard]] bool shorter_than(const TextTour& other) const {
    return !path.empty() && (other.path.empty() || length < other.length);
  }
};

/// An iteration process: pheromones for every two cities, and the best of what its ants have found.
template <typename Source>
class StringProcess {
 public:
  StringProcess(const Problem& p, int number)
      : p_(p), number_(number), pheromones_(at(p.cities) * at(p.cities), first_pheromone) {}

  void month(std::int64_t month, const std::vector<double>& attractions) {
    for (int number = 0; number < ants_of_group; ++number) {
      const auto ant = std::allocate_shared<StringAnt<Source>>(Metered<StringAnt<Source>, Source>(), p_,
                                                               Chance(p_, month, number_, number));
      const std::int64_t began_ns = rooftop::now_ns();
      ant->walk(pheromones_, attractions);
      p_.ledger->construction_ns += rooftop::now_ns() - began_ns;
      const List<City, Source> cities = cities_of<Source>(ant->path());
      const TextTour<Source> found{ant->path(), tour_length(p_, cities.data())};
      if (found.shorter_than(best_)) best_ = found;
    }
    p_.ledger->construction_steps += std::int64_t{ants_of_group} * p_.cities;
    for (double& pheromone : pheromones_) pheromone = std::max((1 - evaporation) * pheromone, least_pheromone);
    const List<City, Source> cities = cities_of<Source>(best_.path);
    for (City i = 0; i < p_.cities; ++i) {
      const City a = cities[at(i)], b = cities[at(i + 1 == p_.cities ? 0 : i + 1)];
      pheromones_[place_of(p_, a, b)] += evaporation;
      pheromones_[place_of(p_, b, a)] += evaporation;
    }
  }
  [[nodiscard]] const TextTour<Source>& best() const { return best_; }

 private:
  const Problem& p_;
  int number_;
  std::vector<double> pheromones_;
  TextTour<Source> best_;
};

/// Months of the processes from `first` on, each `stride`-th, shared statically over threads.
template <typename Source>
class StringColony {
 public:
  StringColony(const Problem& p, int first, int stride) : p_(p), attractions_(at(p.cities) * at(p.cities)) {
#pragma omp parallel for num_threads(p.threads) schedule(static)
    for (City a = 0; a < p.cities; ++a) {
      for (City b = 0; b < p.cities; ++b) {
        attractions_[place_of(p, a, b)] = a == b ? 0 : attraction(static_cast<double>(distance(p, a, b)));
      }
    }
    for (int number = first; number < processes; number += stride) {
      own_.push_back(std::make_unique<StringProcess<Source>>(p, number));
    }
  }

  /// Afterwards the main thread compares what the processes have found and keeps the best: true if there is a better
  /// one.
  bool month(std::int64_t month) {
    MonthClock clock(p_.threads);
#pragma omp parallel num_threads(p_.threads)
    {
      meter().start(p_.ledger->timed);
#pragma omp for schedule(static) nowait
      for (std::size_t i = 0; i < own_.size(); ++i) own_[i]->month(month, attractions_);
      clock.done();
      meter().into(*p_.ledger);
    }
    const std::int64_t start_ns = rooftop::now_ns();
    bool better = false;
    for (const auto& process : own_) {
      if (!process->best().shorter_than(best_)) continue;
      best_ = process->best();
      better = true;
    }
    p_.ledger->serial_ns += rooftop::now_ns() - start_ns;
    p_.ledger->waiting_ns += clock.waited_ns();
    return better;
  }
  [[nodiscard]] const TextTour<Source>& best() const { return best_; }

  [[nodiscard]] static double memory_bytes(const Problem& p, double own_processes) {
    return 8 * static_cast<double>(p.cities) * p.cities * (1 + own_processes);
  }

 private:
  const Problem& p_;
  std::vector<double> attractions_;
  std::vector<std::unique_ptr<StringProcess<Source>>> own_;
  TextTour<Source> best_;
};

}  // namespace ants
