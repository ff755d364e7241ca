#include "archive.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace rooftop::network {
namespace {

constexpr double rounding = 1e-12;    ///< relative: sums of the same figures in another order differ by less
constexpr double least_range = 1e-6;  ///< of an objective's own size

}  // namespace

bool covers(const std::vector<double>& values, const std::vector<double>& others) {
  for (std::size_t o = 0; o < values.size(); ++o) {
    if (values[o] > others[o] + rounding * std::abs(others[o])) return false;
  }
  return true;
}

bool Archive::wants(const std::vector<double>& values, std::int64_t overload_kg) const {
  if (members_.empty()) return true;
  if (const std::int64_t least = this->overload_kg(); overload_kg != least) return overload_kg < least;
  // Plans that keep no capacities are no front: the first of the least overload stays, to work on.
  if (overload_kg > 0) return false;
  return std::none_of(members_.begin(), members_.end(), [&](const Member& one) { return covers(one.values, values); });
}

void Archive::take(Member member) {
  if (!members_.empty() && member.plan.overload_kg() < overload_kg()) members_.clear();
  std::erase_if(members_, [&](const Member& one) { return covers(member.values, one.values); });
  members_.push_back(std::move(member));
  if (members_.size() > most_) thin();
}

std::vector<double> Archive::ranges() const {
  std::vector<double> least = members_.front().values, most = least;
  for (const Member& one : members_) {
    for (std::size_t o = 0; o < least.size(); ++o) {
      least[o] = std::min(least[o], one.values[o]);
      most[o] = std::max(most[o], one.values[o]);
    }
  }
  for (std::size_t o = 0; o < least.size(); ++o) {
    most[o] = std::max(most[o] - least[o], least_range * most[o]);
    if (most[o] == 0) most[o] = 1;
  }
  return most;
}

std::size_t Archive::best(const Aim& aim) const {
  std::size_t best = 0;
  for (std::size_t i = 1; i < members_.size(); ++i) {
    if (aim.sum(members_[i].values) < aim.sum(members_[best].values)) best = i;
  }
  return best;
}

std::vector<double> Archive::points() const {
  std::vector<double> all;
  for (const Member& one : members_) all.insert(all.end(), one.values.begin(), one.values.end());
  return all;
}

void Archive::thin() {
  const std::vector<double> range = ranges();
  const std::size_t count = members_.size();
  // The two nearest others of each; the best in an objective stay.
  std::vector<std::array<double, 2>> near(count, {infinite, infinite});
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < count; ++j) {
      if (i == j) continue;
      double square = 0;
      for (std::size_t o = 0; o < range.size(); ++o) {
        const double apart = (members_[i].values[o] - members_[j].values[o]) / range[o];
        square += apart * apart;
      }
      if (square < near[i][0])
        near[i] = {square, near[i][0]};
      else if (square < near[i][1])
        near[i][1] = square;
    }
  }
  if (count > 2 * range.size()) {
    for (std::size_t o = 0; o < range.size(); ++o) {
      const auto less = [&](const Member& a, const Member& b) { return a.values[o] < b.values[o]; };
      const auto first = std::min_element(members_.begin(), members_.end(), less) - members_.begin();
      near[static_cast<std::size_t>(first)] = {infinite, infinite};
    }
  }
  members_.erase(members_.begin() + (std::min_element(near.begin(), near.end()) - near.begin()));
}

}  // namespace rooftop::network
