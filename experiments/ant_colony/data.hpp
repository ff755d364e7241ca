/// The experiment behind the driver: owns one case's cities and tour.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <rooftop/experiment.hpp>
#include <string>
#include <vector>

#include "problem.hpp"

namespace ants {

class Tours : public rooftop::Experiment {
 public:
  void set_ranks(int rank, int ranks) override { rank_ = rank, ranks_ = ranks; }
  /// Parameters: tours, a multiple of 64; and cities, 8 or more, with layout, "uniform" or "clustered" (uniform where
  /// left out), or x and y, lists of whole numbers from 0 to 1 000 000, with the length of their best_known tour, if
  /// that is known. Throws std::invalid_argument otherwise.
  void set_up(const nlohmann::json& parameters, std::uint64_t seed, int threads) override;
  [[nodiscard]] const void* problem() const override { return &problem_; }
  [[nodiscard]] std::string_view problem_type() const override { return "ants::Problem"; }
  void poison() override;
  /// The error is by how much of itself a lower bound is exceeded: 0.05 is a tour at most 5 % longer than the shortest.
  [[nodiscard]] rooftop::Verdict verify(std::string_view algorithm) override;
  /// {"figures": {NAME: value}}, the ledger's; units are in the names.
  [[nodiscard]] nlohmann::json facts() override;

 private:
  void place_cities(const nlohmann::json& parameters, std::uint64_t seed);
  [[nodiscard]] std::string not_a_tour() const;

  std::vector<double> x_, y_;
  std::vector<City> tour_;
  Length length_ = 0;
  Ledger ledger_;
  Problem problem_{};
  Length best_known_ = 0;  ///< the shortest tour that anybody has published; 0: not known
  double bound_ = 0;       ///< 0: not computed yet
  int rank_ = 0, ranks_ = 1;
};

}  // namespace ants
