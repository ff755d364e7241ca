/// Shared reads of a contiguous dataset, by domains of the file (two-phase I/O): the owner of a domain reads once what
/// any rank selects of it, and sends it to those ranks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "cost.hpp"
#include "open_file.hpp"
#include "placed_runs.hpp"
#include "ranks.hpp"
#include "selections.hpp"
#include "window.hpp"

namespace rooftop::h5io::internal {

/// Consecutive parts of the array, divided at page boundaries of the file, and the ranks that own them.
class Domains {
 public:
  Domains(std::uint64_t address, std::uint64_t begin, std::uint64_t end, int ranks, int aggregators);

  [[nodiscard]] int count() const { return count_; }
  /// Returns the rank that owns the i-th domain.
  [[nodiscard]] int owner(int i) const { return static_cast<int>(std::int64_t{i} * ranks_ / count_); }
  /// Returns the beginning of the i-th domain; `cut(count())` is the end of the last one.
  [[nodiscard]] std::uint64_t cut(int i) const;

 private:
  std::uint64_t address_, begin_, end_;
  int ranks_, count_;
};

class DomainReading {
 public:
  /// `selections`: at most one for each rank, and at least one.
  DomainReading(const Ranks& ranks, const Dataset::Open& dataset, const std::vector<Selection>& selections,
                const OptionsByRanks& options);

  /// Returns the expected seconds of the slowest rank if each rank reads by itself.
  [[nodiscard]] double seconds_alone() const;
  /// Returns a lower bound of the seconds of a shared read, without plan(), to rule it out cheaply.
  [[nodiscard]] double seconds_at_least() const;
  /// Visits all pieces in this rank's domain, and allocates memory. Returns the work of this rank.
  Counts plan();
  /// Reads this rank's selection into `to`. Collective, after plan(), any number of times. If the file cannot be read,
  /// or this rank has a failure `before`, all messages are sent and received nevertheless, and the failure is returned.
  [[nodiscard]] Failure read(std::byte* to, const Options& options, Failure before, Asked& asked);
  /// Returns the bytes that this rank sent to others in the last read().
  [[nodiscard]] std::uint64_t sent_bytes() const { return sent_; }

 private:
  /// A domain is read and sent in windows of this size.
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
  /// Returns a lower bound of the bytes that the owners of all domains read.
  [[nodiscard]] std::uint64_t read_at_least() const;
  void receive(std::byte* to, std::vector<MPI_Request>& receives) const;
  void send(std::uint64_t from, std::uint64_t end, Slot& slot, std::byte* to);

  const Ranks& ranks_;
  const Dataset::Open& dataset_;
  std::vector<PlacedRuns> runs_;
  std::vector<int> owners_;  ///< the rank of each of `runs_`
  const PlacedRuns* own_ = nullptr;
  OptionsByRanks options_;
  Domains domains_;
  int domain_ = -1;               ///< the domain of this rank, or -1
  std::optional<Window> window_;  ///< of this rank's domain
  Slot slots_[2];
  std::vector<MPI_Request> receives_;
  std::uint64_t sent_ = 0;
};

}  // namespace rooftop::h5io::internal
