#include "chunked.hpp"

#include <algorithm>
#include <cstring>

#include "chunk_pieces.hpp"
#include "chunk_reader.hpp"
#include "team.hpp"

namespace rooftop::h5io::internal {
namespace {

/// The work of one thread: reads and decodes chunks, and copies their selected elements.
class Reader {
 public:
  Reader(const Dataset::Open& dataset, const std::vector<Span>& spans, const TouchedChunks& touched,
         const std::vector<std::uint64_t>& memory, std::byte* to, Asked& asked)
      : description_(dataset.description),
        spans_(spans),
        touched_(touched),
        memory_(memory),
        to_(to),
        chunks_(dataset, asked),
        begin_(spans.size()),
        pieces_(spans.size()) {}

  void task(std::uint64_t i) {
    touched_.begin_of(i, begin_);
    const std::byte* const chunk = chunks_.read(begin_);
    for (std::size_t d = 0; d < spans_.size(); ++d) {
      pieces_in_chunk(spans_[d], begin_[d], description_.chunk[d], pieces_[d]);
    }
    copy_from_chunk({pieces_, description_.chunk, memory_, description_.element_bytes}, chunk, to_);
  }

 private:
  const Description& description_;
  const std::vector<Span>& spans_;
  const TouchedChunks& touched_;
  const std::vector<std::uint64_t>& memory_;
  std::byte* to_;
  ChunkReader chunks_;
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
