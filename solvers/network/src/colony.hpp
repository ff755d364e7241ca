/// The colony: the archive, the trails, and rounds of ants, whose result does not depend on the number of threads.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "ant.hpp"

namespace rooftop::network {

class Colony {
 public:
  Colony(const Graph& graph, const Options& options, int threads);

  [[nodiscard]] const Archive& archive() const { return archive_; }
  /// The first plans: shipments one after the other, largest first, each on the path that adds least. When time is over
  /// the rest of the first one go straight, so that there is a plan.
  void begin(const std::function<bool()>& left);
  /// At most so many ants set out; gives how many did.
  std::int64_t round(std::int64_t ants, const std::function<bool()>& left);

 private:
  [[nodiscard]] std::vector<double> weights(std::size_t ant, Random& random) const;
  void settle(const Aim& aim, const std::function<bool()>& left);
  void leave_trails(const std::function<bool()>& left);

  const Graph* graph_;
  const Options* options_;
  Archive archive_;
  TrailMap trails_;
  std::vector<Ant> ants_;  ///< one for each thread
  std::uint64_t rounds_ = 0;
};

}  // namespace rooftop::network
