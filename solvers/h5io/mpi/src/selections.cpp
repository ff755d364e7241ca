#include "selections.hpp"

#include <algorithm>
#include <utility>

namespace rooftop::h5io::internal {
namespace {

constexpr std::size_t span_words = 4;

/// Returns the same span with adjacent blocks merged into one.
Span joined(const Span& span) {
  if (span.count > 1 && span.stride != span.block) return span;
  return {span.start, 1, std::max<std::uint64_t>(span.size(), 1), span.size()};
}

/// Returns how many elements of `span` are before `end`. Its blocks must not be adjacent.
std::uint64_t elements_before(const Span& span, std::uint64_t end) {
  if (end <= span.start) return 0;
  const std::uint64_t blocks = (end - span.start) / span.stride;
  if (blocks >= span.count) return span.size();
  return blocks * span.block + std::min(span.block, (end - span.start) % span.stride);
}

bool overlap_along(const Span& one, const Span& other) {
  Span few = joined(one), many = joined(other);
  if (few.count > many.count) std::swap(few, many);
  for (std::uint64_t i = 0; i < few.count; ++i) {
    const std::uint64_t begin = few.start + i * few.stride;
    if (elements_in(many, begin, begin + few.block) > 0) return true;
  }
  return false;
}

}  // namespace

bool selects(const std::vector<Span>& spans) {
  return std::all_of(spans.begin(), spans.end(), [](const Span& span) { return span.size() > 0; });
}

std::vector<Selection> gather_selections(const Ranks& ranks, const std::vector<std::vector<Span>>& own,
                                         std::size_t dimensions) {
  // For each non-empty selection its number and its spans.
  std::vector<std::uint64_t> words;
  for (std::size_t number = 0; number < own.size(); ++number) {
    if (!selects(own[number])) continue;
    words.push_back(number);
    for (const Span& span : own[number]) words.insert(words.end(), {span.start, span.count, span.stride, span.block});
  }
  const auto of_all = ranks.gather(words);
  std::vector<Selection> result;
  for (int rank = 0; rank < ranks.size(); ++rank) {
    const auto& theirs = of_all[static_cast<std::size_t>(rank)];
    for (std::size_t at = 0; at < theirs.size(); at += 1 + dimensions * span_words) {
      Selection selection{rank, theirs[at], std::vector<Span>(dimensions)};
      for (std::size_t d = 0; d < dimensions; ++d) {
        const std::uint64_t* const span = theirs.data() + at + 1 + d * span_words;
        selection.spans[d] = {span[0], span[1], std::max<std::uint64_t>(span[2], 1), span[3]};
      }
      result.push_back(std::move(selection));
    }
  }
  return result;
}

std::uint64_t elements_in(const Span& span, std::uint64_t begin, std::uint64_t end) {
  const Span one = joined(span);
  return elements_before(one, end) - elements_before(one, begin);
}

bool overlap(const std::vector<Span>& one, const std::vector<Span>& other) {
  for (std::size_t d = 0; d < one.size(); ++d) {
    if (!overlap_along(one[d], other[d])) return false;
  }
  return true;
}

}  // namespace rooftop::h5io::internal
