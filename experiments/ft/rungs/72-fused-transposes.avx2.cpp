/// No sweep packs or unpacks: values go straight to where messages are sent from, and arrive where they belong.
/// Changed from 70-slabs: modes lie plane by plane, so that what goes to one rank lies together as columns are written;
/// derived datatypes describe rows of planes to MPI_Alltoallw. Columns go by tiles, tiles.hpp: the source's group size.
/// Limit attacked: 64 of the 96 bytes between the sweeps. Evidence: 96 bytes a point and iteration remain of 160.
/// Source: the SW26010 case's fused transposes by strided transfers.
// needs: MPI
#include <rooftop/aligned.hpp>
#include <rooftop/rung.hpp>

#include "fused_slabs.hpp"

namespace {

using ft::Complex;

class FusedTransposes : public ft::FusedSlabs {
 public:
  explicit FusedTransposes(const ft::Problem& problem)
      : FusedSlabs(problem), field_(plane_values()), sent_(problem.transform_only() ? 0 : mode_values()) {}

 private:
  void forward() override { forward_from(field_.data()); }

  void backward(int t) override {
    transform_columns(-1, columns_between(modes(), sent_.data()), t);
    between().back(sent_.data(), field_.data());
    transform_planes(-1, field_.data());
  }

  [[nodiscard]] const Complex* field() const override { return field_.data(); }
  [[nodiscard]] double arrays() const override { return problem().transform_only() ? 2 : 3; }

  rooftop::AlignedArray<Complex> field_, sent_;
};

}  // namespace

ROOFTOP_RUNG(ft::Problem, FusedTransposes);
