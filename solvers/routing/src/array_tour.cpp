#include "array_tour.hpp"

#include <algorithm>
#include <utility>

namespace rooftop::routing {

ArrayTour::ArrayTour(const Costs& costs, std::vector<City> order)
    : costs_(&costs), order_(std::move(order)), position_(order_.size()), behind_(order_.size()) {
  for (City p = 0; p < cities(); ++p) {
    position_[index(at(p))] = p;
    count_behind(p);
  }
}

bool ArrayTour::joins(const Exchange& exchange, Pieces& pieces) const {
  const int count = exchange.edges;
  Cuts cuts{.count = count};
  std::array<City, most_exchanged> cut{};  // cut i lies behind position cut[i]
  for (int e = 0; e < count; ++e) {
    const City a = position(exchange.ends[index(2 * e)]), b = position(exchange.ends[index(2 * e + 1)]);
    const bool here = b == a + 1 || (b == 0 && a == cities() - 1);
    const City behind = here ? a : b;
    int i = e;
    for (; i > 0 && cut[index(i - 1)] > behind; --i) {
      cut[index(i)] = cut[index(i - 1)];
      cuts.edge[index(i)] = cuts.edge[index(i - 1)];
      cuts.forward[index(i)] = cuts.forward[index(i - 1)];
    }
    cut[index(i)] = behind, cuts.edge[index(i)] = e, cuts.forward[index(i)] = here;
  }
  if (!routing::joins(exchange, cuts, pieces)) return false;

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

  if (count == 2 && written.first + written.length <= cities()) {  // one piece is turned, as most exchanges do
    written.parts[index(written.count++)] = {0, written.length, true};
    turn(written);
    written_.push_back(written);
    return;
  }

  if (buffer_.size() < index(written.length)) {
    buffer_.resize(index(written.length));
    behind_buffer_.resize(index(written.length));
  }
  City to = 0;
  for (int k = 1; k < count; ++k) {
    const int place = turned ? (longest - k + count) % count : (longest + k) % count;
    const int piece = pieces.order[index(place)];
    const auto [first, length] = pieces.piece[index(piece)];
    const bool backwards = pieces.backwards[index(place)] != turned;
    copy_piece(first, length, backwards, to);
    to += length;
    written.parts[index(written.count++)] = {was_at[index(piece)], length, backwards};
  }
  write_buffer(written.first, written.length);
  count_joints(written, true);
  written_.push_back(written);
}

void ArrayTour::turn(const Written& written) {
  const City first = written.first, end = first + written.length;
  std::reverse(order_.begin() + first, order_.begin() + end);
  std::reverse(behind_.begin() + first, behind_.begin() + end - 1);
  for (City p = first; p < end; ++p) position_[index(at(p))] = p;
  count_behind(position_before(first));
  count_behind(end - 1);
}

void ArrayTour::copy_piece(City first, City length, bool backwards, City to) {
  const City behind_end = std::max(first + length - cities(), 0);  // positions that lie behind the last one
  const City* const from = order_.data() + first;
  const City* const end = from + (length - behind_end);
  const City* const start = order_.data();
  const Cost* const cost_from = behind_.data() + first;
  const Cost* const cost_end = cost_from + (length - behind_end);
  const Cost* const cost_start = behind_.data();
  City* const out = buffer_.data() + to;
  Cost* const cost_out = behind_buffer_.data() + to;
  if (!backwards) {
    std::copy(start, start + behind_end, std::copy(from, end, out));
    std::copy(cost_start, cost_start + behind_end, std::copy(cost_from, cost_end, cost_out));
    return;
  }
  // What lies behind the piece's last city is none of its edges.
  std::reverse_copy(from, end, std::reverse_copy(start, start + behind_end, out));
  if (behind_end == 0) {
    std::reverse_copy(cost_from, cost_end - 1, cost_out);
  } else {
    std::reverse_copy(cost_from, cost_end, std::reverse_copy(cost_start, cost_start + behind_end - 1, cost_out));
  }
}

void ArrayTour::write_buffer(City first, City length) {
  const City here = std::min(length, cities() - first);
  const auto write = [&](City p, City from, City count) {
    const City* const city = buffer_.data() + from;
    std::copy(city, city + count, order_.data() + p);
    std::copy_n(behind_buffer_.data() + from, count, behind_.data() + p);
    for (City i = 0; i < count; ++i) position_[index(city[i])] = p + i;
  };
  write(first, 0, here);
  write(0, here, length - here);
}

void ArrayTour::count_joints(const Written& written, bool now) {
  City before = written.first;
  for (int k = 0; k < written.count; ++k) {
    const auto& part = written.parts[index(k)];
    count_behind(position_before(wrapped(now ? before : written.first + part.was_at)));
    before += part.length;
  }
  count_behind(position_before(wrapped(before)));
}

void ArrayTour::begin() { written_.clear(); }

void ArrayTour::undo() {
  for (; !written_.empty(); written_.pop_back()) {
    const Written& written = written_.back();
    if (written.count == 1 && written.first + written.length <= cities()) {
      turn(written);
      continue;
    }
    City p = written.first;
    for (int k = 0; k < written.count; ++k) {
      const auto [was_at, length, backwards] = written.parts[index(k)];
      copy_piece(p, length, backwards, was_at);
      p = wrapped(p + length);
    }
    write_buffer(written.first, written.length);
    count_joints(written, false);
  }
}

void ArrayTour::copy_to(ArrayTour& other) const {
  std::copy(order_.begin(), order_.end(), other.order_.begin());
  std::copy(position_.begin(), position_.end(), other.position_.begin());
  std::copy(behind_.begin(), behind_.end(), other.behind_.begin());
  other.begin();
}

}  // namespace rooftop::routing
