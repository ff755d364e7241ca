/// The read is asked for in pieces, which the file's I/O thread does one after the other; the caller waits for each.
/// Changed from rung 99, on the same file: an I/O thread, and nothing else to do meanwhile. Limit attacked: none; it
/// is what asking costs where there is no computing to hide the reads behind (docs/results/h5-async.md has that).
/// Evidence: the time of the same read by the caller itself. Source: h5bench's ASYNC_MODE=EXPLICIT.
// needs: rooftop_h5io, HDF5
#include <rooftop/h5io_later.hpp>

#include "solver_reading.hpp"

namespace {

namespace h5io = rooftop::h5io;
using hdf5_io::Parameters;

constexpr std::uint64_t piece_values = std::uint64_t{1} << 20;
constexpr std::size_t ahead = 2;  // pieces that are asked for before the first is waited for

/// Whole rows, or of one row a part of its blocks, or of its only block.
std::vector<std::vector<h5io::Span>> pieces_of(const Parameters& p) {
  const auto size = [](std::int64_t n) { return static_cast<std::uint64_t>(n); };
  std::vector<std::vector<h5io::Span>> pieces;
  const std::uint64_t row_values = size(p.blocks() * p.block),
                      rows = std::max<std::uint64_t>(1, piece_values / row_values);
  if (p.rows > 1) {
    for (std::uint64_t row = 0; row < size(p.rows); row += rows) {
      pieces.push_back(
          {{row, 1, 1, std::min(rows, size(p.rows) - row)}, {0, size(p.blocks()), size(p.stride), size(p.block)}});
    }
  } else if (p.blocks() > 1) {
    const std::uint64_t blocks = std::max<std::uint64_t>(1, piece_values / size(p.block));
    for (std::uint64_t block = 0; block < size(p.blocks()); block += blocks) {
      pieces.push_back(
          {{0, 1, 1, 1},
           {block * size(p.stride), std::min(blocks, size(p.blocks()) - block), size(p.stride), size(p.block)}});
    }
  } else {
    for (std::uint64_t from = 0; from < size(p.block); from += piece_values) {
      pieces.push_back({{0, 1, 1, 1}, {from, 1, 1, std::min(piece_values, size(p.block) - from)}});
    }
  }
  return pieces;
}

class Asynchronous : public hdf5_io::ReadingRung {
 public:
  explicit Asynchronous(const hdf5_io::Problem& problem)
      : ReadingRung(problem), dataset_(h5io::File(path_).dataset("x")), pieces_(pieces_of(problem.parameters)) {
    options_.threads = problem.threads;
  }

  void run() override {
    std::vector<h5io::Request> asked;
    asked.reserve(pieces_.size());  // requests wait when they go
    float* to = p_.out;
    for (const std::vector<h5io::Span>& piece : pieces_) {
      if (asked.size() >= ahead) asked[asked.size() - ahead].wait();
      const std::uint64_t bytes = dataset_.selected_bytes(piece);
      asked.push_back(dataset_.read_later(piece, to, bytes, options_));
      to += bytes / sizeof(float);
    }
    for (h5io::Request& request : asked) request.wait();
  }

 private:
  h5io::Dataset dataset_;
  std::vector<std::vector<h5io::Span>> pieces_;
  h5io::Options options_;
};

}  // namespace

ROOFTOP_RUNG(hdf5_io::Problem, Asynchronous);
