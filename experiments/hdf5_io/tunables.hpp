/// What the tuned rung takes beside a case's parameters. All other rungs leave it alone.
#pragma once

#include <cstdint>
#include <string>

namespace hdf5_io {

struct Tunables {
  std::string mode = "independent";  ///< or "collective"
  std::string pattern = "array";     ///< of the file; or "blocks": only what is selected, block after block
  std::int64_t chunk = 0;            ///< elements; 0: the array lies in one piece
  std::string compression = "none";  ///< of chunks: "deflate", "shuffle_deflate", "bitshuffle_lz4", "bitshuffle_zstd"
  std::int64_t level = 0;            ///< 1 to 9; 0: 9 of deflate alone, as h5bench has it, 1 after a shuffle, Zstd's 3
  std::int64_t cache_kib = 1024;     ///< of each rank for chunks
  std::int64_t cache_slots = 521;    ///< of the same: a prime, 100 times the chunks that it holds, says HDF5
  std::int64_t alignment = 1;        ///< of what lies in the file, in bytes
  std::int64_t cb_nodes = 0;         ///< ranks that read for the others in a collective read; 0: as MPI-IO chooses
  std::int64_t cb_buffer_kib = 0;    ///< of each of these; 0: as MPI-IO chooses
  std::string romio_ds_read = "default";  ///< data sieving, of ROMIO alone: "enable", "disable" or "automatic"
  std::string romio_cb_read = "default";  ///< two phases, of ROMIO alone: the same
  std::string metadata = "default";       ///< "collective": read by one rank for all; "latest": in the latest format
};

}  // namespace hdf5_io
