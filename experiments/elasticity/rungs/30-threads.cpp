/// Nodes shared by threads in equal parts; the matrix is still written by one of them.
/// Changed from 20-block-rows: who does what.
/// Limit attacked: one core's share of the memory's bandwidth.
/// Evidence: a second thread gains what one leaves of the bandwidth; with several memory nodes all wait for the first
/// one's. Source: Hager and Wellein, Introduction to High Performance Computing for Scientists and Engineers,
/// 2010, 8.1.
#include "threaded_rows.hpp"

namespace {

class Threads : public elasticity::ThreadedRows {
 public:
  explicit Threads(const elasticity::Problem& problem) : ThreadedRows(problem, elasticity::FirstTouch::by_one) {}
};

}  // namespace

ROOFTOP_RUNG(elasticity::Problem, Threads);
