// needs: MPI
/// A halo by rows and by columns: a row is one piece of memory, the elements of a column lie apart.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <rooftop/lab.hpp>
#include <string>
#include <vector>

namespace {

/// Grids of n x n cells in a ring of ranks, with a border for the neighbours' cells. A grid is symmetric, so that rows
/// and columns bring the same.
class Grids final : public rooftop::Lab {
 public:
  struct Parameters {
    std::int64_t n;
  };
  static constexpr std::array fields{rooftop::field<&Parameters::n>("n", 1, 1 << 13)};
  static std::vector<Parameters> checks() { return {{.n = 1}, {.n = 9}}; }

  Grids(const Parameters& given, const rooftop::Setting& setting)
      : n(static_cast<int>(given.n)), rank(setting.rank), ranks(setting.ranks), grid((given.n + 2) * (given.n + 2)) {
    if (rank == 0) all.resize(2 * given.n * ranks);
  }

  void poison() override {
    std::ranges::fill(grid, -1);
    std::ranges::fill(all, -1);
    for (int k = 0; k < n * n; ++k) at(1 + k / n, false)[k % n] = cell(rank, 1 + k / n, 1 + k % n);
  }
  void spoil() override {
    if (rank == 0) all.back() += 1;
  }
  void collect(bool columns) {
    std::vector<double> halo;
    for (int k = 0; k < 2 * n; ++k) halo.push_back(at(k < n ? 0 : n + 1, columns)[stride(columns) * (k % n)]);
    MPI_Gather(halo.data(), 2 * n, MPI_DOUBLE, all.data(), 2 * n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  }
  [[nodiscard]] rooftop::Verdict verify(std::string_view /*algorithm*/) const override {
    for (int k = 0; k < static_cast<int>(all.size()); ++k) {
      const int receiver = k / (2 * n);
      const bool low = k % (2 * n) < n;  // from the rank before
      const int sender = (receiver + (low ? ranks - 1 : 1)) % ranks;
      if (all[k] == cell(sender, low ? n : 1, k % n + 1)) continue;
      return rooftop::exact("rank " + std::to_string(receiver) + " lacks cells of rank " + std::to_string(sender));
    }
    return rooftop::exact("");
  }

  static double cell(int rank, int i, int j) { return rank * 1e8 + 1.0 * i * j + i + j; }
  /// The first inner cell of a row or column; 0 and n + 1 are the border. The next cell is a stride away.
  [[nodiscard]] double* at(std::size_t line, bool column) { return &grid[column ? n + 2 + line : (n + 2) * line + 1]; }
  [[nodiscard]] int stride(bool column) const { return column ? n + 2 : 1; }

  const int n, rank, ranks;
  const int before = (rank + ranks - 1) % ranks, after = (rank + 1) % ranks;
  std::vector<double> grid, all;  ///< all: the halos of every rank, on rank 0
};

void exchange(const double* out, int to, double* in, int from, MPI_Datatype type) {
  MPI_Sendrecv(out, 1, type, to, 0, in, 1, type, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/// A type of MPI for a line says where its cells are.
template <bool columns>
class Typed : public rooftop::LabRung {
 public:
  explicit Typed(Grids& lab) : lab_(lab) {
    MPI_Type_vector(lab.n, 1, lab.stride(columns), MPI_DOUBLE, &type_);
    MPI_Type_commit(&type_);
  }
  ~Typed() override { MPI_Type_free(&type_); }
  void run() override {
    exchange(end_, lab_.after, border_before_, lab_.before, type_);
    exchange(begin_, lab_.before, border_after_, lab_.after, type_);
  }
  void finish() override { lab_.collect(columns); }

 protected:
  Grids& lab_;
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
  double *begin_ = lab_.at(1, columns), *end_ = lab_.at(lab_.n, columns);
  double *border_before_ = lab_.at(0, columns), *border_after_ = lab_.at(lab_.n + 1, columns);
};

class ByElement final : public Typed<true> {
 public:
  using Typed::Typed;
  void run() override {
    for (int k = 0, at = 0; k < lab_.n; ++k, at += lab_.stride(true)) {
      exchange(end_ + at, lab_.after, border_before_ + at, lab_.before, MPI_DOUBLE);
      exchange(begin_ + at, lab_.before, border_after_ + at, lab_.after, MPI_DOUBLE);
    }
  }
};

class NonBlocking final : public Typed<false> {
 public:
  using Typed::Typed;
  void run() override {
    std::array<MPI_Request, 4> requests{};
    MPI_Irecv(border_before_, 1, type_, lab_.before, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(border_after_, 1, type_, lab_.after, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(end_, 1, type_, lab_.after, 0, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(begin_, 1, type_, lab_.before, 1, MPI_COMM_WORLD, &requests[3]);
    MPI_Waitall(4, requests.data(), MPI_STATUSES_IGNORE);
  }
};

class Persistent final : public Typed<false> {
 public:
  explicit Persistent(Grids& lab) : Typed(lab) {
    MPI_Recv_init(border_before_, 1, type_, lab.before, 0, MPI_COMM_WORLD, &requests_[0]);
    MPI_Recv_init(border_after_, 1, type_, lab.after, 1, MPI_COMM_WORLD, &requests_[1]);
    MPI_Send_init(end_, 1, type_, lab.after, 0, MPI_COMM_WORLD, &requests_[2]);
    MPI_Send_init(begin_, 1, type_, lab.before, 1, MPI_COMM_WORLD, &requests_[3]);
  }
  ~Persistent() override {
    std::ranges::for_each(requests_, [](MPI_Request& one) { MPI_Request_free(&one); });
  }
  void run() override {
    MPI_Startall(4, requests_.data());
    MPI_Waitall(4, requests_.data(), MPI_STATUSES_IGNORE);
  }

 private:
  std::array<MPI_Request, 4> requests_{};
};

using rooftop::variant;

}  // namespace

ROOFTOP_LAB(Grids, variant<ByElement, Grids>("10-columns-by-element", "A message for each cell."),
            variant<Typed<true>, Grids>("20-columns-by-type", "A derived type for the column: two messages."),
            variant<Typed<false>, Grids>("30-rows", "Two messages, one after the other."),
            variant<NonBlocking, Grids>("40-rows-non-blocking", "Both begin before one is awaited."),
            variant<Persistent, Grids>("50-rows-persistent", "The same, with requests that are made once."));
