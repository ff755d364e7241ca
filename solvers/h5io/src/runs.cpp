#include "runs.hpp"

#include <cstddef>

namespace rooftop::h5io::internal {

Runs::Runs(const std::vector<std::uint64_t>& shape, const std::vector<Span>& spans, std::uint64_t element_bytes)
    : run_bytes_(element_bytes) {
  // From the innermost dimension outwards: elements without gaps extend the piece; all else becomes a level of steps.
  std::vector<Level> outwards;
  std::uint64_t step = element_bytes;
  const auto add = [&](std::uint64_t count, std::uint64_t bytes) {
    if (count == 1) return;
    if (outwards.empty() && bytes == run_bytes_) {
      run_bytes_ *= count;
    } else if (!outwards.empty() && bytes == outwards.back().count * outwards.back().bytes) {
      outwards.back().count *= count;
    } else {
      outwards.push_back({count, bytes});
    }
  };
  for (std::size_t d = shape.size(); d-- > 0;) {
    const Span& span = spans[d];
    start_ += span.start * step;
    add(span.block, step);
    add(span.count, span.stride * step);
    step *= shape[d];
  }
  levels_.assign(outwards.rbegin(), outwards.rend());
  for (const Level& level : levels_) count_ *= level.count;
  if (!levels_.empty()) row_ = levels_.back().count, spacing_ = levels_.back().bytes;
}

std::uint64_t Runs::offset(std::uint64_t k) const {
  std::uint64_t bytes = start_;
  for (std::size_t level = levels_.size(); level-- > 0;) {
    bytes += k % levels_[level].count * levels_[level].bytes;
    k /= levels_[level].count;
  }
  return bytes;
}

}  // namespace rooftop::h5io::internal
