/// Iterations overlap: while one's values are exchanged, the next one's columns and the last one's planes are computed.
/// Changed from 80-overlap: one MPI_Ialltoallw an iteration, whole, among three stages: P1 decays and transforms
/// columns of iteration t + 1, P2 exchanges t, P3 transforms planes of t - 1 and sums them. Between tiles and planes,
/// MPI_Test lets MPI go on. Limit attacked: the whole of an exchange is hidden, not only what comes after a transform's
/// first piece. It takes five arrays of the grid: modes, two of columns and two of planes; 72 takes three. Evidence:
/// between nodes, an iteration takes the longer of computing and exchanging, not their sum; on one node, where the
/// exchange is the cores' work too, only what ranks wait for each other. Source: the SW26010 case's pipeline over
/// iterations.
// needs: MPI
#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <rooftop/aligned.hpp>
#include <rooftop/rung.hpp>

#include "fused_slabs.hpp"

namespace {

using ft::Complex;

class Pipelined : public ft::FusedSlabs {
 public:
  explicit Pipelined(const ft::Problem& problem)
      : FusedSlabs(problem),
        last_(problem.iterations % 2),
        planes_{array(true, plane_values()), array(!problem.transform_only(), plane_values())},
        sent_{array(!problem.transform_only(), mode_values()), array(!problem.transform_only(), mode_values())} {}

 private:
  static rooftop::AlignedArray<Complex> array(bool needed, std::size_t values) {
    return rooftop::AlignedArray<Complex>(needed ? values : 0);
  }

  void forward() override { forward_from(planes_[0].data()); }

  void each_iteration() override {
    const int count = problem().iterations;
    if (count > 0) transform_columns_of(1, ft::Nothing{});
    for (int t = 1; t <= count; ++t) {
      const std::int64_t begin_ns = ft::Timeline::now_ns();
      MPI_Request under_way = between().start_back(sent_[t % 2].data(), planes_[t % 2].data());
      const auto go_on = [&under_way] {
        int done = 0;
        MPI_Test(&under_way, &done, MPI_STATUS_IGNORE);
      };
      if (t < count) transform_columns_of(t + 1, go_on);
      if (t > 1) finish_planes_of(t - 1, go_on);
      problem().timeline->timed("waiting", t + 1, [&under_way] { MPI_Wait(&under_way, MPI_STATUS_IGNORE); });
      problem().timeline->add({"exchange", t + 1, begin_ns, ft::Timeline::now_ns()});
    }
    if (count > 0) finish_planes_of(count, ft::Nothing{});
  }

  template <typename GoOn>
  void transform_columns_of(int t, const GoOn& go_on) {
    problem().timeline->timed(
        "columns", t + 1, [&] { transform_columns(-1, columns_between(modes(), sent_[t % 2].data()), t, 0, go_on); });
  }
  template <typename GoOn>
  void finish_planes_of(int t, const GoOn& go_on) {
    Complex* const values = planes_[t % 2].data();
    problem().timeline->timed("planes", t + 1, [&] {
      transform_planes(-1, values, {0, planes().count}, go_on);
      ft::sum_planes(problem(), t, planes(), values);
    });
  }

  [[nodiscard]] const Complex* field() const override { return planes_[last_].data(); }
  [[nodiscard]] double arrays() const override { return problem().transform_only() ? 2 : 5; }

  int last_;  ///< that of planes_ in which the last iteration's values are
  rooftop::AlignedArray<Complex> planes_[2], sent_[2];
};

}  // namespace

ROOFTOP_RUNG(ft::Problem, Pipelined);
