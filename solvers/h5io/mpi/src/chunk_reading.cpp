#include "chunk_reading.hpp"

#include <algorithm>
#include <limits>

#include "chunk_part.hpp"
#include "chunk_reader.hpp"
#include "team.hpp"

namespace rooftop::h5io::internal {
namespace {

/// The largest number of parts of chunks. Every rank visits all of them, which takes some tenths of a second for this
/// many.
constexpr std::uint64_t most_touches = 1 << 20;

double most_seconds(const std::vector<Counts>& counts, const Costs& costs) {
  double most = 0;
  for (const Counts& one : counts) most = std::max(most, one.seconds(costs));
  return most;
}

void add(Counts& counts, const Counts& more) {
  counts.calls += more.calls, counts.read_bytes += more.read_bytes, counts.decoded_bytes += more.decoded_bytes;
}

}  // namespace

ChunkReading::ChunkReading(const Ranks& ranks, const Dataset::Open& dataset, const std::vector<Selection>& selections)
    : ranks_(ranks),
      dataset_(dataset),
      selections_(selections),
      shares_(dataset.description, selections, ranks.size()),
      rounds_(shares_.rounds()) {}

bool ChunkReading::possible(const Ranks& ranks, const Dataset::Open& dataset,
                            const std::vector<Selection>& selections) {
  const auto most_bytes = static_cast<std::uint64_t>(std::numeric_limits<int>::max() / ranks.size());
  return dataset.pipeline->chunk_bytes() <= most_bytes &&
         ChunkShares::touches_of(dataset.description, selections) <= most_touches;
}

Counts ChunkReading::chunk_counts() const {
  const std::uint64_t stored = dataset_.description.stored_bytes / std::max<std::uint64_t>(shares_.grid.count(), 1);
  return {.calls = 1,
          .read_bytes = stored,
          .decoded_bytes = dataset_.description.filters.empty() ? 0 : dataset_.pipeline->chunk_bytes()};
}

double ChunkReading::seconds_alone(const Costs& costs) const {
  std::vector<Counts> counts(static_cast<std::size_t>(ranks_.size()));
  for (const Touch& touch : shares_.touches) add(counts[static_cast<std::size_t>(shares_.rank(touch))], chunk_counts());
  return most_seconds(counts, costs);
}

double ChunkReading::seconds_shared(const Costs& costs) const {
  std::vector<Counts> counts(static_cast<std::size_t>(ranks_.size()));
  const std::uint64_t messages = (rounds_.size() - 1) * (counts.size() - 1);
  for (Counts& one : counts) one.messages = messages;
  for (const TouchedChunk& chunk : shares_.chunks) {
    Counts& of_owner = counts[static_cast<std::size_t>(chunk.owner)];
    add(of_owner, chunk_counts());
    for (std::size_t t = chunk.first; t < chunk.last; ++t) {
      const int rank = shares_.rank(shares_.touches[t]);
      if (rank == chunk.owner) continue;
      of_owner.sent_bytes += shares_.touches[t].bytes;
      counts[static_cast<std::size_t>(rank)].sent_bytes += shares_.touches[t].bytes;
    }
  }
  return most_seconds(counts, costs);
}

void ChunkReading::decode(std::size_t first, std::size_t last, PartExchange& exchange, std::byte* to,
                          const Options& options, Asked& asked) const {
  std::vector<std::size_t> mine;
  for (std::size_t c = first; c < last; ++c) {
    if (shares_.chunks[c].owner == ranks_.rank()) mine.push_back(c);
  }
  if (mine.empty()) return;
  struct Work {
    const ChunkReading& all;
    const std::vector<std::size_t>& mine;
    PartExchange& exchange;
    std::byte* to;
    ChunkReader reader;

    void task(std::uint64_t i) {
      const TouchedChunk& chunk = all.shares_.chunks[mine[i]];
      const auto begin = all.shares_.grid.begin_of(chunk.number);
      const std::byte* const values = reader.read(begin);
      for (std::size_t t = chunk.first; t < chunk.last; ++t) {
        const Touch& touch = all.shares_.touches[t];
        const ChunkPart part(all.dataset_.description, all.selections_[touch.selection].spans, begin);
        if (all.shares_.rank(touch) == chunk.owner) {
          part.chunk_to_memory(values, to);
        } else {
          part.chunk_to_packed(values, exchange.at_owner(t));
        }
      }
    }
  };
  share(mine.size(), options, [&] { return Work{*this, mine, exchange, to, ChunkReader(dataset_, asked)}; });
}

void ChunkReading::unpack(std::size_t first, std::size_t last, PartExchange& exchange, std::byte* to) const {
  for (std::size_t c = first; c < last; ++c) {
    const TouchedChunk& chunk = shares_.chunks[c];
    if (chunk.owner == ranks_.rank()) continue;
    for (std::size_t t = chunk.first; t < chunk.last; ++t) {
      const Touch& touch = shares_.touches[t];
      if (shares_.rank(touch) != ranks_.rank()) continue;
      ChunkPart(dataset_.description, selections_[touch.selection].spans, shares_.grid.begin_of(chunk.number))
          .packed_to_memory(exchange.at_selector(t), to);
    }
  }
}

std::uint64_t ChunkReading::read(std::byte* to, const Options& options, const Failure& before, Asked& asked) {
  std::uint64_t sent = 0;
  const bool one_round = rounds_.size() == 2;
  for (std::size_t round = 0; round + 1 < rounds_.size(); ++round) {
    const std::size_t first = rounds_[round], last = rounds_[round + 1];
    ranks_.together([&] {
      before.raise();
      if (!exchange_ || !one_round) exchange_.emplace(ranks_, shares_, first, last);
      decode(first, last, *exchange_, to, options, asked);
    });
    sent += exchange_->send_to_selectors();
    unpack(first, last, *exchange_, to);
  }
  if (!one_round) exchange_.reset();
  return sent;
}

}  // namespace rooftop::h5io::internal
