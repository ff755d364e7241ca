/// Which sequential exchanges leave one tour, as tables: a search asks it of every edge that could be the last.
#pragma once

#include <array>
#include <cstdint>

#include "exchange.hpp"

namespace rooftop::routing {

/// An arrangement is the order in which edges that an exchange takes out lie along the tour, and of each which of its
/// ends comes first. Edges are added one by one, the newest at a place: twice the number of the others that lie before
/// it, and 1 more if its first end comes first.
class Arrangements {
 public:
  using Number = std::uint16_t;

  [[nodiscard]] static const Arrangements& all();

  [[nodiscard]] static int place(int before, bool forward) { return 2 * before + (forward ? 1 : 0); }
  /// The arrangement with one edge more, of four at most. 0 is that of no edges.
  [[nodiscard]] Number with(Number arrangement, int place) const { return next_[arrangement][index(place)]; }
  /// Bit p: with one edge more at place p, the exchange leaves one tour.
  [[nodiscard]] unsigned closing(Number arrangement) const { return closing_[arrangement]; }

 private:
  Arrangements();

  static constexpr int followed = 1 + 2 + 8 + 48;    ///< arrangements of up to three edges
  static constexpr int count = followed + 24 * 16;   ///< and of four
  static constexpr int places = 2 * most_exchanged;  ///< of the last edge
  std::array<std::array<Number, places>, followed> next_{};
  std::array<std::uint16_t, count> closing_{};
};

}  // namespace rooftop::routing
