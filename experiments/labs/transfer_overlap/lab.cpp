// needs: MPI
/// Overlap: how much of a transfer proceeds while the receiver works.
#include <mpi.h>
#include <sched.h>

#include <algorithm>
#include <array>
#include <rooftop/delay.hpp>
#include <rooftop/lab.hpp>
#include <string>
#include <thread>
#include <vector>

namespace {

/// Rank 1 sends, rank 0 works for `cycles` cycles and receives. Other ranks take no part.
class Transfer final : public rooftop::Lab {
 public:
  static constexpr bool mpi_from_all_threads = true;
  struct Parameters {
    std::int64_t bytes;
    std::int64_t cycles;
  };
  static constexpr std::array fields{rooftop::field<&Parameters::bytes>("bytes", 1, 1 << 28),
                                     rooftop::field<&Parameters::cycles>("cycles", 0, 1 << 30)};
  static std::vector<Parameters> checks() { return {{.bytes = 1, .cycles = 0}, {.bytes = 100003, .cycles = 5000}}; }

  Transfer(const Parameters& given, const rooftop::Setting& setting)
      : bytes(static_cast<int>(given.bytes)), cycles(given.cycles), rank(setting.rank), come(given.bytes) {
    if (setting.ranks < 2) throw rooftop::Skip("needs two ranks");
    for (int i = 0; i < bytes; ++i) own.push_back(static_cast<char>(i % 101 + 1));
  }

  void poison() override { std::ranges::fill(come, '\0'); }
  void spoil() override { come.back() ^= 1; }
  [[nodiscard]] rooftop::Verdict verify(std::string_view /*algorithm*/) const override {
    const auto wrong = std::ranges::mismatch(own, come).in1 - own.begin();
    return rooftop::exact(wrong == bytes ? "" : "byte " + std::to_string(wrong) + " is not what was sent");
  }
  /// What is left of the transfer after the work, of what it takes alone.
  [[nodiscard]] std::vector<rooftop::LabFigure> figures() const override {
    const double left = std::min(100 * waited_s / alone_s, 100.0);
    return {{"proceeded_percent", 100 - left}, {"remaining_percent", left}};
  }

  /// Works for all cycles, and calls MPI_Test after each thousand if there is a request.
  void work(MPI_Request* request) const {
    const rooftop::Delay delay;
    std::int64_t value = 0;
    for (std::int64_t left = cycles; left > 0; left -= 1000) {
      value = delay.after(value, std::min<std::int64_t>(left, 1000));
      int done = 0;
      if (request != nullptr) MPI_Test(request, &done, MPI_STATUS_IGNORE);
    }
  }

  const int bytes;
  const std::int64_t cycles;
  const int rank;
  double alone_s = 1, waited_s = 0;
  std::vector<char> own, come;
};

enum class Help { blocking, none, tests, thread_here, thread_elsewhere };

/// Binds the calling thread to one of the processors that it may use: the one that it is on, or another.
void bind(const cpu_set_t& allowed, int here, bool elsewhere) {
  cpu_set_t one;
  CPU_ZERO(&one);
  for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++cpu) {
    if (CPU_ISSET(cpu, &allowed) && (cpu == here) != elsewhere) CPU_SET(cpu, &one);
  }
  sched_setaffinity(0, sizeof one, &one);
}

template <Help help>
class Receive final : public rooftop::LabRung {
  static constexpr bool threaded = help == Help::thread_here || help == Help::thread_elsewhere;

 public:
  explicit Receive(Transfer& lab) : lab_(lab) {
    sched_getaffinity(0, sizeof allowed_, &allowed_);
    if (!threaded) return;
    int provided = MPI_THREAD_SINGLE;
    MPI_Query_thread(&provided);
    if (provided < MPI_THREAD_MULTIPLE) throw rooftop::Skip("this program has no MPI_THREAD_MULTIPLE");
    if (help == Help::thread_elsewhere && CPU_COUNT(&allowed_) < 2) throw rooftop::Skip("there is one processor");
    if (lab.rank == 0) bind(allowed_, here_, false);
  }
  ~Receive() override { sched_setaffinity(0, sizeof allowed_, &allowed_); }
  void prepare() override {
    for (int i = 0; i < 4; ++i) {
      MPI_Barrier(MPI_COMM_WORLD);
      const double start = MPI_Wtime();
      transfer(false);
      lab_.alone_s = i == 0 ? 1 : std::min(lab_.alone_s, MPI_Wtime() - start);
    }
  }
  void run() override {
    MPI_Barrier(MPI_COMM_WORLD);
    transfer(true);
  }

 private:
  void transfer(bool works) {
    MPI_Request request = MPI_REQUEST_NULL;
    if (lab_.rank == 1) MPI_Send(lab_.own.data(), lab_.bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
    if (lab_.rank != 0) return;
    if (help != Help::blocking) receive(&request);
    std::thread helper;
    if (works && threaded) helper = std::thread([&] { help_on_core(&request); });
    if (works) lab_.work(help == Help::tests ? &request : nullptr);
    const double start = MPI_Wtime();
    if (help == Help::blocking) receive(&request);
    if (helper.joinable()) helper.join();
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    lab_.waited_s = MPI_Wtime() - start;
  }
  void receive(MPI_Request* request) {
    MPI_Irecv(lab_.come.data(), lab_.bytes, MPI_CHAR, 1, 0, MPI_COMM_WORLD, request);
  }
  void help_on_core(MPI_Request* request) const {
    bind(allowed_, here_, help == Help::thread_elsewhere);
    MPI_Wait(request, MPI_STATUS_IGNORE);
  }

  Transfer& lab_;
  cpu_set_t allowed_{};
  const int here_ = sched_getcpu();
};

using rooftop::variant;

}  // namespace

ROOFTOP_LAB(Transfer,
            variant<Receive<Help::blocking>, Transfer>("10-blocking", "The receive is called after the work."),
            variant<Receive<Help::none>, Transfer>("20-no-help", "Posted before the work, and awaited after."),
            variant<Receive<Help::tests>, Transfer>("30-test-calls", "MPI_Test after each thousand cycles of work."),
            variant<Receive<Help::thread_here>, Transfer>("40-thread-same-core", "A thread waits, on the same core."),
            variant<Receive<Help::thread_elsewhere>, Transfer>("50-thread-other-core", "A thread waits on another."));
