#include "chunk_places.hpp"

#include <algorithm>

#include "library.hpp"

namespace rooftop::h5io::internal {
namespace {

/// The i-th call goes through all chunks before: for so many, all of them together take some 20 ms.
constexpr hsize_t most_by_number = 2000;
constexpr std::uint64_t most_places = std::uint64_t{1} << 20;

bool has_user_block(hid_t file) {
  const PropertiesId properties(H5Fget_create_plist(file));
  hsize_t bytes = 0;
  return H5Pget_userblock(properties.get(), &bytes) < 0 || bytes > 0;
}

}  // namespace

ChunkPlaces::ChunkPlaces(const Description& description) : chunk_(description.chunk) {
  std::uint64_t all = 1;
  for (std::size_t d = 0; d < chunk_.size(); ++d) {
    chunks_.push_back((description.shape[d] + chunk_[d] - 1) / chunk_[d]);
    all *= chunks_.back();
  }
  places_.resize(all);
}

std::size_t ChunkPlaces::number(const std::vector<hsize_t>& begin) const {
  std::size_t number = 0;
  for (std::size_t d = 0; d < chunk_.size(); ++d) number = number * chunks_[d] + begin[d] / chunk_[d];
  return number;
}

std::optional<ChunkPlaces> ChunkPlaces::find(hid_t file, hid_t dataset, const Description& description) {
  std::uint64_t all = 1;
  for (std::size_t d = 0; d < description.chunk.size(); ++d) {
    const std::uint64_t along = (description.shape[d] + description.chunk[d] - 1) / description.chunk[d];
    if (along > most_places / all) return {};
    all *= std::max<std::uint64_t>(along, 1);
  }
  // 1.10 does not take H5S_ALL here.
  const SpaceId space(H5Dget_space(dataset));
  hsize_t written = 0;
  if (has_user_block(file) || H5Dget_num_chunks(dataset, space.get(), &written) < 0) return {};
#if H5_VERSION_GE(1, 14, 0)
  ChunkPlaces places(description);
  struct Found {
    ChunkPlaces* places;
    std::vector<hsize_t> begin;
  } found{&places, std::vector<hsize_t>(description.chunk.size())};
  const auto keep = [](const hsize_t* begin, unsigned skipped, haddr_t address, hsize_t bytes, void* to) {
    auto& [all_places, at] = *static_cast<Found*>(to);
    at.assign(begin, begin + at.size());
    all_places->places_[all_places->number(at)] = {address, bytes, skipped};
    return H5_ITER_CONT;
  };
  if (H5Dchunk_iter(dataset, H5P_DEFAULT, keep, &found) < 0) return {};
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
    places.places_[places.number(begin)] = {address, bytes, skipped};
  }
  return places;
#endif
}

}  // namespace rooftop::h5io::internal
