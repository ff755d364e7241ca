/// Colonies of which the longer tours' are given up, one after the other.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "ant.hpp"
#include "colony.hpp"
#include "first_tours.hpp"

namespace rooftop::routing {

/// Which clusters a tour joins is settled by the first tour, and no exchange at one place changes it. So several
/// colonies set out from different tours and walk equally often, and half of them are given up, again and again
/// (successive halving: K. Jamieson, A. Talwalkar, 2016).
class Race {
 public:
  /// What it takes outlives it. Races of different numbers, from 0 on, set out from different tours.
  Race(const Terrain& terrain, const Candidates& candidates, std::uint64_t seed, int threads, int number = 0);

  /// Makes first tours, fewer of them where patience runs out; improve() then makes each as short as exchanges do.
  /// `initial`, where there is one, is the first colony's, of the race of number 0.
  void set_out(Patience& patience = endless, const std::vector<City>& initial = {});
  void improve(Patience& patience);
  /// Lets ants walk `walks` times in all, or as often as some rounds of each colony take where that is less. `done` is
  /// what has passed of the whole search, from 0 to 1: colonies are given up by it. Returns how often they walked.
  std::int64_t rounds(std::int64_t walks, double temperature, double done, Patience& patience);

  /// The colony whose tour is the longest goes on from another one.
  void take_over(std::vector<City> order);

  [[nodiscard]] Length best_length() const { return best_length_; }
  [[nodiscard]] const std::vector<City>& best() const { return best_; }

 private:
  void keep_best();
  void give_up(double done);

  Terrain terrain_;
  const Candidates* candidates_;
  std::uint64_t seed_;
  int threads_, number_;
  std::vector<std::unique_ptr<Colony>> colonies_;
  std::vector<std::unique_ptr<Ant>> ants_;  ///< one for each thread
  std::size_t left_;                        ///< colonies at the end
  int halvings_, halved_ = 0;
  std::uint64_t taken_over_ = 0;  ///< tours
  Length best_length_;
  std::vector<City> best_;
};

}  // namespace rooftop::routing
