// needs: MPI
/// Sums of which every rank needs a block, written from messages, beside the library's own.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <rooftop/lab.hpp>
#include <rooftop/rank_messages.hpp>
#include <string>
#include <vector>

namespace {

using rooftop::as_just_written;
using rooftop::exchange;

/// All ranks have P blocks; each needs the sums of one.
class Reducing final : public rooftop::Lab {
 public:
  struct Parameters {
    std::int64_t elements;
  };
  static constexpr std::array fields{rooftop::field<&Parameters::elements>("elements", 1, 1 << 22)};
  static std::vector<Parameters> checks() { return {{.elements = 1}, {.elements = 211}}; }

  Reducing(const Parameters& given, const rooftop::Setting& setting)
      : elements(static_cast<int>(given.elements)), rank(setting.rank), ranks(setting.ranks), block(given.elements) {
    sum = other = own = std::vector<double>(block.size() * ranks);
    std::iota(own.begin(), own.end(), rank);
    if (rank == 0) all = own;
  }

  void poison() override {
    std::ranges::fill(block, -1);
    std::ranges::fill(all, -1);
  }
  void spoil() override {
    if (rank == 0) all.back() += 1;
  }
  void collect() { rooftop::collect_on_first(block.data(), elements, all.data()); }
  [[nodiscard]] rooftop::Verdict verify(std::string_view /*algorithm*/) const override {
    for (std::size_t at = 0; at < all.size(); ++at) {
      if (all[at] == 1.0 * ranks * static_cast<double>(at) + ranks * (ranks - 1) / 2) continue;
      return rooftop::exact("sum " + std::to_string(at) + " is " + std::to_string(all[at]));
    }
    return rooftop::exact("");
  }

  [[nodiscard]] std::size_t at(int owner) const { return block.size() * owner; }

  const int elements, rank, ranks;
  std::vector<double> block;            ///< the sums that this rank needs
  std::vector<double> own, sum, other;  ///< P blocks each; other: what has come
  std::vector<double> all;              ///< the sums of every rank, on rank 0
};

void add(double* sum, const std::vector<double>& other, int count) {
  for (int i = 0; i < count; ++i) sum[i] += other[i];
}

/// Rank 0 adds up all blocks and hands them out.
void through_root(Reducing& lab) {
  const int whole = lab.elements * lab.ranks;
  if (lab.rank != 0) {
    MPI_Send(lab.own.data(), whole, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
    MPI_Recv(lab.block.data(), lab.elements, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return;
  }
  lab.sum = lab.own;
  for (int from = 1; from < lab.ranks; ++from) {
    MPI_Recv(lab.other.data(), whole, MPI_DOUBLE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    add(lab.sum.data(), lab.other, whole);
  }
  std::copy_n(lab.sum.begin(), lab.elements, lab.block.begin());
  for (int to = 1; to < lab.ranks; ++to) {
    MPI_Send(&lab.sum[lab.at(to)], lab.elements, MPI_DOUBLE, to, 0, MPI_COMM_WORLD);
  }
}

/// Every rank gets its block from each other.
void pairwise(Reducing& lab) {
  std::copy_n(&lab.own[lab.at(lab.rank)], lab.elements, lab.block.begin());
  for (int step = 1; step < lab.ranks; ++step) {
    const int to = (lab.rank + step) % lab.ranks;
    const int from = (lab.rank + lab.ranks - step) % lab.ranks;
    exchange(&lab.own[lab.at(to)], to, lab.other.data(), from, lab.elements);
    add(lab.block.data(), lab.other, lab.elements);
  }
}

/// Pairs at halving distances exchange the half that the other needs; for a power of two of ranks.
void halving(Reducing& lab) {
  lab.sum = lab.own;
  for (int half = lab.ranks / 2; half > 0; half /= 2) {
    const int partner = lab.rank ^ half;
    exchange(&lab.sum[lab.at(partner & -half)], partner, lab.other.data(), partner, lab.elements * half);
    add(&lab.sum[lab.at(lab.rank & -half)], lab.other, lab.elements * half);
  }
  std::copy_n(&lab.sum[lab.at(lab.rank)], lab.elements, lab.block.begin());
}

void library_block(Reducing& lab) {
  MPI_Reduce_scatter_block(lab.own.data(), lab.block.data(), lab.elements, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

void library(Reducing& lab) {
  const std::vector<int> counts(lab.ranks, lab.elements);
  MPI_Reduce_scatter(lab.own.data(), lab.block.data(), counts.data(), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

template <void (*reduce)(Reducing&)>
class By final : public rooftop::LabRung {
 public:
  explicit By(Reducing& lab) : lab_(lab) {
    const bool power_of_two = std::has_single_bit(static_cast<unsigned>(lab.ranks));
    if (reduce == halving && !power_of_two) throw rooftop::Skip("for a power of two of ranks");
  }
  void run() override {
    as_just_written(lab_.own.data(), lab_.own.size());
    reduce(lab_);
  }
  void finish() override { lab_.collect(); }

 private:
  Reducing& lab_;
};

using rooftop::variant;

}  // namespace

ROOFTOP_LAB(Reducing, variant<By<through_root>, Reducing>("10-through-the-root", "One rank adds all, and hands out."),
            variant<By<pairwise>, Reducing>("20-pairwise", "Each rank adds up its block, from one after the other."),
            variant<By<halving>, Reducing>("30-recursive-halving", "Pairs exchange what the other half needs."),
            variant<By<library_block>, Reducing>("80-library-block", "MPI_Reduce_scatter_block."),
            variant<By<library>, Reducing>("90-library", "MPI_Reduce_scatter."));
