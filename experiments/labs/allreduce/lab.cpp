// needs: MPI
/// Reduction to all ranks, written from messages, beside the library's own.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <rooftop/lab.hpp>
#include <rooftop/rank_messages.hpp>
#include <string>
#include <vector>

namespace {

using rooftop::receive;
using rooftop::send;

/// All ranks need the sums of what all have.
class Reducing final : public rooftop::Lab {
 public:
  struct Parameters {
    std::int64_t elements;
  };
  static constexpr std::array fields{rooftop::field<&Parameters::elements>("elements", 1, 1 << 24)};
  static std::vector<Parameters> checks() { return {{.elements = 1}, {.elements = 1009}}; }

  Reducing(const Parameters& given, const rooftop::Setting& setting)
      : elements(static_cast<int>(given.elements)), rank(setting.rank), ranks(setting.ranks), own(given.elements) {
    sum = other = own;
    std::iota(own.begin(), own.end(), rank);
    if (rank == 0) all.resize(own.size() * ranks);
  }

  void poison() override {
    for (std::vector<double>* result : {&sum, &all}) std::ranges::fill(*result, -1);
  }
  void spoil() override {
    if (rank == 0) all.back() += 1;
  }
  void collect() { rooftop::collect_on_first(sum.data(), elements, all.data()); }
  [[nodiscard]] rooftop::Verdict verify(std::string_view /*algorithm*/) const override {
    for (std::size_t at = 0; at < all.size(); ++at) {
      if (all[at] == 1.0 * ranks * static_cast<double>(at % own.size()) + ranks * (ranks - 1) / 2) continue;
      return rooftop::exact("rank " + std::to_string(at / own.size()) + " has a sum of " + std::to_string(all[at]));
    }
    return rooftop::exact("");
  }

  const int elements, rank, ranks;
  std::vector<double> own, sum, other;  ///< other: what has come
  std::vector<double> all;              ///< the sums of every rank, on rank 0
};

void receive_and_add(Reducing& lab, int from) {
  receive(lab.other.data(), lab.elements, from);
  for (int i = 0; i < lab.elements; ++i) lab.sum[i] += lab.other[i];
}

/// Up a binomial tree to rank 0, and down again.
void two_trees(Reducing& lab) {
  std::ranges::copy(lab.own, lab.sum.begin());
  int span = 1;
  for (; span < lab.ranks && (lab.rank & span) == 0; span *= 2) {
    if (lab.rank + span < lab.ranks) receive_and_add(lab, lab.rank + span);
  }
  if (lab.rank != 0) {
    send(lab.sum.data(), lab.elements, lab.rank - span);
    receive(lab.sum.data(), lab.elements, lab.rank - span);
  }
  for (span /= 2; span > 0; span /= 2) {
    if (lab.rank + span < lab.ranks) send(lab.sum.data(), lab.elements, lab.rank + span);
  }
}

/// A P-th travels round the ring and is added to, then the sums travel round.
void ring(Reducing& lab) {
  std::ranges::copy(lab.own, lab.sum.begin());
  const auto begin = [&](int part) { return static_cast<int>(std::int64_t{lab.elements} * part / lab.ranks); };
  for (int step = 0, held = lab.rank; step < 2 * (lab.ranks - 1); ++step) {
    const int next = (held + lab.ranks - 1) % lab.ranks;
    const int count = begin(next + 1) - begin(next);
    double* sum = lab.sum.data() + begin(next);
    double* in = step < lab.ranks - 1 ? lab.other.data() : sum;
    MPI_Sendrecv(lab.sum.data() + begin(held), begin(held + 1) - begin(held), MPI_DOUBLE, (lab.rank + 1) % lab.ranks, 0,
                 in, count, MPI_DOUBLE, (lab.rank + lab.ranks - 1) % lab.ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; in != sum && i < count; ++i) sum[i] += in[i];
    held = next;
  }
}

/// Pairs at distances 1, 2, 4, ... exchange all sums; ranks beyond a power of two have a partner do it for them.
void doubling(Reducing& lab) {
  int power = 1;
  while (2 * power <= lab.ranks) power *= 2;
  std::ranges::copy(lab.own, lab.sum.begin());
  if (lab.rank >= power) {
    send(lab.own.data(), lab.elements, lab.rank - power);
    return receive(lab.sum.data(), lab.elements, lab.rank - power);
  }
  const bool helps = lab.rank + power < lab.ranks;
  if (helps) receive_and_add(lab, lab.rank + power);
  for (int distance = 1; distance < power; distance *= 2) {
    const int partner = lab.rank ^ distance;
    rooftop::exchange(lab.sum.data(), partner, lab.other.data(), partner, lab.elements);
    for (int i = 0; i < lab.elements; ++i) lab.sum[i] += lab.other[i];
  }
  if (helps) send(lab.sum.data(), lab.elements, lab.rank + power);
}

void library(Reducing& lab) {
  MPI_Allreduce(lab.own.data(), lab.sum.data(), lab.elements, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

template <void (*reduce)(Reducing&)>
class By final : public rooftop::LabRung {
 public:
  explicit By(Reducing& lab) : lab_(lab) {}
  void run() override { reduce(lab_); }
  void finish() override { lab_.collect(); }

 private:
  Reducing& lab_;
};

using rooftop::variant;

}  // namespace

ROOFTOP_LAB(Reducing, variant<By<two_trees>, Reducing>("10-tree-and-tree", "Reduce to one rank, then broadcast."),
            variant<By<ring>, Reducing>("20-ring", "Parts travel round the ring, to be added to and then to be known."),
            variant<By<doubling>, Reducing>("30-recursive-doubling", "Pairs at doubling distances exchange all sums."),
            variant<By<library>, Reducing>("90-library", "MPI_Allreduce."));
