/// The rung of slices, for any number of lanes.
#pragma once

#include "merged_sweeps.hpp"
#include "slices.hpp"

namespace elasticity {

template <int lanes>
class SlicedRows : public MergedSweeps {
 public:
  explicit SlicedRows(const Problem& problem) : MergedSweeps(problem, lanes), matrix_(problem) {}

 private:
  void fill(const Part& part) override { matrix_.fill(problem(), part.begin, part.end); }
  double multiply(const Part& part, const double* x, double* y) override {
    return matrix_.multiply(x, y, part.begin, part.end);
  }
  [[nodiscard]] double matrix_bytes() const override { return matrix_.bytes(); }

  Slices<lanes> matrix_;
};

}  // namespace elasticity
