/// Messages are set up once, as persistent requests, and started anew for each product.
/// Changed from 37-overlap: matching tags and ranks, and checking arguments, is done before the clock runs.
/// Limit attacked: what the MPI library does for each message beside moving it.
/// Evidence: some microseconds for each neighbour and product; nothing to be seen where a product takes milliseconds.
/// Source: MPI: A Message-Passing Interface Standard, version 3.1, 2015, 3.9.
// needs: MPI
#include "ranked_steps.hpp"

namespace {

using elasticity::components;
using elasticity::Index;
using elasticity::Share;

class Persistent : public elasticity::RankedSteps {
 public:
  explicit Persistent(const elasticity::Problem& problem) : RankedSteps(problem, elasticity::Order::interior_first) {}
  ~Persistent() override {
    for (MPI_Request& request : requests_) MPI_Request_free(&request);
  }
  Persistent(const Persistent&) = delete;
  Persistent& operator=(const Persistent&) = delete;

 private:
  void multiply(double* x, double* y) override {
    if (x_ == nullptr) set_up(x);
    for (std::size_t n = 0; n < share().neighbours().size(); ++n) pack(n, x);
    if (!requests_.empty()) MPI_Startall(static_cast<int>(requests_.size()), requests_.data());
#pragma omp parallel for num_threads(problem().threads) schedule(static)
    for (Index row = 0; row < share().interior(); ++row) multiply_row(row, x, y);
    MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
#pragma omp parallel for num_threads(problem().threads) schedule(static)
    for (Index row = share().interior(); row < share().own(); ++row) multiply_row(row, x, y);
  }

  /// In the first product: it is always the same vector that is multiplied.
  void set_up(double* x) {
    const auto& neighbours = share().neighbours();
    for (std::size_t n = 0; n < neighbours.size(); ++n) {
      const Share::Neighbour& other = neighbours[n];
      MPI_Recv_init(x + components * other.first, static_cast<int>(components * other.count), MPI_DOUBLE, other.rank, 2,
                    MPI_COMM_WORLD, &requests_.emplace_back());
      const auto values = packed(n);
      MPI_Send_init(values.data(), static_cast<int>(values.size()), MPI_DOUBLE, other.rank, 2, MPI_COMM_WORLD,
                    &requests_.emplace_back());
    }
    x_ = x;
  }

  double* x_ = nullptr;
  std::vector<MPI_Request> requests_;
};

}  // namespace

ROOFTOP_RUNG(elasticity::Problem, Persistent);
