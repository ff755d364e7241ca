#include "gaps.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace rooftop::network {
namespace {

class Numbers {
 public:
  void take(std::int32_t number) { all_.push_back(number); }
  void sort() {
    std::sort(all_.begin(), all_.end());
    all_.erase(std::unique(all_.begin(), all_.end()), all_.end());
  }
  [[nodiscard]] std::int32_t count() const { return static_cast<std::int32_t>(all_.size()); }
  [[nodiscard]] std::int32_t place(std::int32_t number) const {
    return static_cast<std::int32_t>(std::lower_bound(all_.begin(), all_.end(), number) - all_.begin());
  }

 private:
  std::vector<std::int32_t> all_;
};

}  // namespace

std::optional<Problem> without_gaps(const Problem& problem) {
  const std::size_t ends = 2 * problem.tail.size(), shipments = problem.shipments.size();
  const bool gaps = static_cast<std::size_t>(problem.nodes) > 2 * (ends + shipments) ||
                    static_cast<std::size_t>(problem.months) > 2 * shipments + 12;
  if (!gaps) return std::nullopt;
  Numbers nodes, months;
  for (const std::int32_t node : problem.tail) nodes.take(node);
  for (const std::int32_t node : problem.head) nodes.take(node);
  for (const Shipment& one : problem.shipments) nodes.take(one.from), nodes.take(one.to), months.take(one.month);
  nodes.sort(), months.sort();
  Problem dense = problem;
  dense.nodes = nodes.count();
  dense.months = months.count();
  for (std::int32_t& node : dense.tail) node = nodes.place(node);
  for (std::int32_t& node : dense.head) node = nodes.place(node);
  for (Shipment& one : dense.shipments) {
    one.month = months.place(one.month);
    one.from = nodes.place(one.from);
    one.to = nodes.place(one.to);
  }
  return dense;
}

}  // namespace rooftop::network
