#include "arrangements.hpp"

#include <vector>

#include "cuts.hpp"

namespace rooftop::routing {
namespace {

Cuts with_edge(const Cuts& cuts, int place) {
  Cuts more{.count = cuts.count + 1, .edge = cuts.edge, .forward = cuts.forward};
  int i = cuts.count;
  for (; i > place / 2; --i) {
    more.edge[index(i)] = more.edge[index(i - 1)];
    more.forward[index(i)] = more.forward[index(i - 1)];
  }
  more.edge[index(i)] = cuts.count;
  more.forward[index(i)] = place % 2 == 1;
  return more;
}

bool one_tour(const Cuts& cuts) {
  Exchange exchange;
  exchange.edges = cuts.count;
  Joined joined;
  return joins(exchange, cuts, joined);
}

}  // namespace

Arrangements::Arrangements() {
  std::vector<Cuts> found(1);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Cuts cuts = found[i];
    for (int place = 0; place < 2 * (cuts.count + 1); ++place) {
      const Cuts more = with_edge(cuts, place);
      if (one_tour(more)) closing_[i] = static_cast<std::uint16_t>(closing_[i] | 1U << static_cast<unsigned>(place));
      if (more.count == most_exchanged) continue;
      next_[i][index(place)] = static_cast<Number>(found.size());
      found.push_back(more);
    }
  }
}

const Arrangements& Arrangements::all() {
  static const Arrangements tables;
  return tables;
}

}  // namespace rooftop::routing
