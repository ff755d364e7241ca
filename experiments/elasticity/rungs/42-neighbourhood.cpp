/// One call that tells the MPI library the whole exchange: a non-blocking neighbourhood collective.
/// Changed from 37-overlap: the ranks that need each other are a graph, which the library knows from the start on.
/// Limit attacked: the calls for each message, and messages that a library could order or join if it knew them all.
/// Evidence: against 37-overlap and 39-persistent; Open MPI 4.1 sends the same messages one by one.
/// Source: Hoefler and Traeff, Sparse collective operations for MPI, 2009; MPI 3.1, 2015, 7.6 and 7.7.
// needs: MPI
#include "ranked_steps.hpp"

namespace {

using elasticity::components;
using elasticity::Index;
using elasticity::Share;

class Neighbourhood : public elasticity::RankedSteps {
 public:
  explicit Neighbourhood(const elasticity::Problem& problem) : RankedSteps(problem, elasticity::Order::interior_first) {
    std::vector<int> ranks;
    for (const Share::Neighbour& other : share().neighbours()) {
      ranks.push_back(other.rank);
      sent_.push_back(static_cast<int>(components * other.sent.size()));
      sent_first_.push_back(sent_first_.empty() ? 0 : sent_first_.back() + sent_[sent_.size() - 2]);
      received_.push_back(static_cast<int>(components * other.count));
      received_first_.push_back(static_cast<int>(components * other.first));
    }
    const auto count = static_cast<int>(ranks.size());
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, count, ranks.data(), MPI_UNWEIGHTED, count, ranks.data(),
                                   MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph_);
  }
  ~Neighbourhood() override { MPI_Comm_free(&graph_); }
  Neighbourhood(const Neighbourhood&) = delete;
  Neighbourhood& operator=(const Neighbourhood&) = delete;

 private:
  void multiply(double* x, double* y) override {
    for (std::size_t n = 0; n < share().neighbours().size(); ++n) pack(n, x);
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ineighbor_alltoallv(packed(), sent_.data(), sent_first_.data(), MPI_DOUBLE, x, received_.data(),
                            received_first_.data(), MPI_DOUBLE, graph_, &request);
#pragma omp parallel for num_threads(problem().threads) schedule(static)
    for (Index row = 0; row < share().interior(); ++row) multiply_row(row, x, y);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
#pragma omp parallel for num_threads(problem().threads) schedule(static)
    for (Index row = share().interior(); row < share().own(); ++row) multiply_row(row, x, y);
  }

  MPI_Comm graph_ = MPI_COMM_NULL;
  std::vector<int> sent_, sent_first_, received_, received_first_;  // values for each neighbour, and where they begin
};

}  // namespace

ROOFTOP_RUNG(elasticity::Problem, Neighbourhood);
