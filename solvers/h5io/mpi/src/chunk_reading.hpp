/// Reads of a chunked array that ranks share: each chunk is decoded by one of those that select something of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "chunk_shares.hpp"
#include "cost.hpp"
#include "open_file.hpp"
#include "ranks.hpp"

namespace rooftop::h5io::internal {

class ChunkReading {
 public:
  /// `selections`: at most one of each rank.
  ChunkReading(const Ranks& ranks, const Dataset::Open& dataset, const std::vector<Selection>& selections);

  /// Whether the work of sharing, and the messages, are of a size that can be.
  static bool possible(const Ranks& ranks, const Dataset::Open& dataset, const std::vector<Selection>& selections);

  /// Of the rank that takes longest, where each reads by itself and where they share.
  [[nodiscard]] double seconds_alone(const Costs& costs) const;
  [[nodiscard]] double seconds_shared(const Costs& costs) const;
  /// Collective. Throws on every rank what it throws on one. Returns how many bytes this rank sent.
  std::uint64_t read(std::byte* to, const Options& options, Asked& asked) const;

 private:
  [[nodiscard]] Counts chunk_counts() const;
  /// Decodes this rank's chunks of those from `first` to `last - 1`, into its memory and for others.
  void decode(std::size_t first, std::size_t last, PartExchange& exchange, std::byte* to, const Options& options,
              Asked& asked) const;
  void unpack(std::size_t first, std::size_t last, PartExchange& exchange, std::byte* to) const;

  const Ranks& ranks_;
  const Dataset::Open& dataset_;
  const std::vector<Selection>& selections_;
  ChunkShares shares_;
};

}  // namespace rooftop::h5io::internal
