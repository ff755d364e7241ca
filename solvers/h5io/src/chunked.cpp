#include "chunked.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "chunk_pieces.hpp"
#include "team.hpp"

namespace rooftop::h5io::internal {
namespace {

/// One thread's part: it reads chunks, decodes them, and copies what is selected.
class Reader {
 public:
  Reader(const Dataset::Open& dataset, const std::vector<Span>& spans, const TouchedChunks& touched,
         const std::vector<std::uint64_t>& memory, std::byte* to, Asked& asked)
      : dataset_(dataset),
        spans_(spans),
        touched_(touched),
        memory_(memory),
        to_(to),
        asked_(asked),
        places_(dataset.places()),
        decoder_(*dataset.pipeline),
        begin_(spans.size()),
        pieces_(spans.size()) {}

  void task(std::uint64_t i) {
    const Description& description = dataset_.description;
    touched_.begin_of(i, begin_);
    std::uint32_t skipped = 0;
    if (read_chunk(skipped)) {
      decoder_.undo(chunk_, skipped, where());
    } else {
      chunk_.make_room(dataset_.pipeline->chunk_bytes());
      fill(dataset_.fill, static_cast<std::byte*>(chunk_.data), chunk_.room / description.element_bytes);
    }
    for (std::size_t d = 0; d < spans_.size(); ++d) {
      pieces_in_chunk(spans_[d], begin_[d], description.chunk[d], pieces_[d]);
    }
    copy_from_chunk({pieces_, description.chunk, memory_, description.element_bytes},
                    static_cast<const std::byte*>(chunk_.data), to_);
  }

 private:
  /// Whether the chunk was ever written; as it lies in the file then.
  bool read_chunk(std::uint32_t& skipped) {
    if (places_ != nullptr) {
      const ChunkPlace& place = places_->at(begin_);
      if (place.bytes == 0) return false;
      skipped = place.skipped;
      chunk_.make_room(place.bytes);
      chunk_.size = place.bytes;
      dataset_.file->source->read(place.address, chunk_.data, place.bytes, asked_);
      return true;
    }
    const Locked locked;
    hsize_t stored = 0;
    if (H5Dget_chunk_storage_size(dataset_.id.get(), begin_.data(), &stored) < 0) {
      throw FileError(where() + " cannot be found: " + Locked::reason());
    }
    if (stored == 0) return false;
    chunk_.make_room(stored);
    if (H5Dread_chunk(dataset_.id.get(), H5P_DEFAULT, begin_.data(), &skipped, chunk_.data) < 0) {
      throw FileError(where() + " cannot be read: " + Locked::reason());
    }
    chunk_.size = stored;
    asked_.bytes.fetch_add(stored, std::memory_order_relaxed);
    asked_.reads.fetch_add(1, std::memory_order_relaxed);
    return true;
  }

  [[nodiscard]] std::string where() const {
    std::string text = dataset_.where() + ": the chunk at";
    for (const hsize_t at : begin_) text += " " + std::to_string(at);
    return text;
  }

  const Dataset::Open& dataset_;
  const std::vector<Span>& spans_;
  const TouchedChunks& touched_;
  const std::vector<std::uint64_t>& memory_;
  std::byte* to_;
  Asked& asked_;
  const ChunkPlaces* places_;
  Decoder decoder_;
  Bytes chunk_;
  std::vector<hsize_t> begin_;
  std::vector<std::vector<Piece>> pieces_;
};

}  // namespace

void read_chunked(const Dataset::Open& dataset, const std::vector<Span>& spans, std::byte* to, const Options& options,
                  Asked& asked) {
  const TouchedChunks touched(spans, dataset.description.chunk);
  std::vector<std::uint64_t> memory;
  for (const Span& span : spans) memory.push_back(span.size());
  share(touched.count(), options, [&] { return Reader(dataset, spans, touched, memory, to, asked); });
}

void fill(const std::vector<std::byte>& element, std::byte* to, std::size_t elements) {
  if (std::all_of(element.begin(), element.end(), [&](std::byte one) { return one == element.front(); })) {
    std::memset(to, static_cast<int>(element.front()), elements * element.size());
    return;
  }
  for (std::size_t i = 0; i < elements; ++i) std::memcpy(to + i * element.size(), element.data(), element.size());
}

}  // namespace rooftop::h5io::internal
