#include "exhaustive.hpp"

#include <limits>

namespace rooftop::routing {
namespace {

class Tours {
 public:
  explicit Tours(const Costs& costs) : costs_(&costs), visited_(index(costs.cities()), 0) {}

  std::vector<City> shortest() {
    visit(0);
    go_on(0);
    return best_;
  }

 private:
  void visit(City node) {
    for (const City next : {node, costs_->mate(node)}) {
      if (next < 0) continue;
      way_.push_back(next);
      visited_[index(next)] = 1;
    }
  }
  void leave(City node) {
    for (const City next : {node, costs_->mate(node)}) {
      if (next < 0) continue;
      way_.pop_back();
      visited_[index(next)] = 0;
    }
  }
  void go_on(Length length) {
    const City last = way_.back();
    if (way_.size() == visited_.size()) {
      if (way_.size() > 2) length += (*costs_)(last, way_.front());
      if (length < shortest_) shortest_ = length, best_ = way_;
      return;
    }
    for (City next = 0; next < costs_->cities(); ++next) {
      if (visited_[index(next)] != 0 || !costs_->may_join(last, next)) continue;
      visit(next);
      go_on(length + (*costs_)(last, next));
      leave(next);
    }
  }

  const Costs* costs_;
  std::vector<char> visited_;
  std::vector<City> way_, best_;
  Length shortest_ = std::numeric_limits<Length>::max();
};

}  // namespace

std::vector<City> shortest_of_all(const Costs& costs) { return Tours(costs).shortest(); }

}  // namespace rooftop::routing
