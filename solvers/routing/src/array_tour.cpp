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
  const int stays = pieces.order[index(longest)];
  const bool turned = pieces.backwards[index(longest)];
  const auto [stays_first, stays_length] = pieces.piece[index(stays)];
  Written written{
      .first = wrapped(stays_first + stays_length), .length = cities() - stays_length, .count = 0, .parts{}};
  std::array<City, most_exchanged> was_at{};  // by piece
  City sum = 0;
  for (int k = 1; k < count; ++k) {
    const int piece = (stays + k) % count;
    was_at[index(piece)] = sum;
    sum += pieces.piece[index(piece)].length;
  }

  if (buffer_.size() < index(written.length)) buffer_.resize(index(written.length));
  City* out = buffer_.data();
  for (int k = 1; k < count; ++k) {
    const int place = turned ? (longest - k + count) % count : (longest + k) % count;
    const int piece = pieces.order[index(place)];
    const auto [first, length] = pieces.piece[index(piece)];
    const bool backwards = pieces.backwards[index(place)] != turned;
    out = copy_piece(first, length, backwards, out);
    written.parts[index(written.count++)] = {was_at[index(piece)], length, backwards};
  }
  write_buffer(written.first, written.length);
  written_.push_back(written);
}

City* ArrayTour::copy_piece(City first, City length, bool backwards, City* out) const {
  const City behind_end = std::max(first + length - cities(), 0);  // positions that lie behind the last one
  const City* const from = order_.data() + first;
  const City* const to = from + (length - behind_end);
  const City* const start = order_.data();
  if (backwards) return std::reverse_copy(from, to, std::reverse_copy(start, start + behind_end, out));
  return std::copy(start, start + behind_end, std::copy(from, to, out));
}

void ArrayTour::write_buffer(City first, City length) {
  const City here = std::min(length, cities() - first);
  const auto write = [&](City p, const City* from, City count) {
    std::copy(from, from + count, order_.data() + p);
    for (City i = 0; i < count; ++i) position_[index(from[i])] = p + i;
  };
  write(first, buffer_.data(), here);
  write(0, buffer_.data() + here, length - here);
}

void ArrayTour::begin() { written_.clear(); }

void ArrayTour::undo() {
  for (; !written_.empty(); written_.pop_back()) {
    const Written& written = written_.back();
    City p = written.first;
    for (int k = 0; k < written.count; ++k) {
      const auto [was_at, length, backwards] = written.parts[index(k)];
      copy_piece(p, length, backwards, buffer_.data() + was_at);
      p = wrapped(p + length);
    }
    write_buffer(written.first, written.length);
  }
}

void ArrayTour::copy_to(ArrayTour& other) const {
  std::copy(order_.begin(), order_.end(), other.order_.begin());
  std::copy(position_.begin(), position_.end(), other.position_.begin());
  other.begin();
}

}  // namespace rooftop::routing
