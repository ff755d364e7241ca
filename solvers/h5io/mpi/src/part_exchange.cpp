/// PartExchange: sends parts of chunks between their owners and the ranks that select them.
#include <limits>

#include "chunk_shares.hpp"

namespace rooftop::h5io::internal {

PartExchange::PartExchange(const Ranks& ranks, const ChunkShares& shares, std::size_t first, std::size_t last)
    : ranks_(ranks) {
  const auto count = static_cast<std::size_t>(ranks.size());
  std::vector<std::uint64_t> owned(count), selected(count);
  // The parts exchanged by two ranks are consecutive. First find each part's offset within them, then add their offset
  // in this rank's memory.
  const auto each_part = [&](const auto& of_owner, const auto& of_selector) {
    for (std::size_t c = first; c < last; ++c) {
      const TouchedChunk& chunk = shares.chunks[c];
      for (std::size_t t = chunk.first; t < chunk.last; ++t) {
        const int selector = shares.rank(shares.touches[t]);
        if (selector == chunk.owner) continue;
        if (chunk.owner == ranks.rank()) of_owner(t, static_cast<std::size_t>(selector));
        if (selector == ranks.rank()) of_selector(t, static_cast<std::size_t>(chunk.owner));
      }
    }
  };
  if (first < last) {
    first_touch_ = shares.chunks[first].first;
    places_.resize(shares.chunks[last - 1].last - first_touch_);
  }
  const auto place = [&](std::vector<std::uint64_t>& lengths) {
    return [&](std::size_t t, std::size_t other) {
      places_[t - first_touch_] = lengths[other];
      lengths[other] += shares.touches[t].bytes;
    };
  };
  each_part(place(owned), place(selected));
  const auto lay_out = [&](const std::vector<std::uint64_t>& lengths, Side& side) {
    std::uint64_t at = 0;
    for (const std::uint64_t length : lengths) {
      side.lengths.push_back(static_cast<int>(length)), side.starts.push_back(static_cast<int>(at));
      at += length;
    }
    if (at > std::numeric_limits<int>::max()) {
      throw InvalidArgument("ranks exchange " + std::to_string(at) +
                            " bytes of one chunk; expected less than 2 GiB: choose smaller chunks");
    }
    side.bytes.resize(at);
  };
  lay_out(owned, owned_);
  lay_out(selected, selected_);
  const auto move = [&](const Side& side) {
    return [&](std::size_t t, std::size_t other) {
      places_[t - first_touch_] += static_cast<std::uint64_t>(side.starts[other]);
    };
  };
  each_part(move(owned_), move(selected_));
}

std::uint64_t PartExchange::send_to_selectors() { return send(owned_, selected_); }

std::uint64_t PartExchange::send_to_owners() { return send(selected_, owned_); }

std::uint64_t PartExchange::send(const Side& from, Side& to) const {
  MPI_Alltoallv(from.bytes.data(), from.lengths.data(), from.starts.data(), MPI_BYTE, to.bytes.data(),
                to.lengths.data(), to.starts.data(), MPI_BYTE, ranks_.get());
  return from.bytes.size();
}

}  // namespace rooftop::h5io::internal
