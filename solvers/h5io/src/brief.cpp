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
/// What a program may wait for without being interrupted: some 50 ms, if the file is in the system's cache.
constexpr std::uint64_t most_bytes_at_once = 16 << 20, most_calls_at_once = 4 << 10;
/// The library's own, for each byte, and for each pointer to a value of variable length.
constexpr std::uint64_t cost_by_library = 32, cost_of_pointer = 16 * cost_by_library;

std::uint64_t contiguous_cost(const internal::Runs& runs, std::uint64_t selected) {
  const auto [bytes, calls] = internal::expected_of(runs, {});
  return std::max(bytes, selected) + calls * cost_of_call;
}

/// Above `most_cost` where chunks have to be looked for.
std::uint64_t chunks_cost(const Dataset::Open& dataset, const std::vector<Span>& spans, std::uint64_t selected) {
  const std::uint64_t chunk_bytes = dataset.pipeline->chunk_bytes();
  const std::uint64_t of_chunk =
      cost_of_call + std::min(chunk_bytes, most_cost) * (dataset.description.filters.empty() ? 1 : cost_of_decoding);
  const std::uint64_t most = (most_cost - selected) / of_chunk;
  const std::uint64_t missing =
      dataset.memory().missing({spans, dataset.description.chunk}, std::max<std::uint64_t>(most, 1));
  if (missing == 0) return selected;
  const auto places = dataset.memory().places();
  if (!places || *places == nullptr) return most_cost + 1;
  if (missing == 1 && chunk_bytes <= most_cost) return selected;  // another thread would have nothing to do
  return missing > most ? most_cost + 1 : selected + missing * of_chunk;
}

bool is_contiguous_at_once(const internal::Runs& runs, std::uint64_t selected) {
  const auto [bytes, calls] = internal::expected_of(runs, {});
  return std::max(bytes, selected) <= most_bytes_at_once && calls <= most_calls_at_once;
}

bool are_chunks_at_once(const Dataset::Open& dataset, const std::vector<Span>& spans) {
  const std::uint64_t most = std::min(most_bytes_at_once / dataset.pipeline->chunk_bytes(), most_calls_at_once);
  if (dataset.memory().missing({spans, dataset.description.chunk}, most) > most) return false;
  const auto places = dataset.memory().places();
  return places && *places != nullptr;
}

}  // namespace

std::optional<Report> Dataset::read_brief(const std::vector<Span>& spans, void* to, std::size_t to_bytes) const {
  Options alone;
  alone.threads = 1;
  const std::uint64_t selected = open_->readable_bytes(spans, to_bytes, alone);
  if (selected > most_cost) return {};
  if (selected > 0 && open_->address) {
    const internal::Runs runs(open_->description.shape, spans, open_->description.element_bytes);
    if (contiguous_cost(runs, selected) > most_cost) return {};
    return open_->read_runs(runs, to, selected, alone);
  }
  std::unique_lock<std::recursive_mutex> library;
  if (selected == 0 || open_->in_one_piece) {
    // Nothing is read.
  } else if (open_->pipeline) {
    if (chunks_cost(*open_, spans, selected) > most_cost) return {};
  } else if (!open_->keeps_whole() || open_->memory().find(std::vector<hsize_t>(spans.size()), 0) == nullptr) {
    const Description& description = open_->description;
    if (description.layout != Layout::compact && description.layout != Layout::contiguous) return {};
    if (selected * (description.variable ? cost_of_pointer : cost_by_library) > most_cost) return {};
    // Another thread may read for long.
    library = Locked::attempt();
    if (!library.owns_lock()) return {};
  }
  if (selected > 0) open_->read_ahead(spans);
  return open_->read(spans, to, to_bytes, alone);
}

std::optional<Report> Dataset::read_at_once(const std::vector<Span>& spans, void* to, std::size_t to_bytes,
                                            const Options& options) const {
  const std::uint64_t selected = open_->readable_bytes(spans, to_bytes, options);
  if (options.library || selected == 0 || selected > most_bytes_at_once) return {};
  if (open_->address) {
    const internal::Runs runs(open_->description.shape, spans, open_->description.element_bytes);
    if (!is_contiguous_at_once(runs, selected)) return {};
    return open_->read_runs(runs, to, selected, options);
  }
  if (!open_->pipeline || !are_chunks_at_once(*open_, spans)) return {};
  open_->read_ahead(spans);
  return open_->read(spans, to, to_bytes, options);
}

}  // namespace rooftop::h5io
