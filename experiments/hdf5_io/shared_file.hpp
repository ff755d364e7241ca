/// The array, opened by all ranks through MPI-IO.
#pragma once

#include <mpi.h>

#include <rooftop/rung.hpp>
#include <string>

#include "ranks.hpp"

namespace hdf5_io {

/// How a file is opened; as it stands, as the library and MPI-IO open it by themselves.
struct Opening {
  std::size_t cache_bytes = std::size_t{1} << 20, cache_slots = 521;  ///< of each rank, for chunks
  bool collective_metadata = false;                                   ///< read by one rank, which tells the others
  MPI_Info hints = MPI_INFO_NULL;                                     ///< not kept
};

/// For files whose chunks have these bytes. A smaller cache would do without, and read piece by piece.
inline Opening opening_for(std::size_t chunk_bytes) {
  Opening opening;
  constexpr std::size_t chunks = 2, slots_per_chunk = 100;
  opening.cache_bytes = std::max(opening.cache_bytes, chunks * chunk_bytes);
  opening.cache_slots = std::max(opening.cache_slots, slots_per_chunk * opening.cache_bytes / chunk_bytes + 1);
  return opening;
}

class SharedFile {
 public:
  explicit SharedFile(const std::string& path, const Opening& opening = {}) {
#ifdef H5_HAVE_PARALLEL
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_mpio(access, MPI_COMM_WORLD, opening.hints);
    if (opening.collective_metadata) H5Pset_all_coll_metadata_ops(access, true);
    file_ = H5Fopen(path.c_str(), H5F_ACC_RDONLY, access);
    H5Pclose(access);
    rooftop::require(file_ >= 0, path, " cannot be opened by all ranks");
    access_ = H5Pcreate(H5P_DATASET_ACCESS);
    H5Pset_chunk_cache(access_, opening.cache_slots, opening.cache_bytes, H5D_CHUNK_CACHE_W0_DEFAULT);
    dataset_ = H5Dopen2(file_, "x", access_);
#else
    static_cast<void>(opening);
    throw rooftop::Skip(path + ": this HDF5 has no MPI: install libhdf5-openmpi-dev");
#endif
  }
  SharedFile(const SharedFile&) = delete;
  SharedFile& operator=(const SharedFile&) = delete;
  ~SharedFile() { H5Dclose(dataset_), H5Pclose(access_), H5Fclose(file_); }

  /// Lets the library forget the chunks that it has decoded.
  void drop_chunks() {
    H5Dclose(dataset_);
    dataset_ = H5Dopen2(file_, "x", access_);
  }

  /// Reads a part, by all ranks together or each by itself. `apart`: see `read_part`.
  void read(const Parameters& p, const Part& part, bool together, float* to, std::int64_t apart = 1) const {
    const hid_t transfer = H5Pcreate(H5P_DATASET_XFER);
#ifdef H5_HAVE_PARALLEL
    H5Pset_dxpl_mpio(transfer, together ? H5FD_MPIO_COLLECTIVE : H5FD_MPIO_INDEPENDENT);
#else
    static_cast<void>(together);
#endif
    const herr_t done = read_part(dataset_, p, part, transfer, to, apart);
    H5Pclose(transfer);
    rooftop::require(done >= 0, "a rank cannot read its part");
  }

 private:
  hid_t file_ = H5I_INVALID_HID, access_ = H5I_INVALID_HID, dataset_ = H5I_INVALID_HID;
};

}  // namespace hdf5_io
