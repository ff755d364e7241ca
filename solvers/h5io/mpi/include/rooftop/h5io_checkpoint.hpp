/// Arrays that ranks have parts of, saved to one HDF5 file and loaded by any number of ranks.
///
/// Each array is a dataset of its own name, whole and in one piece, which any HDF5 library reads. Beside them are
/// checksums of each MiB, in "checkpoint/".
#pragma once

#include <mpi.h>

#include <cstdint>
#include <string>
#include <vector>

#include "rooftop/h5io.hpp"

namespace rooftop::h5io {

/// Part of an array: `extent` elements from `start` on in each dimension.
struct Box {
  std::vector<std::uint64_t> start, extent;
};

/// An array, of which this rank has a part. The whole is the same on all ranks.
template <typename Pointer>
struct PartOfArray {
  std::string name;                  ///< such as "fields/pressure"
  std::string type;                  ///< as in Description, such as "<f8"
  std::vector<std::uint64_t> shape;  ///< of the whole
  Box box;                           ///< perhaps empty
  Pointer data = nullptr;            ///< of the box, row by row
};
using SavedPart = PartOfArray<const void*>;
using LoadedPart = PartOfArray<void*>;

/// Saves arrays. A checkpoint that was at `path` stays as it was until the new one is whole and on the device. Where
/// boxes overlap, the highest rank's values count. Collective. Throws on every rank what it throws on one:
/// InvalidArgument, also where boxes have fewer elements than their array, and FileError.
void save_checkpoint(const std::string& path, const std::vector<SavedPart>& arrays, MPI_Comm ranks);

/// Loads arrays, or some of those that were saved. Collective. Throws on every rank what it throws on one:
/// InvalidArgument where an array is of another shape or type, and FileError where the file is no checkpoint, is of a
/// version that is not known, is cut short, or does not agree with its checksums. Memory is written to after all
/// checksums of all arrays agreed.
void load_checkpoint(const std::string& path, const std::vector<LoadedPart>& arrays, MPI_Comm ranks);

}  // namespace rooftop::h5io
