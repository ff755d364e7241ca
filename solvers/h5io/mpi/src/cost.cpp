#include "cost.hpp"

#include <algorithm>

namespace rooftop::h5io::internal {
namespace {

// The sizes that read_contiguous() uses.
constexpr std::uint64_t buffer_bytes = 256 << 10, task_bytes = 4 << 20;

}  // namespace

double Counts::seconds(const Costs& costs) const {
  return static_cast<double>(calls) * costs.call + static_cast<double>(read_bytes) * costs.byte +
         static_cast<double>(decoded_bytes) * costs.decoded_byte + static_cast<double>(pieces) * costs.piece +
         static_cast<double>(messages) * costs.message + static_cast<double>(sent_bytes) * costs.sent_byte;
}

Counts alone(const Runs& runs, std::uint64_t gap_bytes) {
  const std::uint64_t length = runs.run_bytes(), count = runs.count();
  const bool sieved = count > 1 && runs.spacing() - length <= gap_bytes && runs.spacing() + length <= buffer_bytes;
  if (!sieved) return {.calls = count * ((length + task_bytes - 1) / task_bytes), .read_bytes = count * length};
  const std::uint64_t at_once = std::min((buffer_bytes - length) / runs.spacing() + 1, runs.evenly_spaced(0));
  const std::uint64_t calls = (count + at_once - 1) / at_once;
  return {.calls = calls, .read_bytes = calls * ((at_once - 1) * runs.spacing() + length)};
}

}  // namespace rooftop::h5io::internal
