/// Which decoded chunks are kept.
#pragma once

#include <hdf5.h>

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <vector>

#include "pipeline.hpp"

namespace rooftop::h5io::internal {

/// Chunks by their first elements, up to so many bytes and so many chunks. Those go first that the HDF5 library's chunk
/// cache lets go first by default (H5Pset_chunk_cache, w0 of 0.75): the least recently used one of which everything was
/// read, unless its last use lies in the latest quarter of the time since the oldest one's; otherwise the least
/// recently used one. One thread at a time may call it.
class KeptChunks {
 public:
  using Chunk = std::shared_ptr<const Bytes>;
  using Begin = std::vector<hsize_t>;

  KeptChunks(std::size_t most_bytes, std::size_t most_chunks) : most_bytes_(most_bytes), most_chunks_(most_chunks) {}

  [[nodiscard]] std::size_t count() const { return entries_.size(); }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  [[nodiscard]] bool has(const Begin& begin) const { return entries_.contains(begin); }
  /// Uses a chunk, of which so many bytes are read. Null where it is not kept.
  [[nodiscard]] Chunk use(const Begin& begin, std::uint64_t read_bytes);
  /// Keeps a chunk of which so many bytes were read, unless it is longer than all may be or is kept already. Returns
  /// those that went for it: freeing them takes a while.
  std::vector<Chunk> add(const Begin& begin, Chunk chunk, std::uint64_t read_bytes);

 private:
  struct Entry {
    std::map<Begin, std::list<Entry>::iterator>::iterator place;
    Chunk chunk;
    std::uint64_t unread, used;  ///< bytes; when, in uses of any chunk
  };
  using Entries = std::list<Entry>;  ///< the least recently used one first

  void note_read(Entries::iterator entry, std::uint64_t bytes);
  [[nodiscard]] Entries& oldest();
  Chunk drop_one();

  std::size_t most_bytes_, most_chunks_, bytes_ = 0;
  std::uint64_t uses_ = 0;
  Entries partly_read_, read_;
  std::map<Begin, Entries::iterator> entries_;
};

}  // namespace rooftop::h5io::internal
