/// Assignment of chunks to ranks: which ranks select parts of a chunk, and which one of them reads or writes it.
#pragma once

#include <hdf5.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ranks.hpp"
#include "rooftop/h5io.hpp"
#include "selections.hpp"

namespace rooftop::h5io::internal {

/// The chunks of a dataset, numbered in row-major order.
class ChunkGrid {
 public:
  explicit ChunkGrid(const Description& description);

  [[nodiscard]] std::uint64_t number(const std::vector<hsize_t>& begin) const;
  [[nodiscard]] std::vector<hsize_t> begin_of(std::uint64_t number) const;
  /// Returns the elements of the array in a chunk. Chunks at the edge are cut off there.
  [[nodiscard]] std::vector<Span> box(std::uint64_t number) const;
  [[nodiscard]] std::uint64_t count() const;

 private:
  std::vector<std::uint64_t> shape_, chunk_, along_;
};

/// The part of a chunk that one selection contains.
struct Touch {
  std::uint64_t chunk;
  std::size_t selection;
  std::uint64_t bytes;
};

/// A chunk with selected elements. Its parts are `touches[first]` to `touches[last - 1]`, in the order of selections.
struct TouchedChunk {
  std::uint64_t number;
  std::size_t first, last;
  int owner = 0;
};

/// The parts of all chunks and their owners. All ranks compute the same.
class ChunkShares {
 public:
  ChunkShares(const Description& description, const std::vector<Selection>& selections, int ranks);

  /// Returns the number of parts of chunks, to which the constructor's time is proportional.
  static std::uint64_t touches_of(const Description& description, const std::vector<Selection>& selections);

  [[nodiscard]] bool of_one_rank(const TouchedChunk& chunk) const;
  /// Returns the rank that selects a part.
  [[nodiscard]] int rank(const Touch& touch) const { return selections_[touch.selection].rank; }
  /// Returns the chunks at which rounds of exchange begin, and the end of the last round. In one round, no rank sends
  /// or receives much more than 64 MiB.
  [[nodiscard]] std::vector<std::size_t> rounds() const;

  ChunkGrid grid;
  std::vector<Touch> touches;
  std::vector<TouchedChunk> chunks;  ///< in ascending order of their numbers

 private:
  void share_out(int ranks);

  const std::vector<Selection>& selections_;
  int ranks_;
};

/// Exchanges the parts of one round between the owners of chunks and the ranks that select them.
class PartExchange {
 public:
  /// Allocates memory for the parts of chunks `first` to `last - 1`. Throws std::bad_alloc, and InvalidArgument if a
  /// message is too long for MPI.
  PartExchange(const Ranks& ranks, const ChunkShares& shares, std::size_t first, std::size_t last);

  /// Return the memory of a part, on the chunk's owner and on the rank that selects it.
  [[nodiscard]] std::byte* at_owner(std::size_t touch) { return owned_.bytes.data() + places_[touch - first_touch_]; }
  [[nodiscard]] std::byte* at_selector(std::size_t touch) {
    return selected_.bytes.data() + places_[touch - first_touch_];
  }
  /// Send all parts of the round. Collective. Return the bytes that this rank sent.
  std::uint64_t send_to_selectors();
  std::uint64_t send_to_owners();

 private:
  struct Side {
    std::vector<int> lengths, starts;  ///< in bytes, of the data exchanged with each rank
    std::vector<std::byte> bytes;
  };

  std::uint64_t send(const Side& from, Side& to) const;

  const Ranks& ranks_;
  std::size_t first_touch_ = 0;
  std::vector<std::uint64_t> places_;  ///< offsets of the parts that this rank sends or receives
  Side owned_, selected_;
};

}  // namespace rooftop::h5io::internal
