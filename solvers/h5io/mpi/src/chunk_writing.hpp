/// Writes of a chunked dataset by ranks: each chunk is assembled and encoded by one of the ranks that have parts of it,
/// and rank 0 passes all chunks to the HDF5 library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "chunk_shares.hpp"
#include "encoder.hpp"
#include "output_by_ranks.hpp"

namespace rooftop::h5io::internal {

class ChunkWriting {
 public:
  ChunkWriting(const OutputByRanks& file, const OutputArray& array, const std::vector<Selection>& selections,
               const std::vector<Written>& parts);

  /// Writes the parts of all ranks. Collective. Returns the bytes that this rank sent. An exception on one rank is
  /// thrown on all.
  std::uint64_t write(const Options& options, Asked& asked);

 private:
  /// An encoded chunk or, if `plain`, its elements, which the library is to encode.
  struct Encoded {
    std::uint64_t number = 0;
    bool plain = false;
    Bytes bytes;
  };
  class Work;

  /// Whether the ranks write every element of a chunk exactly once.
  [[nodiscard]] bool whole(const TouchedChunk& chunk);
  [[nodiscard]] bool overlapping(std::size_t one, std::size_t other);
  void pack(std::size_t first, std::size_t last, PartExchange& exchange) const;
  [[nodiscard]] std::vector<Encoded> encode(std::size_t first, std::size_t last, PartExchange& exchange,
                                            const Options& options, Asked& asked) const;
  /// Sends this rank's chunks to rank 0, which writes them. Returns the failure of rank 0.
  Failure hand_over(const std::vector<Encoded>& own, std::uint64_t& sent) const;
  void put(std::uint64_t number, bool plain, const void* bytes, std::size_t count) const;

  const Ranks& ranks_;
  const OutputArray& array_;
  const std::vector<Selection>& selections_;
  const std::vector<Written>& parts_;
  ChunkShares shares_;
  std::vector<char> whole_;  ///< for each touched chunk, whether it is whole
  std::map<std::pair<std::size_t, std::size_t>, bool> overlapping_;
};

}  // namespace rooftop::h5io::internal
