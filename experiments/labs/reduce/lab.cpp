// needs: MPI
/// Reduction to one rank, written from messages, beside the library's own.
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

/// Rank 0 needs the sums of what all ranks have.
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
  }

  void poison() override { std::ranges::fill(sum, -1); }
  void spoil() override { sum.back() += 1; }

  [[nodiscard]] rooftop::Verdict verify(std::string_view /*algorithm*/) const override {
    for (int i = 0; i < elements; ++i) {
      if (sum[i] == 1.0 * ranks * i + ranks * (ranks - 1) / 2) continue;
      return rooftop::exact("sum " + std::to_string(i) + " is " + std::to_string(sum[i]));
    }
    return rooftop::exact("");
  }

  [[nodiscard]] int begin(int part) const { return static_cast<int>(std::int64_t{elements} * part / ranks); }

  const int elements, rank, ranks;
  std::vector<double> own, sum, other;  ///< other: what has come
};

void add(double* sum, const double* other, int count) {
  for (int i = 0; i < count; ++i) sum[i] += other[i];
}

void linear(Reducing& lab) {
  if (lab.rank != 0) return send(lab.own.data(), lab.elements, 0);
  std::ranges::copy(lab.own, lab.sum.begin());
  for (int from = 1; from < lab.ranks; ++from) {
    receive(lab.other.data(), lab.elements, from);
    add(lab.sum.data(), lab.other.data(), lab.elements);
  }
}

/// Up a binomial tree: each rank adds what its children have, and passes the sums on.
void binomial(Reducing& lab) {
  std::ranges::copy(lab.own, lab.sum.begin());
  for (int span = 1; span < lab.ranks; span *= 2) {
    if ((lab.rank & span) != 0) return send(lab.sum.data(), lab.elements, lab.rank - span);
    if (lab.rank + span >= lab.ranks) continue;
    receive(lab.other.data(), lab.elements, lab.rank + span);
    add(lab.sum.data(), lab.other.data(), lab.elements);
  }
}

/// Every rank adds up a P-th for all, and rank 0 gathers the parts.
void pairwise_and_gather(Reducing& lab) {
  const int first = lab.begin(lab.rank);
  const int count = lab.begin(lab.rank + 1) - first;
  std::copy_n(&lab.own[0] + first, count, &lab.sum[0] + first);
  for (int step = 1; step < lab.ranks; ++step) {
    const int to = (lab.rank + step) % lab.ranks;
    const int from = (lab.rank + lab.ranks - step) % lab.ranks;
    MPI_Sendrecv(&lab.own[0] + lab.begin(to), lab.begin(to + 1) - lab.begin(to), MPI_DOUBLE, to, 0, &lab.other[0],
                 count, MPI_DOUBLE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    add(&lab.sum[0] + first, &lab.other[0], count);
  }
  if (lab.rank != 0) return send(&lab.sum[0] + first, count, 0);
  for (int from = 1; from < lab.ranks; ++from) {
    receive(&lab.sum[0] + lab.begin(from), lab.begin(from + 1) - lab.begin(from), from);
  }
}

void library(Reducing& lab) {
  MPI_Reduce(lab.own.data(), lab.sum.data(), lab.elements, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
}

/// All begin together: leaves that run ahead would hide how long the root works.
template <void (*reduce)(Reducing&)>
class Together final : public rooftop::LabRung {
 public:
  explicit Together(Reducing& lab) : lab_(lab) {}
  void run() override {
    as_just_written(lab_.own.data(), lab_.own.size());
    MPI_Barrier(MPI_COMM_WORLD);
    reduce(lab_);
  }

 private:
  Reducing& lab_;
};

using rooftop::variant;

}  // namespace

ROOFTOP_LAB(Reducing,
            variant<Together<linear>, Reducing>("10-linear", "The root adds what one rank after the other sends."),
            variant<Together<binomial>, Reducing>("20-tree", "Up a binomial tree, each adds what its children have."),
            variant<Together<pairwise_and_gather>, Reducing>("30-parts",
                                                             "Each adds up a P-th for all, and the root gathers."),
            variant<Together<library>, Reducing>("90-library", "MPI_Reduce."));
