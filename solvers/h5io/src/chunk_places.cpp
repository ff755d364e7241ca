#include "chunk_places.hpp"

#include <algorithm>
#include <iterator>

#include "library.hpp"

namespace rooftop::h5io::internal {
namespace {

/// H5Dget_chunk_info() for the i-th chunk visits all chunks before it. For this many chunks, all calls together take
/// about 20 ms.
constexpr hsize_t most_by_number = 2000;
constexpr std::uint64_t most_places = std::uint64_t{1} << 20;

bool has_user_block(hid_t file) {
  const PropertiesId properties(H5Fget_create_plist(file));
  hsize_t bytes = 0;
  return H5Pget_userblock(properties.get(), &bytes) < 0 || bytes > 0;
}

/// Whether the library returns the right corners when it iterates over chunks. HDF5 1.10 to 2.0 iterate over the array
/// indexes of format 1.10 as if only the first dimension could grow, and return wrong corners if another one can.
/// Looking up a single chunk by its corner is always right.
bool are_corners_right(hid_t dataset, hid_t space, const Description& description) {
  H5D_chunk_index_t kind = H5D_CHUNK_IDX_BTREE;
  if (H5Dget_chunk_index_type(dataset, &kind) < 0) return false;
  if (kind != H5D_CHUNK_IDX_FARRAY && kind != H5D_CHUNK_IDX_EARRAY) return true;
  std::vector<hsize_t> most(description.shape.size());
  if (H5Sget_simple_extent_dims(space, nullptr, most.data()) < 0) return false;
  for (std::size_t d = 1; d < most.size(); ++d) {
    const std::uint64_t chunk = description.chunk[d];
    if (most[d] == H5S_UNLIMITED || (most[d] - 1) / chunk != (description.shape[d] - 1) / chunk) return false;
  }
  return true;
}

}  // namespace

ChunkPlaces::ChunkPlaces(const Description& description) : chunk_(description.chunk) {
  std::uint64_t all = 1;
  for (std::size_t d = 0; d < chunk_.size(); ++d) {
    chunks_.push_back((description.shape[d] + chunk_[d] - 1) / chunk_[d]);
    all *= chunks_.back();
  }
  places_.resize(all);
  if (!description.filters.empty()) return;
  plain_bytes_ = description.element_bytes;
  for (const std::uint64_t length : chunk_) plain_bytes_ *= length;
}

std::size_t ChunkPlaces::number(const std::vector<hsize_t>& begin) const {
  std::size_t number = 0;
  for (std::size_t d = 0; d < chunk_.size(); ++d) number = number * chunks_[d] + begin[d] / chunk_[d];
  return number;
}

bool ChunkPlaces::keep(const hsize_t* begin, const ChunkPlace& place, std::uint64_t file_bytes) {
  for (std::size_t d = 0; d < chunk_.size(); ++d) {
    if (begin[d] % chunk_[d] != 0 || begin[d] / chunk_[d] >= chunks_[d]) return false;
  }
  if (place.bytes == 0 || place.bytes > file_bytes || place.address > file_bytes - place.bytes) return false;
  if (plain_bytes_ != 0 && place.bytes != plain_bytes_) return false;
  ChunkPlace& kept = places_[number({begin, begin + chunk_.size()})];
  if (kept.bytes != 0) return false;
  kept = place;
  return true;
}

bool ChunkPlaces::are_apart() const {
  std::vector<ChunkPlace> written;
  std::copy_if(places_.begin(), places_.end(), std::back_inserter(written),
               [](const ChunkPlace& place) { return place.bytes > 0; });
  std::sort(written.begin(), written.end(),
            [](const ChunkPlace& one, const ChunkPlace& other) { return one.address < other.address; });
  const auto meets = [](const ChunkPlace& one, const ChunkPlace& other) {
    return one.address + one.bytes > other.address;
  };
  return std::adjacent_find(written.begin(), written.end(), meets) == written.end();
}

std::optional<ChunkPlaces> ChunkPlaces::find(hid_t file, hid_t dataset, const Description& description,
                                             std::uint64_t file_bytes) {
  std::uint64_t all = 1;
  for (std::size_t d = 0; d < description.chunk.size(); ++d) {
    const std::uint64_t along = (description.shape[d] + description.chunk[d] - 1) / description.chunk[d];
    if (along > most_places / all) return {};
    all *= std::max<std::uint64_t>(along, 1);
  }
  // HDF5 1.10 does not accept H5S_ALL here.
  const SpaceId space(H5Dget_space(dataset));
  hsize_t written = 0;
  if (has_user_block(file) || H5Dget_num_chunks(dataset, space.get(), &written) < 0) return {};
  if (!are_corners_right(dataset, space.get(), description)) return {};
#if H5_VERSION_GE(1, 14, 0)
  ChunkPlaces places(description);
  struct Found {
    ChunkPlaces& places;
    std::uint64_t file_bytes;
  } found{places, file_bytes};
  const auto keep = [](const hsize_t* begin, unsigned skipped, haddr_t address, hsize_t bytes, void* to) {
    const auto& [kept, all_bytes] = *static_cast<Found*>(to);
    return kept.keep(begin, {address, bytes, skipped}, all_bytes) ? H5_ITER_CONT : H5_ITER_ERROR;
  };
  if (H5Dchunk_iter(dataset, H5P_DEFAULT, keep, &found) < 0 || !places.are_apart()) return {};
  return places;
#else
  if (written > most_by_number) return {};
  ChunkPlaces places(description);
  std::vector<hsize_t> begin(description.chunk.size());
  for (hsize_t i = 0; i < written; ++i) {
    unsigned skipped = 0;
    haddr_t address = 0;
    hsize_t bytes = 0;
    if (H5Dget_chunk_info(dataset, space.get(), i, begin.data(), &skipped, &address, &bytes) < 0) return {};
    if (!places.keep(begin.data(), {address, bytes, skipped}, file_bytes)) return {};
  }
  return places.are_apart() ? std::optional(places) : std::nullopt;
#endif
}

}  // namespace rooftop::h5io::internal
