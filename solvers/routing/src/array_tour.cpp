#include "array_tour.hpp"

#include <algorithm>
#include <utility>

namespace rooftop::routing {

ArrayTour::ArrayTour(std::vector<City> order) : order_(std::move(order)), position_(order_.size()) {
  for (City p = 0; p < cities(); ++p) position_[index(at(p))] = p;
}

bool ArrayTour::joins(const Exchange& exchange, Pieces& pieces) const {
  // Cuts by position: cut i lies behind position cut[i], where piece i ends, and piece i + 1 begins.
  const int count = exchange.edges;
  std::array<City, most_exchanged> cut{};
  std::array<int, most_exchanged> edge{}, rank{};
  std::array<bool, most_exchanged> forward{};  // the edge's first end lies before its second
  for (int e = 0; e < count; ++e) {
    const City a = position(exchange.ends[index(2 * e)]), b = position(exchange.ends[index(2 * e + 1)]);
    const bool here = b == a + 1 || (b == 0 && a == cities() - 1);
    const City behind = here ? a : b;
    int i = e;
    for (; i > 0 && cut[index(i - 1)] > behind; --i) {
      cut[index(i)] = cut[index(i - 1)];
      edge[index(i)] = edge[index(i - 1)];
      forward[index(i)] = forward[index(i - 1)];
    }
    cut[index(i)] = behind, edge[index(i)] = e, forward[index(i)] = here;
  }
  for (int i = 0; i < count; ++i) rank[index(edge[index(i)])] = i;

  int piece = 0, visited = 0;
  bool backwards = false;
  do {
    pieces.order[index(visited)] = piece;
    pieces.backwards[index(visited)] = backwards;
    ++visited;
    // Leave the piece at its far end: before the cut where it lies forward, behind the cut before it where backwards.
    const int i = backwards ? (piece == 0 ? count - 1 : piece - 1) : piece;
    const bool before_cut = !backwards;
    const int end = 2 * edge[index(i)] + (before_cut == forward[index(i)] ? 0 : 1);
    const int to = exchange.partner(end);
    const int there = rank[index(to / 2)];
    backwards = (to % 2 == 0) == forward[index(there)];  // enter at the end before a cut
    piece = backwards ? there : (there + 1 == count ? 0 : there + 1);
  } while (piece != 0 && visited < count);
  if (piece != 0 || visited != count) return false;

  pieces.count = count;
  for (int i = 0; i < count; ++i) {
    const City first = wrapped(cut[index(i == 0 ? count - 1 : i - 1)] + 1);
    const City length = cut[index(i)] - first + 1;
    pieces.piece[index(i)] = {first, length <= 0 ? length + cities() : length};
  }
  return true;
}

void ArrayTour::apply(const Pieces& pieces) {
  const int count = pieces.count;
  int longest = 0;
  for (int w = 1; w < count; ++w) {
    const auto length = [&](int place) { return pieces.piece[index(pieces.order[index(place)])].length; };
    if (length(w) > length(longest)) longest = w;
  }
  const Pieces::Piece& stays = pieces.piece[index(pieces.order[index(longest)])];
  const bool turned = pieces.backwards[index(longest)];
  const City length = cities() - stays.length, first = wrapped(stays.first + stays.length);

  if (buffer_.size() < index(length)) buffer_.resize(index(length));
  City* out = buffer_.data();
  for (int k = 1; k < count; ++k) {
    const int place = turned ? (longest - k + count) % count : (longest + k) % count;
    const Pieces::Piece& piece = pieces.piece[index(pieces.order[index(place)])];
    if (pieces.backwards[index(place)] != turned) {
      City p = wrapped(piece.first + piece.length - 1);
      for (City i = 0; i < piece.length; ++i, p = p == 0 ? cities() - 1 : p - 1) *out++ = at(p);
    } else {
      City p = piece.first;
      for (City i = 0; i < piece.length; ++i, p = wrapped(p + 1)) *out++ = at(p);
    }
  }
  written_.push_back({first, length});
  City p = first;
  for (City i = 0; i < length; ++i, p = wrapped(p + 1)) {
    before_.push_back(at(p));
    order_[index(p)] = buffer_[index(i)];
    position_[index(buffer_[index(i)])] = p;
  }
}

void ArrayTour::begin() {
  written_.clear();
  before_.clear();
}

void ArrayTour::undo() {
  for (; !written_.empty(); written_.pop_back()) {
    const auto [first, length] = written_.back();
    const City* old = before_.data() + before_.size() - index(length);
    City p = first;
    for (City i = 0; i < length; ++i, p = wrapped(p + 1)) {
      order_[index(p)] = old[i];
      position_[index(old[i])] = p;
    }
    before_.resize(before_.size() - index(length));
  }
}

void ArrayTour::copy_to(ArrayTour& other) const {
  std::copy(order_.begin(), order_.end(), other.order_.begin());
  std::copy(position_.begin(), position_.end(), other.position_.begin());
  other.begin();
}

}  // namespace rooftop::routing
