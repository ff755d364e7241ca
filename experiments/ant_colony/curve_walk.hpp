/// Where an ant goes whose candidates have all been visited.
#pragma once

#include <bit>
#include <rooftop/aligned.hpp>

#include "ground.hpp"

namespace ants {

/// The cities that are left, and those of them that lie next along Hilbert's curve, both ways: bits in the curve's
/// order, and a bit for each 64 of them that are not all gone. A visit costs three writes at most, and a search looks
/// at two or three words, of 64 bits each, for thousands of cities.
class CurveWalk {
 public:
  static constexpr std::uint8_t left = 0xff, visited = 0;

  explicit CurveWalk(const Ground& ground)
      : ground_(ground),
        state_(at(ground.cities())),
        bits_(words_for(at(ground.cities()))),
        summary_(words_for(bits_.size())) {}

  void start() {
    std::ranges::fill(state_, left);
    fill(bits_, at(ground_.cities()));
    fill(summary_, bits_.size());
  }
  void visit(City city) {
    state_[at(city)] = visited;
    const std::size_t place = at(ground_.place(city)), word = place / 64;
    bits_[word] &= ~(std::uint64_t{1} << place % 64);
    if (bits_[word] == 0) summary_[word / 64] &= ~(std::uint64_t{1} << word % 64);
  }
  [[nodiscard]] bool is_left(City city) const { return state_[at(city)] != visited; }
  /// A byte for each city, `left` or `visited`.
  [[nodiscard]] const std::uint8_t* states() const { return state_.data(); }

  /// The nearest of the next three either way. At least one city must be left.
  [[nodiscard]] City near(City here) const {
    constexpr int looks = 3;
    City best = -1;
    double shortest = 0;
    const Problem& p = ground_.problem();
    const auto try_place = [&](std::size_t place) {
      const City city = ground_.on_curve(static_cast<City>(place));
      const double dx = p.x[here] - p.x[city], dy = p.y[here] - p.y[city], square = dx * dx + dy * dy;
      if (best < 0 || square < shortest) best = city, shortest = square;
    };
    const std::size_t start = at(ground_.place(here));
    std::size_t place = start;
    for (int look = 0; look < looks && (place = from(place + 1)) != none; ++look) try_place(place);
    place = start;
    for (int look = 0; look < looks && place > 0 && (place = until(place - 1)) != none; ++look) try_place(place);
    return best;
  }

 private:
  using Words = rooftop::AlignedArray<std::uint64_t>;
  static constexpr std::size_t none = ~std::size_t{0};
  static std::size_t words_for(std::size_t bits) { return (bits + 63) / 64; }
  static void fill(Words& words, std::size_t bits) {
    std::ranges::fill(words, ~std::uint64_t{0});
    if (bits % 64 != 0) words[bits / 64] = (std::uint64_t{1} << bits % 64) - 1;
  }
  static std::size_t lowest(std::size_t word, std::uint64_t bits) {
    return 64 * word + static_cast<std::size_t>(std::countr_zero(bits));
  }
  static std::size_t highest(std::size_t word, std::uint64_t bits) {
    return 64 * word + static_cast<std::size_t>(std::bit_width(bits)) - 1;
  }

  /// The first bit from this one on that is set.
  [[nodiscard]] static std::size_t from(const Words& words, std::size_t bit) {
    std::size_t word = bit / 64;
    if (word >= words.size()) return none;
    std::uint64_t bits = words[word] & (~std::uint64_t{0} << bit % 64);
    while (bits == 0) {
      if (++word == words.size()) return none;
      bits = words[word];
    }
    return lowest(word, bits);
  }
  /// The last bit up to this one that is set.
  [[nodiscard]] static std::size_t until(const Words& words, std::size_t bit) {
    std::size_t word = bit / 64;
    std::uint64_t bits = words[word] & (~std::uint64_t{0} >> (63 - bit % 64));
    while (bits == 0) {
      if (word-- == 0) return none;
      bits = words[word];
    }
    return highest(word, bits);
  }
  [[nodiscard]] std::size_t from(std::size_t bit) const {
    const std::size_t word = bit / 64;
    if (word >= bits_.size()) return none;
    if (const std::uint64_t bits = bits_[word] & (~std::uint64_t{0} << bit % 64)) return lowest(word, bits);
    const std::size_t next = from(summary_, word + 1);
    return next == none ? none : lowest(next, bits_[next]);
  }
  [[nodiscard]] std::size_t until(std::size_t bit) const {
    const std::size_t word = bit / 64;
    if (const std::uint64_t bits = bits_[word] & (~std::uint64_t{0} >> (63 - bit % 64))) return highest(word, bits);
    const std::size_t next = word == 0 ? none : until(summary_, word - 1);
    return next == none ? none : highest(next, bits_[next]);
  }

  const Ground& ground_;
  rooftop::AlignedArray<std::uint8_t> state_;
  Words bits_, summary_;
};

}  // namespace ants
