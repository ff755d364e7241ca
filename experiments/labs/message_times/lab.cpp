// needs: MPI
/// The time of a message by its size: latency, overhead, gap, and the time of a byte.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <rooftop/lab.hpp>
#include <string>
#include <vector>

namespace {

/// Rank 0 sends to rank 1, and has the last message back at the end. Other ranks take no part.
class Messages final : public rooftop::Lab {
 public:
  struct Parameters {
    std::int64_t bytes;
    std::int64_t messages;
  };
  static constexpr std::array fields{rooftop::field<&Parameters::bytes>("bytes", 1, 1 << 28),
                                     rooftop::field<&Parameters::messages>("messages", 1, 1 << 20)};
  static std::vector<Parameters> checks() { return {{.bytes = 1, .messages = 1}, {.bytes = 10007, .messages = 3}}; }

  Messages(const Parameters& given, const rooftop::Setting& setting)
      : bytes(static_cast<int>(given.bytes)), messages(static_cast<int>(given.messages)), rank(setting.rank) {
    if (setting.ranks < 2) throw rooftop::Skip("needs two ranks");
    for (int i = 0; i < bytes; ++i) own.push_back(static_cast<char>(i % 101 + 1));
    come = more = own;
  }

  void poison() override {
    std::ranges::fill(come, '\0');
    std::ranges::fill(more, '\0');
  }
  void spoil() override { come.back() ^= 1; }

  [[nodiscard]] rooftop::Verdict verify(std::string_view /*algorithm*/) const override {
    const auto wrong = std::ranges::mismatch(own, come).in1 - own.begin();
    return rooftop::exact(wrong == bytes ? "" : "byte " + std::to_string(wrong) + " has come back wrong");
  }
  [[nodiscard]] std::vector<rooftop::LabFigure> figures() const override { return model; }

  void send(const std::vector<char>& data, int count) const {
    MPI_Send(data.data(), count, MPI_CHAR, 1 - rank, 0, MPI_COMM_WORLD);
  }
  void receive(int count) { MPI_Recv(come.data(), count, MPI_CHAR, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }
  /// Sends back what has come, whose lines are in this core's cache.
  void answer(int count) {
    receive(count);
    send(come, count);
  }

  const int bytes, messages, rank;
  std::vector<char> own, come, more;
  double calls_s = 0;                                                    ///< in the sender's calls of a stream
  double half_ns = 1e9, overhead_ns = 1e9, gap_ns = 1e9, long_ns = 1e9;  ///< the shortest of all runs
  std::vector<rooftop::LabFigure> model;
};

void ping_pong(Messages& lab, int count, int messages) {
  for (int i = 0; i < messages; ++i) {
    if (lab.rank == 1) lab.answer(count);
    if (lab.rank == 0) lab.send(i == 0 ? lab.own : lab.come, count);
    if (lab.rank == 0) lab.receive(count);
  }
}

void stream(Messages& lab, int count, int messages) {
  const double start = MPI_Wtime();
  for (int i = 1; i < messages; ++i) {
    if (lab.rank == 0) lab.send(lab.own, count);
    if (lab.rank == 1) lab.receive(count);
  }
  lab.calls_s = MPI_Wtime() - start;
  if (lab.rank == 1) lab.answer(count);
  if (lab.rank == 0) lab.send(lab.own, count);
  if (lab.rank == 0) lab.receive(count);
}

void both_ways(Messages& lab, int count, int messages) {
  for (int i = 0; i < messages && lab.rank < 2; ++i) {
    const char* data = i == 0 ? lab.own.data() : lab.more.data();
    MPI_Sendrecv(data, count, MPI_CHAR, 1 - lab.rank, 0, lab.come.data(), count, MPI_CHAR, 1 - lab.rank, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    std::swap(lab.come, lab.more);
  }
  std::swap(lab.come, lab.more);
}

/// LogGP: half a round trip of one byte is latency and two overheads; a stream of them goes by the gap, and a call
/// takes the overhead as long as there is room. What a long message takes beyond that is the time of its bytes.
void fit(Messages& lab, int count, int messages) {
  constexpr int many = 64;
  ping_pong(lab, 1, many);
  const double start = MPI_Wtime();
  ping_pong(lab, 1, many);
  const double turned = MPI_Wtime();
  stream(lab, 1, many);
  const double streamed = MPI_Wtime();
  ping_pong(lab, count, messages);
  const double ns = 1e9 / many;
  lab.long_ns = std::min(lab.long_ns, (MPI_Wtime() - streamed) / 2 * 1e9 / messages);
  lab.half_ns = std::min(lab.half_ns, (turned - start) / 2 * ns);
  lab.overhead_ns = std::min(lab.overhead_ns, lab.calls_s * ns);
  lab.gap_ns = std::min(lab.gap_ns, (streamed - turned) * ns);
  lab.model = {{"half_round_trip_ns", lab.half_ns},
               {"latency_ns", lab.half_ns - 2 * lab.overhead_ns},
               {"overhead_ns", lab.overhead_ns},
               {"gap_ns", lab.gap_ns},
               {"byte_ns", (lab.long_ns - lab.half_ns) / std::max(count - 1, 1)}};
}

template <void (*send)(Messages&, int, int)>
class By final : public rooftop::LabRung {
 public:
  explicit By(Messages& lab) : lab_(lab) {}
  /// The first messages make the connection.
  void prepare() override { run(); }
  void run() override { send(lab_, lab_.bytes, lab_.messages); }

 private:
  Messages& lab_;
};

using rooftop::variant;

}  // namespace

ROOFTOP_LAB(Messages,
            variant<By<ping_pong>, Messages>("10-ping-pong", "Each message waits for the answer to the one before."),
            variant<By<stream>, Messages>("20-stream", "One after another, and one answer."),
            variant<By<both_ways>, Messages>("30-both-ways", "Both ranks send at once."),
            variant<By<fit>, Messages>("40-model", "Short and long round trips and a stream, for the fitted model."));
