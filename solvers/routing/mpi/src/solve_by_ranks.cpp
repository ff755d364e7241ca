#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "meeting.hpp"
#include "random.hpp"
#include "rooftop/routing_mpi.hpp"

namespace rooftop::routing {
namespace {

constexpr int order_tag = 1;

class Ranks final : public Meeting {
 public:
  explicit Ranks(MPI_Comm comm) : comm_(comm) {
    MPI_Comm_rank(comm, &rank_);
    MPI_Comm_size(comm, &size_);
  }

  [[nodiscard]] int number() const override { return rank_; }
  [[nodiscard]] int size() const { return size_; }

  /// The shorter half keep their tours; each of the longer half takes one of theirs.
  [[nodiscard]] bool meet(Length length, std::vector<City>& order) override {
    const std::vector<Length> lengths = of_all(length);
    std::vector<int> placed(lengths.size());
    std::iota(placed.begin(), placed.end(), 0);
    std::stable_sort(placed.begin(), placed.end(), [&](int a, int b) { return lengths[at(a)] < lengths[at(b)]; });
    const auto place = static_cast<int>(std::find(placed.begin(), placed.end(), rank_) - placed.begin());
    const int kept = (size_ + 1) / 2, count = static_cast<int>(order.size());
    const int other = place < kept ? place + kept : place - kept;
    if (other >= size_ || lengths[at(placed[at(other)])] == length) return false;
    if (place < kept) {
      MPI_Send(order.data(), count, MPI_INT32_T, placed[at(other)], order_tag, comm_);
      return false;
    }
    MPI_Recv(order.data(), count, MPI_INT32_T, placed[at(other)], order_tag, comm_, MPI_STATUS_IGNORE);
    return true;
  }

  /// The shortest of all, on every rank.
  void share(Solution& solution) const {
    const std::vector<Length> lengths = of_all(solution.length);
    const auto best = static_cast<int>(std::min_element(lengths.begin(), lengths.end()) - lengths.begin());
    MPI_Bcast(solution.order.data(), static_cast<int>(solution.order.size()), MPI_INT32_T, best, comm_);
    MPI_Bcast(&solution.length, 1, MPI_INT64_T, best, comm_);
    auto entries = static_cast<int>(solution.history.size());
    MPI_Bcast(&entries, 1, MPI_INT, best, comm_);
    solution.history.resize(at(entries));
    const auto bytes = static_cast<int>(solution.history.size() * sizeof(Progress));
    MPI_Bcast(solution.history.data(), bytes, MPI_BYTE, best, comm_);
    MPI_Allreduce(MPI_IN_PLACE, &solution.iterations, 1, MPI_INT64_T, MPI_SUM, comm_);
    MPI_Allreduce(MPI_IN_PLACE, &solution.seconds, 1, MPI_DOUBLE, MPI_MAX, comm_);
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  [[nodiscard]] std::vector<Length> of_all(Length length) const {
    std::vector<Length> lengths(at(size_));
    MPI_Allgather(&length, 1, MPI_INT64_T, lengths.data(), 1, MPI_INT64_T, comm_);
    return lengths;
  }

  MPI_Comm comm_;
  int rank_ = 0, size_ = 1;
};

}  // namespace

Solution solve(const Instance& instance, const Options& options, MPI_Comm comm) {
  Ranks ranks(comm);
  Options own = options;
  if (options.iterations > 0) {
    if (options.iterations < ranks.size()) {
      throw InvalidInput("iterations is " + std::to_string(options.iterations) + "; expected " +
                         std::to_string(ranks.size()) + " or more, one for each rank");
    }
    const std::int64_t rank = ranks.number(), size = ranks.size();
    own.iterations = options.iterations / size + static_cast<std::int64_t>(rank < options.iterations % size);
  }
  // The first rank alone would find what one process finds.
  if (ranks.number() > 0) own.seed = Random(options.seed, static_cast<std::uint64_t>(ranks.number()), 3).bits();
  Solution solution = solve_meeting(instance, own, ranks);
  ranks.share(solution);
  return solution;
}

}  // namespace rooftop::routing
