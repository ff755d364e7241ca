#include "chunked.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <numeric>
#include <optional>

#include "chunk_pieces.hpp"
#include "chunk_reader.hpp"
#include "team.hpp"

namespace rooftop::h5io::internal {
namespace {

/// The work of one thread: reads and decodes chunks, and copies their selected elements.
class Reader {
 public:
  /// `version`: of the file, before anything was read of it.
  Reader(const Dataset::Open& dataset, std::uint64_t version, const std::vector<Span>& spans,
         const TouchedChunks& touched, const std::vector<std::uint64_t>& memory, std::byte* to, Asked& asked)
      : dataset_(dataset),
        asked_(asked),
        description_(dataset.description),
        kept_(dataset.memory()),
        version_(version),
        keeps_(kept_.keeps() && touched.count() <= most_kept_bytes(dataset) / dataset.pipeline->chunk_bytes()),
        spans_(spans),
        touched_(touched),
        memory_(memory),
        to_(to),
        begin_(spans.size()),
        pieces_(spans.size()) {}

  void task(std::uint64_t i) {
    touched_.begin_of(i, begin_);
    std::uint64_t selected = description_.element_bytes;
    for (std::size_t d = 0; d < spans_.size(); ++d) {
      pieces_in_chunk(spans_[d], begin_[d], description_.chunk[d], pieces_[d]);
      selected *= length_of(pieces_[d]);
    }
    const ChunkCopy copy{pieces_, description_.chunk, memory_, description_.element_bytes};
    if (const auto kept = keeps_ ? kept_.find_or_claim(begin_, selected) : kept_.find(begin_, selected)) {
      return copy_from_chunk(copy, static_cast<const std::byte*>(kept->data), to_);
    }
    if (!keeps_) return copy_from_chunk(copy, chunks().read(begin_), to_);
    const ChunkMemory::Claim claim(kept_, begin_);
    copy_from_chunk(copy, chunks().read(begin_), to_);
    kept_.keep(begin_, std::make_shared<const Bytes>(chunks().take()), selected, version_);
  }

 private:
  /// Made for the first chunk that is not kept.
  ChunkReader& chunks() {
    if (!chunks_) chunks_.emplace(dataset_, asked_);
    return *chunks_;
  }

  /// Of one selection. Without filters, a buffer that stays in the processor's cache is worth more than what is kept.
  static std::size_t most_kept_bytes(const Dataset::Open& dataset) {
    return dataset.description.filters.empty() ? ChunkMemory::most_bytes / 4 : ChunkMemory::most_bytes;
  }

  static std::uint64_t length_of(const std::vector<Piece>& pieces) {
    return std::accumulate(pieces.begin(), pieces.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const Piece& piece) { return sum + piece.length; });
  }

  const Dataset::Open& dataset_;
  Asked& asked_;
  const Description& description_;
  ChunkMemory& kept_;
  std::uint64_t version_;
  bool keeps_;  ///< one selection does not drive out what others come back to
  const std::vector<Span>& spans_;
  const TouchedChunks& touched_;
  const std::vector<std::uint64_t>& memory_;
  std::byte* to_;
  std::optional<ChunkReader> chunks_;
  std::vector<hsize_t> begin_;
  std::vector<std::vector<Piece>> pieces_;
};

}  // namespace

void read_chunked(const Dataset::Open& dataset, const std::vector<Span>& spans, std::byte* to, const Options& options,
                  Asked& asked) {
  const std::uint64_t version = dataset.memory().version();
  const TouchedChunks touched(spans, dataset.description.chunk);
  std::vector<std::uint64_t> memory;
  for (const Span& span : spans) memory.push_back(span.size());
  share(touched.count(), options, [&] { return Reader(dataset, version, spans, touched, memory, to, asked); });
}

void fill(const std::vector<std::byte>& element, std::byte* to, std::size_t elements) {
  if (std::all_of(element.begin(), element.end(), [&](std::byte one) { return one == element.front(); })) {
    std::memset(to, static_cast<int>(element.front()), elements * element.size());
    return;
  }
  for (std::size_t i = 0; i < elements; ++i) std::memcpy(to + i * element.size(), element.data(), element.size());
}

}  // namespace rooftop::h5io::internal
