/// What a message between two ranks takes, by its size: half a round trip, an exchange, the gap and the overhead of
/// LogGP.
///
/// Started by the launcher on two ranks, each bound to a core of its own; the first one tells the figures. Each is the
/// best of several bursts. What is sent is what has come before, as in most programs: its lines are in the sender's
/// cache, changed, as long as they fit.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rooftop/probe_lines.hpp"

namespace {

constexpr int stream_messages = 64;
// Below, at and beyond the sizes up to which libraries send without asking (4 KiB within a node in Open MPI 4).
constexpr std::array sizes{8, 512, 4000, 8192, 65536, 262144, 1048576, 4194304};

struct Pace {
  double burst_s;  ///< at least this long, by repeating
  int passes;      ///< over all figures: each is looked at so often, between the others
};

class Pair {
 public:
  Pair(int rank, Pace pace) : rank_(rank), pace_(pace), own_(sizes.back(), '1'), come_(sizes.back(), '2') {}

  void round_trip(int bytes) {
    if (rank_ == 0) send(bytes);
    receive(bytes);
    std::swap(own_, come_);
    if (rank_ == 1) send(bytes);
  }

  void exchange(int bytes) {
    std::swap(own_, come_);
    MPI_Sendrecv(own_.data(), bytes, MPI_CHAR, 1 - rank_, 0, come_.data(), bytes, MPI_CHAR, 1 - rank_, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }

  /// Messages that wait for nothing, and one that says that they have come. The first rank's calls take `calls_s`.
  void stream(int bytes) {
    const double start = MPI_Wtime();
    for (int i = 0; i < stream_messages; ++i) {
      if (rank_ == 0) send(bytes);
      if (rank_ == 1) receive(bytes);
    }
    calls_s = std::min(calls_s, MPI_Wtime() - start);
    if (rank_ == 0) receive(0);
    if (rank_ == 1) send(0);
  }

  /// Repeats work, `repetitions` times or as much oftener as a burst takes, and returns seconds for one. The first rank
  /// decides how often. Both ranks must call it.
  template <typename Work>
  double burst(int& repetitions, const Work& work) {
    while (true) {
      work();  // its bytes come into the caches
      MPI_Barrier(MPI_COMM_WORLD);
      const double start = MPI_Wtime();
      for (int i = 0; i < repetitions; ++i) work();
      const double taken = MPI_Wtime() - start;
      int enough = taken >= pace_.burst_s ? 1 : 0;
      MPI_Bcast(&enough, 1, MPI_INT, 0, MPI_COMM_WORLD);
      if (enough != 0) return taken / repetitions;
      repetitions *= 2;
    }
  }

  double calls_s = std::numeric_limits<double>::infinity();

 private:
  void send(int bytes) const { MPI_Send(own_.data(), bytes, MPI_CHAR, 1 - rank_, 0, MPI_COMM_WORLD); }
  void receive(int bytes) { MPI_Recv(come_.data(), bytes, MPI_CHAR, 1 - rank_, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }

  const int rank_;
  const Pace pace_;
  std::vector<char> own_;
  std::vector<char> come_;
};

std::string library() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  const std::string_view told(text.data(), static_cast<std::size_t>(length));
  return std::string(told.substr(0, told.find_first_of(",\n")));
}

/// Both ranks take part in all of it, and the first one tells what it took. A machine that is shared may be slower for
/// some milliseconds: passes over all figures have each of them see the same times.
void measure(const rooftop::ProbeLines& lines, int rank, Pace pace) {
  Pair pair(rank, pace);
  constexpr double never = std::numeric_limits<double>::infinity();
  struct Figure {
    int repetitions = 1;
    double best_s = never;
  };
  const auto look = [&](Figure& figure, const auto& work) {
    figure.best_s = std::min(figure.best_s, pair.burst(figure.repetitions, work));
  };
  std::array<Figure, sizes.size()> one_way;
  std::array<Figure, sizes.size()> both_ways;
  Figure stream;
  for (int pass = 0; pass < pace.passes; ++pass) {
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      look(one_way[i], [&] { pair.round_trip(sizes[i]); });
      look(both_ways[i], [&] { pair.exchange(sizes[i]); });
    }
    look(stream, [&] { pair.stream(sizes.front()); });
  }
  if (rank != 0) return;
  const std::string mpi = library();
  const auto tell = [&](std::string_view metric, int bytes, double seconds) {
    lines.figure(metric, seconds, "s", 2, {{"message_bytes", bytes}, {"library", mpi}});
  };
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    tell("message", sizes[i], one_way[i].best_s / 2);
    tell("message_exchange", sizes[i], both_ways[i].best_s);
  }
  tell("message_gap", sizes.front(), stream.best_s / stream_messages);
  tell("message_overhead", sizes.front(), pair.calls_s / stream_messages);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  // Each rank may use its own core alone, so its processors are not what `--threads` counts.
  const auto options = rooftop::parse_probe_options(argc, argv, std::numeric_limits<int>::max());
  const rooftop::ProbeLines lines("messages");
  if (ranks == 2) {
    measure(lines, rank, {.burst_s = 5e-4, .passes = options.brief ? 10 : options.quick ? 25 : 100});
  } else if (rank == 0) {
    lines.skip("message needs two ranks, and there are " + std::to_string(ranks));
  }
  MPI_Finalize();
}
