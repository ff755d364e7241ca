/// Measures the costs of reads, decoding, copying pieces and messages on this machine.
#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

#include "chunk_reader.hpp"
#include "open_file.hpp"
#include "placed_runs.hpp"
#include "ranks.hpp"
#include "rooftop/h5io_mpi.hpp"
#include "window.hpp"

namespace rooftop::h5io {
namespace {

using internal::Asked;
using internal::Ranks;

constexpr int repeats = 7;
constexpr std::uint64_t most_bytes = 1 << 20;

/// Returns the shortest time of several runs, in seconds. Longer ones were disturbed.
template <class Run>
double shortest(const Run& run) {
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < repeats; ++i) {
    const double begin = MPI_Wtime();
    run();
    least = std::min(least, MPI_Wtime() - begin);
  }
  return least;
}

void measure_reads(const Dataset::Open& dataset, Costs& costs) {
  const internal::Source& source = *dataset.file->source;
  const std::uint64_t bytes = std::min(source.bytes(), most_bytes);
  if (bytes < 2) return;
  std::vector<std::byte> to(bytes);
  Asked asked;
  constexpr int calls = 64;
  costs.call = shortest([&] {
                 for (int i = 0; i < calls; ++i) source.read(0, to.data(), 1, asked);
               }) /
               calls;
  const double all = shortest([&] { source.read(0, to.data(), bytes, asked); });
  costs.byte = std::max(all - costs.call, 0.0) / static_cast<double>(bytes - 1);
  if (!dataset.pipeline || dataset.description.filters.empty() || dataset.description.stored_bytes == 0) return;
  internal::ChunkReader reader(dataset, asked);
  const std::vector<hsize_t> first(dataset.description.shape.size(), 0);
  const double chunk = shortest([&] { reader.read(first); });
  costs.decoded_byte = chunk / static_cast<double>(dataset.pipeline->chunk_bytes());
}

/// Returns the seconds that DomainReading takes for a piece: it marks it twice, in plan() and read(), and copies it.
double seconds_of_piece() {
  constexpr std::uint64_t window_bytes = most_bytes, spacing = 256, length = 64, count = window_bytes / spacing;
  const internal::PlacedRuns runs({count, spacing}, {{0, 1, 1, count}, {0, 1, 1, length}}, 1);
  std::vector<std::byte> from(window_bytes), to(count * length);
  internal::Window window(window_bytes, 0, 0);
  const double all = shortest([&] {
    for (int pass = 0; pass < 2; ++pass) {
      window.move(0, window_bytes);
      runs.pieces(0, window_bytes,
                  [&](std::uint64_t offset, std::uint64_t size, std::uint64_t) { window.want(offset, size); });
    }
    runs.pieces(0, window_bytes, [&](std::uint64_t offset, std::uint64_t size, std::uint64_t in_memory) {
      std::memcpy(to.data() + in_memory, from.data() + offset, size);
    });
  });
  // Use the result, so that the compiler cannot remove the copies.
  const volatile std::byte copied = to.back();
  static_cast<void>(copied);
  return all / static_cast<double>(count);
}

/// Measures messages that every rank sends to the next one.
void measure_messages(const Ranks& ranks, Costs& costs) {
  const int next = (ranks.rank() + 1) % ranks.size(), last = (ranks.rank() + ranks.size() - 1) % ranks.size();
  std::vector<std::byte> values(most_bytes), packed(most_bytes), received(most_bytes);
  const auto pass = [&](std::uint64_t bytes) {
    std::memcpy(packed.data(), values.data(), bytes);  // packing is part of the cost
    MPI_Sendrecv(packed.data(), static_cast<int>(bytes), MPI_BYTE, next, 0, received.data(), static_cast<int>(bytes),
                 MPI_BYTE, last, 0, ranks.get(), MPI_STATUS_IGNORE);
  };
  costs.message = shortest([&] { pass(1); });
  // Each rank sends and receives `most_bytes`, and the model counts both.
  costs.sent_byte = std::max(shortest([&] { pass(most_bytes); }) - costs.message, 0.0) / (2.0 * most_bytes);
}

}  // namespace

Costs DatasetByRanks::measured_costs() const {
  const Dataset::Open& dataset = dataset_.opened();
  Costs costs;
  ranks_->together([&] {
    if (dataset.file->source) measure_reads(dataset, costs);
    costs.piece = seconds_of_piece();
  });
  if (ranks_->size() > 1) measure_messages(*ranks_, costs);
  for (double* const cost :
       {&costs.call, &costs.byte, &costs.decoded_byte, &costs.piece, &costs.message, &costs.sent_byte}) {
    *cost = ranks_->largest(*cost);
  }
  return costs;
}

}  // namespace rooftop::h5io
