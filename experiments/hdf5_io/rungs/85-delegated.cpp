/// The last rank computes nothing: it reads for the others, in pieces, the next ones while the last ones travel.
/// Changed from rung 20: the rank that reads has no part of its own, reads past the library, and sends pieces as soon
/// as it has them. Limit attacked: the messages of one rank that does all, which come after its reads. Evidence: rung
/// 20's time, less the reads behind which messages are hidden; the ranks that compute call nothing but MPI. Source: a
/// course's input and output by delegated processes.
// needs: rooftop_h5io, HDF5, MPI
#include <optional>
#include <rooftop/h5io.hpp>

#include "ranks.hpp"

namespace {

namespace h5io = rooftop::h5io;
using hdf5_io::Part;

constexpr std::int64_t piece_values = std::int64_t{1} << 18;
constexpr std::size_t under_way = 4;  // pieces that travel, or are read

/// A part in pieces, each of which is one run of the part's values.
std::vector<Part> pieces_of(const Part& part) {
  std::vector<Part> pieces;
  if (part.values() == 0) return pieces;
  const auto cut = [&](std::int64_t Part::*first, std::int64_t Part::*count, std::int64_t values_each) {
    const std::int64_t step = std::max<std::int64_t>(1, piece_values / values_each), all = part.*count;
    for (std::int64_t begin = 0; begin < all; begin += step) {
      Part& piece = pieces.emplace_back(part);
      piece.*first += begin;
      piece.*count = std::min(step, all - begin);
    }
  };
  if (part.rows > 1) {
    cut(&Part::row, &Part::rows, part.blocks * part.elements);
  } else if (part.blocks > 1) {
    cut(&Part::block, &Part::blocks, part.elements);
  } else {
    cut(&Part::element, &Part::elements, 1);
  }
  return pieces;
}

class Delegated : public hdf5_io::RankRung {
 public:
  explicit Delegated(const hdf5_io::Problem& problem)
      : RankRung(problem, layout_of(problem.parameters), hdf5_io::write_file, std::max(1, problem.ranks - 1)),
        delegate_(problem.ranks - 1) {
    if (p_.rank == delegate_) dataset_.emplace(h5io::File(path_).dataset("x"));
    options_.threads = problem.threads;
  }

  void run() override {
    if (p_.ranks == 1) {
      read(part_, values_.data());
    } else if (p_.rank == delegate_) {
      serve();
    } else {
      float* to = values_.data();
      for (const Part& piece : pieces_of(part_)) {
        const auto count = static_cast<int>(piece.values());
        MPI_Recv(to, count, MPI_FLOAT, delegate_, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        to += count;
      }
    }
  }

 private:
  /// The first piece of each rank, then the second of each.
  void serve() {
    std::vector<std::vector<Part>> pieces;
    std::size_t most = 0;
    for (int rank = 0; rank < delegate_; ++rank) {
      pieces.push_back(pieces_of(part_of(p_.parameters, rank, delegate_)));
      most = std::max(most, pieces.back().size());
    }
    std::array<MPI_Request, under_way> requests;
    requests.fill(MPI_REQUEST_NULL);
    std::size_t slot = 0;
    for (std::size_t i = 0; i < most; ++i) {
      for (int rank = 0; rank < delegate_; ++rank) {
        const std::vector<Part>& own = pieces[static_cast<std::size_t>(rank)];
        if (i >= own.size()) continue;
        MPI_Wait(&requests[slot], MPI_STATUS_IGNORE);
        std::vector<float>& buffer = buffers_[slot];
        buffer.resize(size_of(own[i]));
        read(own[i], buffer.data());
        MPI_Isend(buffer.data(), static_cast<int>(buffer.size()), MPI_FLOAT, rank, 1, MPI_COMM_WORLD, &requests[slot]);
        slot = (slot + 1) % under_way;
      }
    }
    MPI_Waitall(under_way, requests.data(), MPI_STATUSES_IGNORE);
  }

  void read(const Part& part, float* to) const {
    const auto size = [](std::int64_t n) { return static_cast<std::uint64_t>(n); };
    dataset_->read({{size(part.row), 1, 1, size(part.rows)},
                    {size(part.block * p_.parameters.stride + part.element), size(part.blocks),
                     size(p_.parameters.stride), size(part.elements)}},
                   to, size_of(part) * sizeof(float), options_);
  }

  int delegate_;
  std::optional<h5io::Dataset> dataset_;
  h5io::Options options_;
  std::array<std::vector<float>, under_way> buffers_;
};

}  // namespace

ROOFTOP_RUNG(hdf5_io::Problem, Delegated);
