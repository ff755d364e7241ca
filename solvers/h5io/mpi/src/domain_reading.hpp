/// Reads of an array that lies in one piece, shared by domains of the file: whoever has a domain reads what all ranks
/// select of it, once, and sends it to them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "cost.hpp"
#include "open_file.hpp"
#include "placed_runs.hpp"
#include "ranks.hpp"
#include "selections.hpp"

namespace rooftop::h5io::internal {

/// Parts of the array, one behind the other, cut at the file's pages, and the ranks that have them.
class Domains {
 public:
  Domains(std::uint64_t address, std::uint64_t begin, std::uint64_t end, int ranks, int aggregators);

  [[nodiscard]] int count() const { return count_; }
  /// The rank that has the i-th one.
  [[nodiscard]] int owner(int i) const { return static_cast<int>(std::int64_t{i} * ranks_ / count_); }
  /// Where the i-th one begins; the last one ends where one more would begin.
  [[nodiscard]] std::uint64_t cut(int i) const;

 private:
  std::uint64_t address_, begin_, end_;
  int ranks_, count_;
};

class DomainReading {
 public:
  /// `selections`: at most one of each rank, and not none at all.
  DomainReading(const Ranks& ranks, const Dataset::Open& dataset, const std::vector<Selection>& selections,
                const OptionsByRanks& options);

  /// Of the rank that takes longest where each reads by itself.
  [[nodiscard]] double seconds_alone() const;
  /// What sharing takes at least. Tells soon where it is of no use.
  [[nodiscard]] double seconds_at_least() const;
  /// Looks at all pieces of this rank's domain. Returns what this rank is to do, and makes the memory for it.
  Counts plan();
  /// After plan(), by all ranks. Sends and receives all that there is even if the file cannot be read.
  [[nodiscard]] Failure read(std::byte* to, const Options& options, Asked& asked);
  /// By this rank, to others.
  [[nodiscard]] std::uint64_t sent_bytes() const { return sent_; }

 private:
  /// The part of a domain that is read, and sent, at a time.
  static constexpr std::uint64_t window_bytes = 4 << 20;
  struct Slot {
    Bytes window, packed;
    std::vector<MPI_Request> sends;
  };

  /// Calls `each` with the begin and the end of each window of the i-th domain.
  template <class Function>
  void windows(int i, const Function& each) const {
    for (std::uint64_t from = domains_.cut(i); from < domains_.cut(i + 1); from += window_bytes) {
      each(from, std::min(from + window_bytes, domains_.cut(i + 1)));
    }
  }
  void receive(std::byte* to, std::vector<MPI_Request>& receives) const;
  void send(std::uint64_t from, std::uint64_t end, Slot& slot, std::byte* to);

  const Ranks& ranks_;
  const Dataset::Open& dataset_;
  std::vector<PlacedRuns> runs_;
  std::vector<int> owners_;  ///< the rank of each of these
  const PlacedRuns* own_ = nullptr;
  OptionsByRanks options_;
  Domains domains_;
  int domain_ = -1;  ///< this rank's
  Slot slots_[2];
  std::uint64_t sent_ = 0;
};

}  // namespace rooftop::h5io::internal
