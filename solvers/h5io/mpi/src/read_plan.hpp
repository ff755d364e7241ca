/// What ranks decide before they read, and any number of reads by it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "chunk_reading.hpp"
#include "domain_reading.hpp"
#include "open_file.hpp"
#include "ranks.hpp"
#include "rooftop/h5io_mpi.hpp"
#include "selections.hpp"

namespace rooftop::h5io::internal {

/// One rank's part of a read: what it selects, and its memory.
struct PartOfRead {
  std::vector<Span> spans;
  std::byte* to = nullptr;
  std::size_t to_bytes = 0;
};

/// A read by all ranks. The ranks exchange what they select, and choose between separate reads, domains and chunks.
class ReadPlan {
 public:
  /// Collective. If `opened` is given, the file must have this state now and in each run. Throws InvalidArgument,
  /// FileError and std::bad_alloc on all ranks.
  ReadPlan(std::shared_ptr<const Ranks> ranks, Dataset dataset, PartOfRead part, const OptionsByRanks& options,
           std::shared_ptr<const FileState> opened = nullptr);
  ReadPlan(const ReadPlan&) = delete;
  ReadPlan& operator=(const ReadPlan&) = delete;

  /// Returns the way of sharing. All ranks have the same.
  [[nodiscard]] Sharing sharing() const;
  /// Returns the size of this rank's selection.
  [[nodiscard]] std::uint64_t selected_bytes() const { return selected_bytes_; }
  /// Reads. Collective, unless each rank reads by itself and its errors are its own: see ThrownOn.
  ReportByRanks run();

 private:
  [[nodiscard]] const Dataset::Open& opened() const { return dataset_.opened(); }
  void require_valid_part();
  void require_unchanged() const;
  /// Whether this rank can share a read in this way. Ranks may differ in the filters that are installed.
  [[nodiscard]] bool can_share(Sharing sharing) const;
  /// Exchanges options and selections in one message. Returns the way of sharing that the layout and the options allow,
  /// if all ranks can take part. Throws on all ranks if any has a failure.
  std::optional<Sharing> exchange(const Failure& failure, const OptionsByRanks& own);
  /// Plan a shared read, unless it is expected to take longer than separate ones.
  void plan_domains();
  void plan_chunks();
  [[nodiscard]] Failure change() const;
  ReportByRanks run_alone();
  ReportByRanks finished(Way way, const Asked& asked, std::uint64_t sent_bytes) const;

  std::shared_ptr<const Ranks> ranks_;
  Dataset dataset_;
  PartOfRead part_;
  std::shared_ptr<const FileState> state_;  ///< that the file must have
  std::uint64_t selected_bytes_ = 0;
  OptionsByRanks options_;
  std::vector<Selection> selections_;     ///< of all ranks
  std::optional<DomainReading> domains_;  ///< if the ranks share by domains
  std::optional<ChunkReading> chunks_;    ///< if the ranks share chunks
};

}  // namespace rooftop::h5io::internal
