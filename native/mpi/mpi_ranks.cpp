// For drivers whose modules are MPI programs: the ranks of MPI_COMM_WORLD.
#include <mpi.h>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <rooftop/ranks.hpp>
#include <stdexcept>
#include <thread>

namespace rooftop {
namespace {

class MpiRanks final : public Ranks {
 public:
  explicit MpiRanks(Callers callers) {
    // Whoever calls from all threads asks itself whether it may.
    const int level = callers == Callers::all_threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_FUNNELED;
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, level, &provided);
    if (provided < MPI_THREAD_FUNNELED) throw std::runtime_error("this MPI does not allow threads beside it");
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }
  ~MpiRanks() override { MPI_Finalize(); }

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return size_; }
  void meet() override { MPI_Barrier(MPI_COMM_WORLD); }

  [[nodiscard]] std::vector<std::int64_t> all(std::int64_t mine) override {
    std::vector<std::int64_t> values(static_cast<std::size_t>(size_));
    MPI_Allgather(&mine, 1, MPI_INT64_T, values.data(), 1, MPI_INT64_T, MPI_COMM_WORLD);
    return values;
  }

  [[nodiscard]] std::string from(int rank, const std::string& text) override {
    std::uint64_t length = text.size();
    MPI_Bcast(&length, 1, MPI_UINT64_T, rank, MPI_COMM_WORLD);
    return characters(rank, text, length);
  }

  [[nodiscard]] std::string await(const std::string& text) override {
    std::uint64_t length = text.size();
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibcast(&length, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD, &request);
    for (int come = 0; come == 0;) {
      MPI_Test(&request, &come, MPI_STATUS_IGNORE);
      if (come == 0) std::this_thread::sleep_for(std::chrono::microseconds(300));
    }
    return characters(0, text, length);
  }

  [[noreturn]] void abandon(const std::string& why) override {
    std::cerr << "rank " << rank_ << ": " << why << std::endl;
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    std::abort();
  }

 private:
  std::string characters(int root, const std::string& text, std::uint64_t length) const {
    std::string shared = rank_ == root ? text : std::string(length, ' ');
    MPI_Bcast(shared.data(), static_cast<int>(length), MPI_CHAR, root, MPI_COMM_WORLD);
    return shared;
  }

  int rank_ = 0, size_ = 1;
};

}  // namespace

std::unique_ptr<Ranks> join_ranks(Callers callers) { return std::make_unique<MpiRanks>(callers); }

}  // namespace rooftop
