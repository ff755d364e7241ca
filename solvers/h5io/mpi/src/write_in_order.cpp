#include "write_in_order.hpp"

#include <algorithm>
#include <set>

#include "contiguous.hpp"
#include "runs.hpp"

namespace rooftop::h5io::internal {
namespace {

constexpr int tag = 2;

/// Returns the ranks with a selection that overlaps one of those of `own_rank`.
std::set<int> overlapping_ranks(const std::vector<Selection>& selections, int own_rank) {
  std::set<int> ranks;
  for (const Selection& own : selections) {
    if (own.rank != own_rank) continue;
    for (const Selection& other : selections) {
      if (other.rank != own_rank && overlap(own.spans, other.spans)) ranks.insert(other.rank);
    }
  }
  return ranks;
}

}  // namespace

Failure write_in_order(const OutputByRanks& file, const OutputArray& array, const std::vector<Selection>& selections,
                       const std::vector<Written>& parts, const Options& options, Asked& asked) {
  const Ranks& ranks = file.ranks;
  const std::set<int> others = overlapping_ranks(selections, ranks.rank());
  for (const int other : others) {
    if (other < ranks.rank()) MPI_Recv(nullptr, 0, MPI_BYTE, other, tag, ranks.get(), MPI_STATUS_IGNORE);
  }
  Failure failure = failure_of([&] {
    for (const Selection& one : selections) {
      if (one.rank != ranks.rank()) continue;
      const Runs runs(array.description.shape, one.spans, array.description.element_bytes);
      write_contiguous(file.source(), *array.address, runs, static_cast<const std::byte*>(parts[one.number].from),
                       options, asked);
    }
  });
  for (const int other : others) {
    if (other > ranks.rank()) MPI_Send(nullptr, 0, MPI_BYTE, other, tag, ranks.get());
  }
  return failure;
}

}  // namespace rooftop::h5io::internal
