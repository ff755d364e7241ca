/// Writes of a chunked array by ranks: each chunk is put together and encoded by one of those that have parts of it,
/// and rank 0 hands all of them to the HDF5 library.
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

  /// Collective. Throws on every rank what it throws on one. Returns how many bytes this rank sent.
  std::uint64_t write(const Options& options, Asked& asked);

 private:
  /// A chunk as it goes into the file, or, `plain`, its elements for the library to encode.
  struct Encoded {
    std::uint64_t number = 0;
    bool plain = false;
    Bytes bytes;
  };
  class Work;

  /// Whether ranks write all of a chunk, and nothing twice.
  [[nodiscard]] bool whole(const TouchedChunk& chunk);
  [[nodiscard]] bool overlapping(std::size_t one, std::size_t other);
  void pack(std::size_t first, std::size_t last, PartExchange& exchange) const;
  [[nodiscard]] std::vector<Encoded> encode(std::size_t first, std::size_t last, PartExchange& exchange,
                                            const Options& options, Asked& asked) const;
  /// To rank 0, which writes them. Returns what went wrong there.
  Failure hand_over(const std::vector<Encoded>& own, std::uint64_t& sent) const;
  void put(std::uint64_t number, bool plain, const void* bytes, std::size_t count) const;

  const Ranks& ranks_;
  const OutputArray& array_;
  const std::vector<Selection>& selections_;
  const std::vector<Written>& parts_;
  ChunkShares shares_;
  std::vector<char> whole_;  ///< of each touched chunk
  std::map<std::pair<std::size_t, std::size_t>, bool> overlapping_;
};

}  // namespace rooftop::h5io::internal
