/// The plans of which none dominates another, a bounded number of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "plan.hpp"

namespace rooftop::network {

/// Whether values are no worse in every objective, within rounding.
bool covers(const std::vector<double>& values, const std::vector<double>& others);

struct Member {
  std::vector<double> values;
  Plan plan;
};

class Archive {
 public:
  explicit Archive(std::size_t most) : most_(most) {}

  [[nodiscard]] const std::vector<Member>& members() const { return members_; }
  [[nodiscard]] bool empty() const { return members_.empty(); }
  /// Whether a plan of such values would be taken. A plan that keeps all capacities drives out any that does not.
  [[nodiscard]] bool wants(const std::vector<double>& values, std::int64_t overload_kg) const;
  /// Takes a plan that is wanted; those that it covers leave, and where there are too many, one of the closest pair.
  void take(Member member);
  /// Worst minus best of every objective, never 0.
  [[nodiscard]] std::vector<double> ranges() const;
  [[nodiscard]] std::size_t best(const Aim& aim) const;
  [[nodiscard]] std::vector<double> points() const;
  /// Beyond capacities, of the plan nearest to keeping them.
  [[nodiscard]] std::int64_t overload_kg() const { return members_.empty() ? 0 : members_.front().plan.overload_kg(); }

 private:
  void thin();

  std::size_t most_;
  std::vector<Member> members_;
};

}  // namespace rooftop::network
