#include "chunk_shares.hpp"

#include <algorithm>
#include <tuple>

#include "chunk_pieces.hpp"

namespace rooftop::h5io::internal {
namespace {

constexpr std::uint64_t most_of_round = 64 << 20;

}  // namespace

ChunkGrid::ChunkGrid(const Description& description) : shape_(description.shape), chunk_(description.chunk) {
  for (std::size_t d = 0; d < chunk_.size(); ++d) along_.push_back((shape_[d] + chunk_[d] - 1) / chunk_[d]);
}

std::uint64_t ChunkGrid::number(const std::vector<hsize_t>& begin) const {
  std::uint64_t number = 0;
  for (std::size_t d = 0; d < chunk_.size(); ++d) number = number * along_[d] + begin[d] / chunk_[d];
  return number;
}

std::vector<hsize_t> ChunkGrid::begin_of(std::uint64_t number) const {
  std::vector<hsize_t> begin(chunk_.size());
  for (std::size_t d = chunk_.size(); d-- > 0; number /= along_[d]) begin[d] = number % along_[d] * chunk_[d];
  return begin;
}

std::vector<Span> ChunkGrid::box(std::uint64_t number) const {
  const auto begin = begin_of(number);
  std::vector<Span> spans;
  for (std::size_t d = 0; d < chunk_.size(); ++d) {
    spans.push_back({begin[d], 1, chunk_[d], std::min<std::uint64_t>(chunk_[d], shape_[d] - begin[d])});
  }
  return spans;
}

std::uint64_t ChunkGrid::count() const {
  std::uint64_t count = 1;
  for (const std::uint64_t along : along_) count *= along;
  return count;
}

ChunkShares::ChunkShares(const Description& description, const std::vector<Selection>& selections, int ranks)
    : grid(description), selections_(selections), ranks_(ranks) {
  for (std::size_t s = 0; s < selections.size(); ++s) {
    const auto& spans = selections[s].spans;
    const TouchedChunks touched(spans, description.chunk);
    std::vector<hsize_t> begin(spans.size());
    for (std::uint64_t i = 0; i < touched.count(); ++i) {
      touched.begin_of(i, begin);
      std::uint64_t bytes = description.element_bytes;
      for (std::size_t d = 0; d < spans.size(); ++d) {
        bytes *= elements_in(spans[d], begin[d], begin[d] + description.chunk[d]);
      }
      touches.push_back({grid.number(begin), s, bytes});
    }
  }
  std::sort(touches.begin(), touches.end(), [](const Touch& one, const Touch& other) {
    return std::tie(one.chunk, one.selection) < std::tie(other.chunk, other.selection);
  });
  for (std::size_t first = 0, last = 0; first < touches.size(); first = last) {
    while (last < touches.size() && touches[last].chunk == touches[first].chunk) ++last;
    chunks.push_back({touches[first].chunk, first, last});
  }
  share_out(ranks);
}

std::uint64_t ChunkShares::touches_of(const Description& description, const std::vector<Selection>& selections) {
  std::uint64_t count = 0;
  for (const Selection& one : selections) count += TouchedChunks(one.spans, description.chunk).count();
  return count;
}

bool ChunkShares::of_one_rank(const TouchedChunk& chunk) const {
  return std::all_of(touches.begin() + static_cast<std::ptrdiff_t>(chunk.first),
                     touches.begin() + static_cast<std::ptrdiff_t>(chunk.last),
                     [&](const Touch& touch) { return rank(touch) == rank(touches[chunk.first]); });
}

void ChunkShares::share_out(int ranks) {
  std::vector<std::uint64_t> load(static_cast<std::size_t>(ranks));
  for (TouchedChunk& chunk : chunks) {
    if (!of_one_rank(chunk)) continue;
    chunk.owner = rank(touches[chunk.first]);
    ++load[static_cast<std::size_t>(chunk.owner)];
  }
  // Among the ranks that select elements of the chunk, the one with the least work so far owns it.
  for (TouchedChunk& chunk : chunks) {
    if (of_one_rank(chunk)) continue;
    chunk.owner = rank(touches[chunk.first]);
    for (std::size_t t = chunk.first + 1; t < chunk.last; ++t) {
      const int other = rank(touches[t]);
      if (load[static_cast<std::size_t>(other)] < load[static_cast<std::size_t>(chunk.owner)]) chunk.owner = other;
    }
    ++load[static_cast<std::size_t>(chunk.owner)];
  }
}

std::vector<std::size_t> ChunkShares::rounds() const {
  std::vector<std::size_t> result{0};
  std::vector<std::uint64_t> bytes(static_cast<std::size_t>(ranks_));
  for (std::size_t c = 0; c < chunks.size(); ++c) {
    std::uint64_t most = 0;
    for (std::size_t t = chunks[c].first; t < chunks[c].last; ++t) {
      auto& of_owner = bytes[static_cast<std::size_t>(chunks[c].owner)];
      auto& of_selector = bytes[static_cast<std::size_t>(rank(touches[t]))];
      of_owner += touches[t].bytes, of_selector += touches[t].bytes;
      most = std::max({most, of_owner, of_selector});
    }
    if (most <= most_of_round) continue;
    result.push_back(c + 1);
    std::fill(bytes.begin(), bytes.end(), 0);
  }
  if (result.back() != chunks.size()) result.push_back(chunks.size());
  return result;
}

}  // namespace rooftop::h5io::internal
