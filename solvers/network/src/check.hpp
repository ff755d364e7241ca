/// What a problem and options must be for solve() to begin.
#pragma once

#include "rooftop/network.hpp"

namespace rooftop::network {

/// Throws InvalidInput: what is wrong, the value seen, what is expected.
void check(const Problem& problem, const Options& options);

}  // namespace rooftop::network
