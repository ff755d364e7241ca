/// An exchange in pieces: rows of columns are sent while the next are transformed.
/// Changed from 72-fused-transposes: MPI_Isend and MPI_Irecv for each piece and rank instead of one collective call for
/// all; back, a piece is some of this rank's rows, forth, some of its planes. Between tiles and planes MPI_Testall lets
/// MPI go on, and what a rank keeps is not sent: columns are written into its planes, and read from them.
/// Limit attacked: waiting for the network, and between ranks for each other. Evidence: between nodes, what is left of
/// an exchange is its last piece and what computing did not hide; on one node little, but the copy of one's own share.
/// Source: the SW26010 case's overlap of computation and communication.
// needs: MPI
#include <mpi.h>

#include <cstddef>
#include <rooftop/aligned.hpp>
#include <rooftop/rung.hpp>
#include <vector>

#include "slabs.hpp"
#include "transposition.hpp"

namespace {

using ft::Block;
using ft::Complex;
using ft::Index;
using ft::Part;

/// Enough that the last one is a small part, few enough for messages of some 100 KiB on grids of a few MiB.
constexpr int pieces = 4;

Part piece_of(const Part& part, int piece) {
  const Part within = ft::part_of(part.count, piece, pieces);
  return {part.first + within.first, within.count};
}

/// Messages under way.
class Messages {
 public:
  void receive(const Block& block, Complex* values, int rank, int piece) {
    if (empty(block)) return;
    MPI_Datatype type = ft::type_of(block);
    MPI_Irecv(values, 1, type, rank, piece, MPI_COMM_WORLD, &requests_.emplace_back());
    MPI_Type_free(&type);
  }
  void send(const Block& block, const Complex* values, int rank, int piece) {
    if (empty(block)) return;
    MPI_Datatype type = ft::type_of(block);
    MPI_Isend(values, 1, type, rank, piece, MPI_COMM_WORLD, &requests_.emplace_back());
    MPI_Type_free(&type);
  }
  /// Lets MPI go on with them.
  void go_on() {
    int done = 0;
    MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &done, MPI_STATUSES_IGNORE);
  }
  void wait() {
    MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
    requests_.clear();
  }

 private:
  static bool empty(const Block& block) { return block.z.count * block.y.count * block.x.count == 0; }

  std::vector<MPI_Request> requests_;
};

class Overlap : public ft::Slabs {
 public:
  explicit Overlap(const ft::Problem& problem)
      : Slabs(problem, ft::tile_lines),
        field_(plane_values()),
        modes_(mode_values()),
        sent_(problem.transform_only() ? 0 : mode_values()) {}

 private:
  void forward() override {
    const ft::Problem& p = problem();
    for (int piece = 0; piece < pieces; ++piece) {
      each_other_rank([&](int rank) {
        const Block block{{p.nz, rows().count, p.nx}, piece_of(planes_of(rank), piece), {0, rows().count}, {0, p.nx}};
        messages_.receive(block, modes_.data(), rank, piece);
      });
    }
    for (int piece = 0; piece < pieces; ++piece) {
      const Part part = piece_of({0, planes().count}, piece);
      transform_planes(1, field_.data(), part, [this] { messages_.go_on(); });
      each_other_rank([&](int rank) { messages_.send(in_planes(part, rows_of(rank)), field_.data(), rank, piece); });
    }
    messages_.wait();
    ft::Columns columns = columns_between(modes_.data(), modes_.data());
    for (Index z = 0; z < planes().count; ++z) columns.from[own_plane(z)] = own_row(z, 0);
    transform_columns(1, columns, 0);
  }

  void backward(int t) override {
    const ft::Problem& p = problem();
    for (int piece = 0; piece < pieces; ++piece) {
      each_other_rank([&](int rank) {
        const Part theirs = piece_of(rows_of(rank), piece);
        messages_.receive(in_planes({0, planes().count}, theirs), field_.data(), rank, piece);
      });
    }
    for (int piece = 0; piece < pieces; ++piece) {
      const Part part = piece_of({0, rows().count}, piece);
      // What goes to one rank lies together, a piece after the other.
      Complex* const packed = sent_.data() + part.first * p.nz * p.nx;
      ft::Columns columns{p.nz,
                          p.nx,
                          part.count,
                          p.nx,
                          ft::planes_at<const Complex>(modes_.data() + part.first * p.nx, rows().count * p.nx, p.nz),
                          ft::planes_at(packed, part.count * p.nx, p.nz)};
      for (Index z = 0; z < planes().count; ++z) columns.to[own_plane(z)] = own_row(z, part.first);
      transform_columns(-1, columns, t, part.first, [this] { messages_.go_on(); });
      each_other_rank([&](int rank) {
        const Block block{{p.nz, part.count, p.nx}, planes_of(rank), {0, part.count}, {0, p.nx}};
        messages_.send(block, packed, rank, piece);
      });
    }
    messages_.wait();
    transform_planes(-1, field_.data());
  }

  /// Each begins with another: not all send to the same one at once.
  template <typename Call>
  void each_other_rank(const Call& call) const {
    const ft::Problem& p = problem();
    for (int turn = 1; turn < p.ranks; ++turn) call((p.rank + turn) % p.ranks);
  }

  [[nodiscard]] Block in_planes(const Part& z, const Part& y) const {
    const ft::Problem& p = problem();
    return {{planes().count, p.ny, p.nx}, z, y, {0, p.nx}};
  }
  /// What this rank has of both: plane z of its planes, row `row` of its rows.
  [[nodiscard]] Complex* own_row(Index z, Index row) {
    const ft::Problem& p = problem();
    return field_.data() + (z * p.ny + rows().first + row) * p.nx;
  }
  [[nodiscard]] std::size_t own_plane(Index z) const { return static_cast<std::size_t>(planes().first + z); }

  [[nodiscard]] const Complex* field() const override { return field_.data(); }
  [[nodiscard]] const Complex* modes() const override { return modes_.data(); }
  [[nodiscard]] double bytes_between() const override {
    const ft::Problem& p = problem();
    double kept = 0;
    for (int rank = 0; rank < p.ranks; ++rank) {
      kept += static_cast<double>(planes_of(rank).count * rows_of(rank).count);
    }
    return 32 * (1 - kept / static_cast<double>(p.ny * p.nz));
  }
  [[nodiscard]] double arrays() const override { return problem().transform_only() ? 2 : 3; }

  rooftop::AlignedArray<Complex> field_, modes_, sent_;
  Messages messages_;
};

}  // namespace

ROOFTOP_RUNG(ft::Problem, Overlap);
