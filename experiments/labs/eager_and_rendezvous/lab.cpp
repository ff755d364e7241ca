// needs: MPI
/// Eager and rendezvous: a short message leaves at once, a long one when its receiver has come.
///
/// The receiver works before it receives. A long message's sender waits in MPI_Send for that time, and begins its own
/// work only then.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <rooftop/lab.hpp>
#include <string>
#include <vector>

namespace {

/// Rank 1 sends and then works; rank 0 works and then receives. Other ranks take no part.
class Meeting final : public rooftop::Lab {
 public:
  struct Parameters {
    std::int64_t bytes;
    std::int64_t work_us;
  };
  static constexpr std::array fields{rooftop::field<&Parameters::bytes>("bytes", 1, 1 << 28),
                                     rooftop::field<&Parameters::work_us>("work_us", 0, 1 << 20)};
  static std::vector<Parameters> checks() { return {{.bytes = 1, .work_us = 0}, {.bytes = 100003, .work_us = 30}}; }

  Meeting(const Parameters& given, const rooftop::Setting& setting)
      : parameters(given), bytes(static_cast<int>(given.bytes)), rank(setting.rank), come(given.bytes) {
    if (setting.ranks < 2) throw rooftop::Skip("needs two ranks");
    for (int i = 0; i < bytes; ++i) own.push_back(static_cast<char>(i % 101 + 1));
  }

  void poison() override { std::ranges::fill(come, '\0'); }
  void spoil() override { come.back() ^= 1; }

  [[nodiscard]] rooftop::Verdict verify(std::string_view /*algorithm*/) const override {
    const auto wrong = std::ranges::mismatch(own, come).in1 - own.begin();
    return rooftop::exact(wrong == bytes ? "" : "byte " + std::to_string(wrong) + " is not what was sent");
  }

  /// Works for the time of the case, and calls MPI_Test in between if there is a request.
  void work(MPI_Request* request = nullptr) const {
    const double end = MPI_Wtime() + 1e-6 * static_cast<double>(parameters.work_us);
    for (int done = 0; MPI_Wtime() < end;) {
      if (request != nullptr && done == 0) MPI_Test(request, &done, MPI_STATUS_IGNORE);
    }
  }
  void send() const { MPI_Send(own.data(), bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD); }
  void receive() { MPI_Recv(come.data(), bytes, MPI_CHAR, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }
  void begin_to_receive(MPI_Request* request) {
    MPI_Irecv(come.data(), bytes, MPI_CHAR, 1, 0, MPI_COMM_WORLD, request);
  }

  const Parameters parameters;
  const int bytes, rank;
  std::vector<char> own, come;
};

void work_then_receive(Meeting& lab) {
  if (lab.rank == 1) {
    lab.send();
    lab.work();
  } else {
    lab.work();
    lab.receive();
  }
}

template <bool tests>
void post_then_work(Meeting& lab) {
  if (lab.rank == 1) {
    lab.send();
    lab.work();
  } else {
    MPI_Request request = MPI_REQUEST_NULL;
    lab.begin_to_receive(&request);
    lab.work(tests ? &request : nullptr);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
}

void begin_to_send(Meeting& lab) {
  if (lab.rank == 1) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Isend(lab.own.data(), lab.bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD, &request);
    lab.work();
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
    lab.work();
    lab.receive();
  }
}

/// Both begin together.
template <void (*meet)(Meeting&)>
class By final : public rooftop::LabRung {
 public:
  explicit By(Meeting& lab) : lab_(lab) {}
  void run() override {
    MPI_Barrier(MPI_COMM_WORLD);
    if (lab_.rank < 2) meet(lab_);
  }

 private:
  Meeting& lab_;
};

using rooftop::variant;

}  // namespace

ROOFTOP_LAB(
    Meeting, variant<By<work_then_receive>, Meeting>("10-late-receive", "The receive is called after the work."),
    variant<By<post_then_work<false>>, Meeting>("20-early-receive", "It is posted before, and completed after."),
    variant<By<post_then_work<true>>, Meeting>("30-test-calls", "Posted before, with MPI_Test during the work."),
    variant<By<begin_to_send>, Meeting>("40-non-blocking-send", "The sender does not wait before its work."));
