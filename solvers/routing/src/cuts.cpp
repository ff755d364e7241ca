#include "cuts.hpp"

namespace rooftop::routing {

bool joins(const Exchange& exchange, const Cuts& cuts, Joined& joined) {
  const int count = cuts.count;
  std::array<int, most_exchanged> rank{};
  for (int i = 0; i < count; ++i) rank[index(cuts.edge[index(i)])] = i;
  int piece = 0, visited = 0;
  bool backwards = false;
  do {
    joined.order[index(visited)] = piece;
    joined.backwards[index(visited)] = backwards;
    ++visited;
    // Leave the piece at its far end: before the cut where it lies forward, behind the cut before it where backwards.
    const int i = backwards ? (piece == 0 ? count - 1 : piece - 1) : piece;
    const bool before_cut = !backwards;
    const int end = 2 * cuts.edge[index(i)] + (before_cut == cuts.forward[index(i)] ? 0 : 1);
    const int to = exchange.partner(end);
    const int there = rank[index(to / 2)];
    backwards = (to % 2 == 0) == cuts.forward[index(there)];  // enter at the end before a cut
    piece = backwards ? there : (there + 1 == count ? 0 : there + 1);
  } while (piece != 0 && visited < count);
  return piece == 0 && visited == count;
}

}  // namespace rooftop::routing
