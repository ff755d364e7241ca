/// The same over ranks of MPI: each has a share of the processes, and threads for them.
/// Changed from 10-textbook: a rank whose own best has become shorter sends it, as text and at most once a month, to
/// rank 0, which reads what has come in when its own month is over and keeps the best. Limit attacked: one pool of
/// memory and one month's end for all threads of a machine. Evidence: as many ranks as threads before wait less in the
/// allocator; where it is no bottleneck, nothing moves. Source: the same optimiser's first step, ranks of MPI beside
/// OpenMP.
// needs: MPI
#include <mpi.h>

#include <cstdlib>

#include "string_rung.hpp"

namespace {

struct Standard {
  static void* take(std::size_t bytes) { return std::malloc(bytes); }
  static void give(void* memory, std::size_t /*bytes*/) { std::free(memory); }
};

class Hybrid : public rooftop::Rung {
 public:
  explicit Hybrid(const ants::Problem& problem) : p_(problem) { ants::require_matrix_fits(p_); }

  void run() override {
    const int own = (ants::processes - p_.rank + p_.ranks - 1) / p_.ranks;
    p_.ledger->memory_bytes = static_cast<std::int64_t>(ants::StringColony<Standard>::memory_bytes(p_, own));
    ants::StringColony<Standard> colony(p_, p_.rank, p_.ranks);
    best_ = {};
    open_ = p_.rank == 0 ? p_.ranks - 1 : 0;
    for (std::int64_t month = 0; month < ants::months(p_); ++month) {
      const bool better = colony.month(month);
      if (p_.rank != 0) {
        if (better) send(colony.best().path);
      } else if (better) {
        keep(colony.best());
      }
      while (p_.rank == 0 && has_come()) receive();
    }
    if (p_.rank != 0) send("");
    while (open_ > 0) receive();
    // What a rank sends in its next run is not to be taken for this one's.
    MPI_Barrier(MPI_COMM_WORLD);
    if (p_.rank != 0) return;
    const auto cities = ants::cities_of<Standard>(best_.path);
    std::ranges::copy(cities, p_.tour);
    *p_.length = best_.length;
  }

  [[nodiscard]] rooftop::Work work() const override { return ants::matrix_work(p_, sizeof(double), true); }

 private:
  using Tour = ants::TextTour<Standard>;

  /// An empty text is a rank's last.
  static void send(std::string_view text) {
    MPI_Send(text.data(), static_cast<int>(text.size()), MPI_CHAR, 0, 0, MPI_COMM_WORLD);
  }
  [[nodiscard]] bool has_come() const {
    int there = 0;
    if (open_ > 0) MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
    return there != 0;
  }
  void receive() {
    MPI_Status status;
    MPI_Probe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
    int size = 0;
    MPI_Get_count(&status, MPI_CHAR, &size);
    Tour tour{ants::Text<Standard>(ants::at(size), ' '), 0};
    MPI_Recv(tour.path.data(), size, MPI_CHAR, status.MPI_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (size == 0) {
      --open_;
    } else {
      const auto cities = ants::cities_of<Standard>(tour.path);
      tour.length = ants::tour_length(p_, cities.data());
      keep(tour);
    }
  }
  /// Of two as short the text that is smaller, since messages come in any order.
  void keep(const Tour& tour) {
    if (tour.shorter_than(best_) || (tour.length == best_.length && tour.path < best_.path)) best_ = tour;
  }

  const ants::Problem& p_;
  Tour best_;
  int open_ = 0;  ///< ranks that may send more
};

}  // namespace

ROOFTOP_RUNG(ants::Problem, Hybrid);
