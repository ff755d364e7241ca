/// An ant: it takes a plan, and where shipments share an arc it lifts some of them and finds them new paths.
#pragma once

#include <functional>
#include <vector>

#include "archive.hpp"
#include "random.hpp"
#include "router.hpp"
#include "trails.hpp"

namespace rooftop::network {

/// What an ant sets out with.
struct Errand {
  Aim aim;
  std::size_t start;   ///< the member of the archive whose plan it takes
  double temperature;  ///< a sum that is larger by so much is kept once in e times
};

class Ant {
 public:
  Ant(const Graph& graph, const TrailMap& trails, const Archive& archive);

  /// Gives plans that the archive wants, the last one where the ant ended. `left` says whether there is time.
  std::vector<Member> walk(const Errand& errand, Random& random, const std::function<bool()>& left);

 private:
  /// Those to lift: shipments of a month, most of the time of one arc.
  void choose(const Plan& plan, Random& random);
  /// Finds the lifted ones new paths; false where time was over before all had one.
  bool lay(Plan& plan, const Aim& aim, Random& random, const std::function<bool()>& left);
  /// An arc at a time, by trails and by what is added; the router's path where it gets lost.
  Path wander(const Plan& plan, std::size_t shipment, const Aim& aim, Random& random);
  void offer(const Plan& plan, std::vector<Member>& found) const;

  const Graph* graph_;
  const TrailMap* trails_;
  const Archive* archive_;
  Router router_;
  std::vector<std::vector<std::size_t>> of_month_;
  std::vector<std::size_t> lifted_;
  std::vector<Path> before_;
  std::vector<double> chances_, strengths_;
  std::vector<bool> visited_;
};

}  // namespace rooftop::network
