/// Reads that take less time than waking a thread for them.
#include <algorithm>

#include "chunk_pieces.hpp"
#include "contiguous.hpp"
#include "open_file.hpp"
#include "rooftop/h5io.hpp"
#include "runs.hpp"

namespace rooftop::h5io {
namespace {

using internal::Locked;

/// Costs in bytes that a thread copies in that time, some 10 a nanosecond. Up to so many, one thread ends sooner than
/// it would have had help: measured on two processors.
constexpr std::uint64_t most_cost = 4 << 20;
constexpr std::uint64_t cost_of_call = 4 << 10, cost_of_decoding = 16;  // a call, a byte
/// The library's own, for each byte, and for each pointer to a value of variable length.
constexpr std::uint64_t cost_by_library = 32, cost_of_pointer = 16 * cost_by_library;

std::uint64_t contiguous_cost(const Dataset::Open& dataset, const std::vector<Span>& spans, std::uint64_t selected) {
  if (!dataset.address) return selected;
  const internal::Runs runs(dataset.description.shape, spans, dataset.description.element_bytes);
  const auto [bytes, calls] = internal::expected_of(runs, {});
  return std::max(bytes, selected) + calls * cost_of_call;
}

/// Above `most_cost` where chunks have to be looked for.
std::uint64_t chunks_cost(const Dataset::Open& dataset, const std::vector<Span>& spans, std::uint64_t selected) {
  const auto places = dataset.memory().places();
  const bool found = places && *places != nullptr;
  const std::uint64_t chunk_bytes = dataset.pipeline->chunk_bytes();
  const std::uint64_t of_chunk =
      cost_of_call + chunk_bytes * (dataset.description.filters.empty() ? 1 : cost_of_decoding);
  const internal::TouchedChunks touched(spans, dataset.description.chunk);
  std::vector<hsize_t> begin(spans.size());
  std::uint64_t cost = selected;
  for (std::uint64_t i = 0; i < touched.count() && cost <= most_cost; ++i) {
    touched.begin_of(i, begin);
    if (dataset.memory().has(begin)) continue;
    cost += found ? std::min(of_chunk, most_cost + 1) : most_cost + 1;
  }
  return cost;
}

}  // namespace

std::optional<Report> Dataset::read_brief(const std::vector<Span>& spans, void* to, std::size_t to_bytes) const {
  Options alone;
  alone.threads = 1;
  const std::uint64_t selected = open_->readable_bytes(spans, to_bytes, alone);
  if (selected > most_cost) return {};
  std::unique_lock<std::recursive_mutex> library;
  if (selected == 0) {
    // Nothing is read.
  } else if (open_->in_one_piece) {
    if (contiguous_cost(*open_, spans, selected) > most_cost) return {};
  } else if (open_->pipeline) {
    if (chunks_cost(*open_, spans, selected) > most_cost) return {};
  } else {
    const Description& description = open_->description;
    if (description.layout != Layout::compact && description.layout != Layout::contiguous) return {};
    if (selected * (description.variable ? cost_of_pointer : cost_by_library) > most_cost) return {};
    // Another thread may read for long.
    library = Locked::attempt();
    if (!library.owns_lock()) return {};
  }
  return read(spans, to, to_bytes, alone);
}

}  // namespace rooftop::h5io
