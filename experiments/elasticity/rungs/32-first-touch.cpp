/// Each thread writes its own part of the matrix, so that it lies on the memory node of that thread.
/// Changed from 30-threads: who writes the matrix first, before the clock runs.
/// Limit attacked: one memory node's bandwidth, and the way to it from other sockets.
/// Evidence: the bandwidth of all memory nodes instead of one; nothing is gained where there is one.
/// Source: Hager and Wellein, Introduction to High Performance Computing for Scientists and Engineers, 2010, 8.1.
#include "threaded_rows.hpp"

namespace {

class FirstTouch : public elasticity::ThreadedRows {
 public:
  explicit FirstTouch(const elasticity::Problem& problem) : ThreadedRows(problem, elasticity::FirstTouch::by_each) {}
};

}  // namespace

ROOFTOP_RUNG(elasticity::Problem, FirstTouch);
