// needs: MPI
/// Broadcast, written from messages, beside the library's own.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <rooftop/lab.hpp>
#include <rooftop/rank_messages.hpp>
#include <string>
#include <vector>

namespace {

using rooftop::as_just_written;
using rooftop::receive;
using rooftop::send;

/// Rank 0 has `elements` numbers that all ranks need.
class Broadcasting final : public rooftop::Lab {
 public:
  struct Parameters {
    std::int64_t elements;
  };
  static constexpr std::array fields{rooftop::field<&Parameters::elements>("elements", 1, 1 << 24)};
  static std::vector<Parameters> checks() { return {{.elements = 1}, {.elements = 1009}}; }

  Broadcasting(const Parameters& given, const rooftop::Setting& setting)
      : elements(static_cast<int>(given.elements)), rank(setting.rank), ranks(setting.ranks), own(given.elements) {
    if (rank == 0) all.resize(own.size() * ranks);
  }

  void poison() override {
    std::ranges::fill(own, -1);
    std::ranges::fill(all, -1);
    if (rank == 0) std::iota(own.begin(), own.end(), 7);
  }
  void spoil() override {
    if (rank == 0) all.back() += 1;
  }
  void collect() { rooftop::collect_on_first(own.data(), elements, all.data()); }
  [[nodiscard]] rooftop::Verdict verify(std::string_view /*algorithm*/) const override {
    for (std::size_t at = 0; at < all.size(); ++at) {
      if (all[at] == static_cast<double>(7 + at % own.size())) continue;
      return rooftop::exact("rank " + std::to_string(at / own.size()) + " has not what rank 0 sent");
    }
    return rooftop::exact("");
  }

  const int elements, rank, ranks;
  std::vector<double> own;  ///< what this rank has
  std::vector<double> all;  ///< what every rank has, on rank 0
};

void linear(Broadcasting& lab) {
  if (lab.rank != 0) return receive(lab.own.data(), lab.elements, 0);
  for (int to = 1; to < lab.ranks; ++to) send(lab.own.data(), lab.elements, to);
}

/// Down a binomial tree: a rank has the subtree from itself to the next power of two. What is sent to a subtree begins
/// at `first(rank)` and is `count(rank, ranks)` long.
template <typename First, typename Count>
void descend(const Broadcasting& lab, const First& first, const Count& count) {
  int span = 1;
  while (span < lab.ranks && (lab.rank & span) == 0) span *= 2;
  if (lab.rank != 0) receive(first(lab.rank), count(lab.rank, span), lab.rank - span);
  for (int half = span / 2; half > 0; half /= 2) {
    const int child = lab.rank + half;
    if (child < lab.ranks) send(first(child), count(child, half), child);
  }
}

void binomial(Broadcasting& lab) {
  descend(
      lab, [&](int) { return lab.own.data(); }, [&](int, int) { return lab.elements; });
}

/// A P-th to each, down the tree, and then round the ring until all have all.
void tree_and_ring(Broadcasting& lab) {
  const auto begin = [&](int rank) { return static_cast<int>(std::int64_t{lab.elements} * rank / lab.ranks); };
  const auto first = [&](int rank) { return lab.own.data() + begin(rank); };
  const auto count = [&](int rank, int ranks) { return begin(std::min(rank + ranks, lab.ranks)) - begin(rank); };
  descend(lab, first, count);
  const int left = (lab.rank + lab.ranks - 1) % lab.ranks;
  const int right = (lab.rank + 1) % lab.ranks;
  for (int held = lab.rank, step = 1; step < lab.ranks; ++step) {
    const int next = (held + lab.ranks - 1) % lab.ranks;
    MPI_Sendrecv(first(held), count(held, 1), MPI_DOUBLE, right, 0, first(next), count(next, 1), MPI_DOUBLE, left, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    held = next;
  }
}

void library(Broadcasting& lab) { MPI_Bcast(lab.own.data(), lab.elements, MPI_DOUBLE, 0, MPI_COMM_WORLD); }

/// All begin together: a root that runs ahead would hide how long the last one waits.
template <void (*broadcast)(Broadcasting&)>
class Together final : public rooftop::LabRung {
 public:
  explicit Together(Broadcasting& lab) : lab_(lab) {}
  void run() override {
    if (lab_.rank == 0) as_just_written(lab_.own.data(), lab_.own.size());
    MPI_Barrier(MPI_COMM_WORLD);
    broadcast(lab_);
  }
  void finish() override { lab_.collect(); }

 private:
  Broadcasting& lab_;
};

using rooftop::variant;

}  // namespace

ROOFTOP_LAB(Broadcasting,
            variant<Together<linear>, Broadcasting>("10-linear", "The root sends to one rank after the other."),
            variant<Together<binomial>, Broadcasting>("20-tree", "Whoever has the data passes it on: a binomial tree."),
            variant<Together<tree_and_ring>, Broadcasting>("30-tree-and-ring",
                                                           "Scatter down the tree, then allgather round the ring."),
            variant<Together<library>, Broadcasting>("90-library", "MPI_Bcast."));
