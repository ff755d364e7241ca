/// Where an exchange cuts a tour, and what becomes of the pieces.
#pragma once

#include <array>

#include "exchange.hpp"

namespace rooftop::routing {

/// The edges that an exchange takes out, in the order in which they lie along the tour. Piece i ends at cut i, and
/// piece i + 1 begins there.
struct Cuts {
  int count = 0;
  std::array<int, most_exchanged> edge{};      ///< of the exchange
  std::array<bool, most_exchanged> forward{};  ///< the edge's first end lies before its second
};

/// Pieces one behind the other, from piece 0, which lies as it did.
struct Joined {
  std::array<int, most_exchanged> order{};
  std::array<bool, most_exchanged> backwards{};  ///< by place in `order`
};

/// Whether an exchange, of which only partner() is asked, leaves one tour, and in which order it joins the pieces.
[[nodiscard]] bool joins(const Exchange& exchange, const Cuts& cuts, Joined& joined);

}  // namespace rooftop::routing
