// needs: MPI
/// All-to-all, written from messages, beside the library's own.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <rooftop/lab.hpp>
#include <rooftop/rank_messages.hpp>
#include <string>
#include <vector>

namespace {

using rooftop::as_just_written;
using rooftop::exchange;

/// Every rank has a block for each.
class Exchanging final : public rooftop::Lab {
 public:
  struct Parameters {
    std::int64_t elements;
  };
  static constexpr std::array fields{rooftop::field<&Parameters::elements>("elements", 1, 1 << 22)};
  static std::vector<Parameters> checks() { return {{.elements = 1}, {.elements = 211}}; }

  Exchanging(const Parameters& given, const rooftop::Setting& setting)
      : elements(static_cast<int>(given.elements)), rank(setting.rank), ranks(setting.ranks) {
    out.resize(static_cast<std::size_t>(elements) * ranks);
    in = shifted = packed = arrived = out;
    for (std::size_t at = 0; at < out.size(); ++at) out[at] = content(rank, at);
    if (rank == 0) all.resize(out.size() * ranks);
  }

  void poison() override {
    std::ranges::fill(in, -1);
    std::ranges::fill(all, -1);
  }
  void spoil() override {
    if (rank == 0) all.back() += 1;
  }
  void collect() {
    const int count = elements * ranks;
    MPI_Gather(in.data(), count, MPI_DOUBLE, all.data(), count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  }
  [[nodiscard]] rooftop::Verdict verify(std::string_view /*algorithm*/) const override {
    const auto size = static_cast<std::size_t>(elements);
    for (std::size_t at = 0; at < all.size(); ++at) {
      const std::size_t receiver = at / in.size();
      const auto sender = static_cast<int>(at % in.size() / size);
      if (all[at] == content(sender, receiver * size + at % size)) continue;
      return rooftop::exact("rank " + std::to_string(receiver) + " has not what " + std::to_string(sender) + " sent");
    }
    return rooftop::exact("");
  }

  [[nodiscard]] static double content(int sender, std::size_t place) {
    return sender * 1e8 + static_cast<double>(place);
  }
  [[nodiscard]] std::size_t at(int block) const { return static_cast<std::size_t>(elements) * block; }

  const int elements, rank, ranks;
  std::vector<double> out, in;                   ///< a block for each rank, and from each
  std::vector<double> shifted, packed, arrived;  ///< for Bruck's algorithm
  std::vector<double> all;                       ///< what each rank has got, on rank 0
};

/// All messages at once, in the order of the ranks: at the beginning everybody sends to rank 0.
void linear(Exchanging& lab) {
  std::vector<MPI_Request> requests(2 * static_cast<std::size_t>(lab.ranks));
  MPI_Request* request = requests.data();
  for (int from = 0; from < lab.ranks; ++from) {
    MPI_Irecv(&lab.in[lab.at(from)], lab.elements, MPI_DOUBLE, from, 0, MPI_COMM_WORLD, request++);
  }
  for (int to = 0; to < lab.ranks; ++to) {
    MPI_Isend(&lab.out[lab.at(to)], lab.elements, MPI_DOUBLE, to, 0, MPI_COMM_WORLD, request++);
  }
  MPI_Waitall(2 * lab.ranks, requests.data(), MPI_STATUSES_IGNORE);
}

/// In each step one message to a rank and one from it or another.
void pairwise(Exchanging& lab) {
  for (int step = 0; step < lab.ranks; ++step) {
    const int to = (lab.rank + step) % lab.ranks;
    const int from = (lab.rank + lab.ranks - step) % lab.ranks;
    exchange(&lab.out[lab.at(to)], to, &lab.in[lab.at(from)], from, lab.elements);
  }
}

/// Blocks that have d ranks to go are sent on in the steps of the bits of d, together with all others of that step.
void bruck(Exchanging& lab) {
  const auto first = lab.out.begin() + static_cast<std::ptrdiff_t>(lab.at(lab.rank));
  std::rotate_copy(lab.out.begin(), first, lab.out.end(), lab.shifted.begin());
  for (int bit = 1; bit < lab.ranks; bit *= 2) {
    double* next = lab.packed.data();
    for (int d = bit; d < lab.ranks; d = (d + 1) | bit) {
      next = std::copy_n(&lab.shifted[lab.at(d)], lab.elements, next);
    }
    const int count = static_cast<int>(next - lab.packed.data());
    const int to = (lab.rank + bit) % lab.ranks;
    exchange(lab.packed.data(), to, lab.arrived.data(), (lab.rank + lab.ranks - bit) % lab.ranks, count);
    const double* come = lab.arrived.data();
    for (int d = bit; d < lab.ranks; d = (d + 1) | bit) {
      std::copy_n(come, lab.elements, &lab.shifted[lab.at(d)]);
      come += lab.elements;
    }
  }
  for (int d = 0; d < lab.ranks; ++d) {
    const int from = (lab.rank + lab.ranks - d) % lab.ranks;
    std::copy_n(&lab.shifted[lab.at(d)], lab.elements, &lab.in[lab.at(from)]);
  }
}

void library(Exchanging& lab) {
  MPI_Alltoall(lab.out.data(), lab.elements, MPI_DOUBLE, lab.in.data(), lab.elements, MPI_DOUBLE, MPI_COMM_WORLD);
}

template <void (*exchange_all)(Exchanging&)>
class By final : public rooftop::LabRung {
 public:
  explicit By(Exchanging& lab) : lab_(lab) {}
  void run() override {
    as_just_written(lab_.out.data(), lab_.out.size());
    exchange_all(lab_);
  }
  void finish() override { lab_.collect(); }

 private:
  Exchanging& lab_;
};

using rooftop::variant;

}  // namespace

ROOFTOP_LAB(Exchanging, variant<By<linear>, Exchanging>("10-linear", "All messages at once, to rank 0 first."),
            variant<By<pairwise>, Exchanging>("20-pairwise", "One message to a rank in each step."),
            variant<By<bruck>, Exchanging>("30-bruck", "Blocks travel together, over other ranks."),
            variant<By<library>, Exchanging>("90-library", "MPI_Alltoall."));
