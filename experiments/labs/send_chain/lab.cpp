// needs: MPI
/// A chain of sends: each rank sends to the right before it receives from the left.
///
/// A send that waits for its receiver (a long message's, or MPI_Ssend) ends when the right neighbour has come to its
/// receive, and that is behind its own send. Only the last rank receives at once: the others follow, one after another.
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

class Shift final : public rooftop::Lab {
 public:
  struct Parameters {
    std::int64_t elements;
  };
  static constexpr std::array fields{rooftop::field<&Parameters::elements>("elements", 1, 1 << 24)};
  static std::vector<Parameters> checks() { return {{.elements = 1}, {.elements = 1009}}; }

  Shift(const Parameters& given, const rooftop::Setting& setting)
      : elements(static_cast<int>(given.elements)),
        rank(setting.rank),
        ranks(setting.ranks),
        left(rank == 0 ? MPI_PROC_NULL : rank - 1),
        right(rank == ranks - 1 ? MPI_PROC_NULL : rank + 1),
        own(given.elements) {
    std::iota(own.begin(), own.end(), 1e8 * rank);
    come = own;
    if (rank == 0) all.resize(own.size() * ranks);
  }

  void poison() override {
    std::ranges::fill(come, -1);
    std::ranges::fill(all, -1);
  }
  void spoil() override {
    if (rank == 0) all.back() += 1;
  }
  /// Rank 0 has no left neighbour.
  void collect() {
    if (rank == 0) come = own;
    MPI_Gather(come.data(), elements, MPI_DOUBLE, all.data(), elements, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  }
  [[nodiscard]] rooftop::Verdict verify(std::string_view /*algorithm*/) const override {
    for (std::size_t at = 0; at < all.size(); ++at) {
      const auto receiver = static_cast<int>(at / own.size());
      if (all[at] == 1e8 * std::max(receiver - 1, 0) + static_cast<double>(at % own.size())) continue;
      return rooftop::exact("rank " + std::to_string(receiver) + " has not what its left neighbour sent");
    }
    return rooftop::exact("");
  }

  const int elements, rank, ranks, left, right;
  std::vector<double> own, come;
  std::vector<double> all;  ///< what each rank has got, on rank 0
};

void send(Shift& lab) { MPI_Ssend(lab.own.data(), lab.elements, MPI_DOUBLE, lab.right, 0, MPI_COMM_WORLD); }

void receive(Shift& lab) {
  MPI_Recv(lab.come.data(), lab.elements, MPI_DOUBLE, lab.left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

void chain(Shift& lab) {
  send(lab);
  receive(lab);
}

void even_and_odd(Shift& lab) {
  const bool sends_first = lab.rank % 2 == 0;
  if (sends_first) send(lab);
  receive(lab);
  if (!sends_first) send(lab);
}

void both_at_once(Shift& lab) {
  MPI_Sendrecv(lab.own.data(), lab.elements, MPI_DOUBLE, lab.right, 0, lab.come.data(), lab.elements, MPI_DOUBLE,
               lab.left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

void non_blocking(Shift& lab) {
  std::array<MPI_Request, 2> requests{};
  MPI_Irecv(lab.come.data(), lab.elements, MPI_DOUBLE, lab.left, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Issend(lab.own.data(), lab.elements, MPI_DOUBLE, lab.right, 0, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
}

/// All begin together: the last rank would run ahead, and the next run's chain begin behind this one's.
template <void (*shift)(Shift&)>
class Together final : public rooftop::LabRung {
 public:
  explicit Together(Shift& lab) : lab_(lab) {}
  void run() override {
    as_just_written(lab_.own.data(), lab_.own.size());
    MPI_Barrier(MPI_COMM_WORLD);
    shift(lab_);
  }
  void finish() override { lab_.collect(); }

 private:
  Shift& lab_;
};

using rooftop::variant;

}  // namespace

ROOFTOP_LAB(Shift,
            variant<Together<chain>, Shift>("10-chain", "All send first: the last rank frees the one before it."),
            variant<Together<even_and_odd>, Shift>("20-even-and-odd", "Even ranks send first, odd ones receive first."),
            variant<Together<both_at_once>, Shift>("30-sendrecv", "MPI_Sendrecv."),
            variant<Together<non_blocking>, Shift>("40-non-blocking", "Both begin, and then both are awaited."));
