/// Which chunks the ranks select parts of, and which rank has the work of each.
#pragma once

#include <hdf5.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ranks.hpp"
#include "rooftop/h5io.hpp"
#include "selections.hpp"

namespace rooftop::h5io::internal {

/// The chunks of a dataset, numbered row by row.
class ChunkGrid {
 public:
  explicit ChunkGrid(const Description& description);

  [[nodiscard]] std::uint64_t number(const std::vector<hsize_t>& begin) const;
  [[nodiscard]] std::vector<hsize_t> begin_of(std::uint64_t number) const;
  /// Elements of the array in a chunk: those at the end of a dimension end there.
  [[nodiscard]] std::vector<Span> box(std::uint64_t number) const;
  [[nodiscard]] std::uint64_t count() const;

 private:
  std::vector<std::uint64_t> shape_, chunk_, along_;
};

/// Part of a chunk that one selection has.
struct Touch {
  std::uint64_t chunk;
  std::size_t selection;
  std::uint64_t bytes;
};

/// A chunk that is touched, by `touches[first]` to `touches[last - 1]`, in the order of selections.
struct TouchedChunk {
  std::uint64_t number;
  std::size_t first, last;
  int owner = 0;
};

/// The same on all ranks.
class ChunkShares {
 public:
  ChunkShares(const Description& description, const std::vector<Selection>& selections, int ranks);

  /// Parts of chunks that there are: what the constructor takes its time for.
  static std::uint64_t touches_of(const Description& description, const std::vector<Selection>& selections);

  [[nodiscard]] bool of_one_rank(const TouchedChunk& chunk) const;
  /// The rank that a part of a chunk belongs to.
  [[nodiscard]] int rank(const Touch& touch) const { return selections_[touch.selection].rank; }
  /// Where the rounds begin in which parts of chunks are exchanged, and where the last one ends: no rank sends and
  /// receives much more than 64 MiB in one.
  [[nodiscard]] std::vector<std::size_t> rounds() const;

  ChunkGrid grid;
  std::vector<Touch> touches;
  std::vector<TouchedChunk> chunks;  ///< by their numbers

 private:
  void share_out(int ranks);

  const std::vector<Selection>& selections_;
  int ranks_;
};

/// Memory for the parts of one round, on both sides, and their way between them.
class PartExchange {
 public:
  /// Of chunks `first` to `last - 1`. Throws std::bad_alloc, and InvalidArgument where MPI cannot count so far.
  PartExchange(const Ranks& ranks, const ChunkShares& shares, std::size_t first, std::size_t last);

  /// Where the part of a touch lies, on the rank that has the chunk, and on the one that selects it.
  [[nodiscard]] std::byte* at_owner(std::size_t touch) { return owned_.bytes.data() + places_[touch - first_touch_]; }
  [[nodiscard]] std::byte* at_selector(std::size_t touch) {
    return selected_.bytes.data() + places_[touch - first_touch_];
  }
  /// Collective. Return how many bytes this rank sends.
  std::uint64_t send_to_selectors();
  std::uint64_t send_to_owners();

 private:
  struct Side {
    std::vector<int> lengths, starts;  ///< of what is exchanged with each rank
    std::vector<std::byte> bytes;
  };

  std::uint64_t send(const Side& from, Side& to) const;

  const Ranks& ranks_;
  std::size_t first_touch_ = 0;
  std::vector<std::uint64_t> places_;  ///< of this rank's parts of others' chunks and others' parts of its chunks
  Side owned_, selected_;
};

}  // namespace rooftop::h5io::internal
