#include "prefetch.hpp"

#include "chunk_pieces.hpp"
#include "runs.hpp"

namespace rooftop::h5io::internal {
namespace {

void require_going_on(const Options& options) {
  if (options.stop != nullptr && __atomic_load_n(options.stop, __ATOMIC_RELAXED) != 0) {
    throw Stopped("the prefetch was asked to stop");
  }
}

void prefetch_chunks(const Dataset::Open& dataset, const ChunkPlaces& places, const std::vector<Span>& spans,
                     const Options& options, Asked& asked) {
  const TouchedChunks touched(spans, dataset.description.chunk);
  std::vector<hsize_t> begin(spans.size());
  for (std::uint64_t i = 0; i < touched.count(); ++i) {
    require_going_on(options);
    touched.begin_of(i, begin);
    const ChunkPlace& place = places.at(begin);
    dataset.file->source->prefetch(place.address, place.bytes, asked);
  }
}

/// Prefetches pieces. Pieces are merged if the gap between them would be read as well.
void prefetch_runs(const Dataset::Open& dataset, const Runs& runs, const Options& options, Asked& asked) {
  std::uint64_t begin = runs.offset(0), end = begin + runs.run_bytes();
  for (std::uint64_t k = 1; k < runs.count(); ++k) {
    const std::uint64_t at = runs.offset(k);
    if (at - end > options.gap_bytes) {
      require_going_on(options);
      dataset.file->source->prefetch(*dataset.address + begin, end - begin, asked);
      begin = at;
    }
    end = at + runs.run_bytes();
  }
  dataset.file->source->prefetch(*dataset.address + begin, end - begin, asked);
}

}  // namespace

Report prefetch(const Dataset::Open& dataset, const std::vector<Span>& spans, const Options& options) {
  Report report;
  report.selected_bytes = dataset.selected_bytes(spans);
  if (report.selected_bytes == 0) return report;
  Asked asked;
  if (dataset.pipeline) {
    if (const auto places = dataset.places()) {
      report.way = Way::chunks;
      prefetch_chunks(dataset, *places, spans, options, asked);
    }
  } else if (dataset.address) {
    report.way = Way::direct;
    prefetch_runs(dataset, Runs(dataset.description.shape, spans, dataset.description.element_bytes), options, asked);
  }
  report.read_bytes = asked.bytes;
  report.reads = asked.reads;
  return report;
}

}  // namespace rooftop::h5io::internal
