#include "chunk_reader.hpp"

#include "chunked.hpp"

namespace rooftop::h5io::internal {
namespace {

constexpr std::uint32_t all_filters = ~std::uint32_t{0};

}  // namespace

ChunkReader::ChunkReader(const Dataset::Open& dataset, Asked& asked)
    : dataset_(dataset), asked_(asked), places_(dataset.places()), decoder_(*dataset.pipeline) {}

const std::byte* ChunkReader::read(const std::vector<hsize_t>& begin) {
  std::uint32_t skipped = 0;
  if (read_stored(begin, skipped)) {
    decoder_.undo(chunk_, skipped, where(begin));
  } else {
    chunk_.make_room(dataset_.pipeline->chunk_bytes());
    fill(dataset_.fill, static_cast<std::byte*>(chunk_.data), chunk_.room / dataset_.description.element_bytes);
  }
  return static_cast<const std::byte*>(chunk_.data);
}

bool ChunkReader::read_stored(const std::vector<hsize_t>& begin, std::uint32_t& skipped) {
  if (places_ != nullptr) {
    const ChunkPlace& place = places_->at(begin);
    if (place.bytes == 0) return false;
    skipped = dataset_.is_plain(begin) ? all_filters : place.skipped;
    chunk_.make_room(place.bytes);
    chunk_.size = place.bytes;
    dataset_.file->source->read(place.address, chunk_.data, place.bytes, asked_);
    return true;
  }
  const Locked locked;
  hsize_t stored = 0;
  if (H5Dget_chunk_storage_size(dataset_.id.get(), begin.data(), &stored) < 0) {
    require_absent(begin, Locked::reason());
    return false;
  }
  if (stored == 0) return false;
  chunk_.make_room(stored);
#if H5_VERSION_GE(2, 0, 0)
  std::size_t room = chunk_.room;
  const herr_t done = H5Dread_chunk2(dataset_.id.get(), H5P_DEFAULT, begin.data(), &skipped, chunk_.data, &room);
#else
  const herr_t done = H5Dread_chunk(dataset_.id.get(), H5P_DEFAULT, begin.data(), &skipped, chunk_.data);
#endif
  if (done < 0) {
    require_absent(begin, Locked::reason());
    return false;
  }
  chunk_.size = stored;
  asked_.bytes.fetch_add(stored, std::memory_order_relaxed);
  asked_.reads.fetch_add(1, std::memory_order_relaxed);
  if (dataset_.is_plain(begin)) skipped = all_filters;
  return true;
}

void ChunkReader::require_absent(const std::vector<hsize_t>& begin, const std::string& reason) const {
  std::vector<Span> first;
  for (const hsize_t at : begin) first.push_back({at, 1, 1, 1});
  const Selected selected(dataset_.id.get(), first);
  std::vector<std::byte> element(dataset_.description.element_bytes);
  if (H5Dread(dataset_.id.get(), dataset_.type.get(), selected.memory.get(), selected.file.get(), H5P_DEFAULT,
              element.data()) < 0) {
    throw FileError(where(begin) + " cannot be read: " + reason);
  }
}

std::string ChunkReader::where(const std::vector<hsize_t>& begin) const {
  std::string text = dataset_.where() + ": the chunk at";
  for (const hsize_t at : begin) text.append(1, ' ').append(std::to_string(at));
  return text;
}

}  // namespace rooftop::h5io::internal
