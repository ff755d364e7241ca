/// Tells whether exchanges that follow one another lead back to where they began.
#pragma once

#include <cstdint>

#include "exchange.hpp"

namespace rooftop::routing {

/// Of a random number for each edge, those of edges that enter less those of edges that leave, modulo 2^64. Sums over
/// exchanges are 0 where the tour is the same again, and almost never elsewhere.
[[nodiscard]] std::uint64_t balance(const Exchange& exchange);

}  // namespace rooftop::routing
