/// Shared reads of a chunked dataset: each chunk is read and decoded once, by one of the ranks that select elements of
/// it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "chunk_shares.hpp"
#include "cost.hpp"
#include "open_file.hpp"
#include "ranks.hpp"

namespace rooftop::h5io::internal {

class ChunkReading {
 public:
  /// `selections`: at most one for each rank.
  ChunkReading(const Ranks& ranks, const Dataset::Open& dataset, const std::vector<Selection>& selections);

  /// Whether the read can be shared: there are not too many parts of chunks, and chunks fit into messages.
  static bool possible(const Ranks& ranks, const Dataset::Open& dataset, const std::vector<Selection>& selections);

  /// Return the expected seconds of the slowest rank if each rank reads by itself, and if they share.
  [[nodiscard]] double seconds_alone(const Costs& costs) const;
  [[nodiscard]] double seconds_shared(const Costs& costs) const;
  /// Reads this rank's selection into `to`. Collective, any number of times. Returns the bytes that this rank sent. An
  /// exception on one rank, or its failure `before`, is thrown on all.
  std::uint64_t read(std::byte* to, const Options& options, const Failure& before, Asked& asked);

 private:
  [[nodiscard]] Counts chunk_counts() const;
  /// Decodes those of the chunks `first` to `last - 1` that this rank owns, into its own memory and for the other
  /// ranks.
  void decode(std::size_t first, std::size_t last, PartExchange& exchange, std::byte* to, const Options& options,
              Asked& asked) const;
  void unpack(std::size_t first, std::size_t last, PartExchange& exchange, std::byte* to) const;

  const Ranks& ranks_;
  const Dataset::Open& dataset_;
  const std::vector<Selection>& selections_;
  ChunkShares shares_;
  std::vector<std::size_t> rounds_;
  /// Of the only round, made by the first read(). Where there are more, each is made anew, to have memory for one.
  std::optional<PartExchange> exchange_;
};

}  // namespace rooftop::h5io::internal
