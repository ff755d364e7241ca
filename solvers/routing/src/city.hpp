/// What everything here counts in.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rooftop::routing {

using City = std::int32_t;
using Cost = std::int32_t;
using Length = std::int64_t;

constexpr std::size_t index(City city) { return static_cast<std::size_t>(city); }

}  // namespace rooftop::routing
