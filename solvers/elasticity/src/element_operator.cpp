#include "element_operator.hpp"

#include <algorithm>
#include <cstddef>

namespace rooftop::elasticity {
namespace {

constexpr std::int64_t spare = 64;  // values: no vector is longer

bool all_equal(const std::vector<double>& values) {
  return std::ranges::all_of(values, [&](double value) { return value == values.front(); });
}

}  // namespace

ElementOperator::ElementOperator(const FreeBox& box, int threads)
    : grid_(box.grid),
      threads_(static_cast<int>(std::min<std::int64_t>(threads, std::max<std::int64_t>(1, box.grid.nodes() / 512)))),
      step_(all_equal(box.lame) && all_equal(box.shear) ? 0 : 1),
      at_(grid_, threads_),
      lame_(step_ * grid_.nodes() + spare),
      shear_(lame_.size()) {
#pragma omp parallel num_threads(threads_)
  {
    const Share own = share_of(grid_.nz);
    for (std::int64_t node = own.begin * grid_.plane(); node < own.end * grid_.plane(); ++node) {
      for (int c = 0; c < components; ++c) at_[c][node] = box.coordinates.data()[components * node + c];
    }
    const Share filled = share_of(lame_.size());
    std::fill(lame_.data() + filled.begin, lame_.data() + filled.end, box.lame.front());
    std::fill(shear_.data() + filled.begin, shear_.data() + filled.end, box.shear.front());
  }
  for (std::int64_t e = 0; step_ == 1 && e < grid_.elements(); ++e) {
    const std::int64_t i = e % (grid_.nx - 1), j = e / (grid_.nx - 1) % (grid_.ny - 1),
                       k = e / (grid_.nx - 1) / (grid_.ny - 1);
    lame_.data()[grid_.node(i, j, k)] = box.lame.data()[e];
    shear_.data()[grid_.node(i, j, k)] = box.shear.data()[e];
  }
  for (int thread = 0; thread < threads_; ++thread) {
    Array<double>& scratch = scratch_.emplace_back(element_scratch(grid_.nx));
    std::fill_n(scratch.data(), scratch.size(), 0.0);
  }
}

double ElementOperator::multiply(const Field<double>& x, Field<double>& y, double scale, bool add) const {
  const ElementProduct job{grid_, {at_[0], at_[1], at_[2]}, lame_.data(),       shear_.data(),
                           step_, {x[0], x[1], x[2]},       {y[0], y[1], y[2]}, scale,
                           !add};
  double dot = 0;
#pragma omp parallel num_threads(threads_) reduction(+ : dot)
  {
    const Share own = share_of(grid_.nz);
    if (own.begin < own.end) {
      dot +=
          multiply_elements(job, own.begin, own.end, scratch_[static_cast<std::size_t>(omp_get_thread_num())].data());
    }
  }
  return dot;
}

std::array<double, diagonal_values> ElementOperator::diagonal(std::int64_t node) const {
  const std::array<std::int64_t, 3> where{node % grid_.nx, node / grid_.nx % grid_.ny, node / grid_.plane()},
      last{grid_.nx - 1, grid_.ny - 1, grid_.nz - 1};
  ElementsJob job{};
  std::array<bool, corners> there{};
  // Element a is the one of which the node is corner a. One that is not there is the nearest one that is.
  for (std::size_t a = 0; a < corners; ++a) {
    std::array<std::int64_t, 3> first{};
    bool inside = true;
    for (std::size_t d = 0; d < components; ++d) {
      const bool far = (a >> d & 1) != 0;
      inside = inside && (far ? where[d] > 0 : where[d] < last[d]);
      first[d] = std::clamp<std::int64_t>(where[d] - (far ? 1 : 0), 0, last[d] - 1);
    }
    there[a] = inside;
    const std::int64_t begin = grid_.node(first[0], first[1], first[2]);
    for (std::size_t b = 0; b < corners; ++b) {
      const auto corner = static_cast<std::int64_t>(b);
      const std::int64_t at = begin + grid_.node(corner & 1, corner >> 1 & 1, corner >> 2);
      for (int c = 0; c < components; ++c) job.at[b][static_cast<std::size_t>(c)][a] = at_[c][at];
    }
    job.lame[a] = lame(begin), job.shear[a] = shear(begin);
  }
  ElementsResult result;
  integrate(job, result);
  constexpr std::array<std::size_t, diagonal_values> upper{0, 1, 2, 4, 5, 8};
  std::array<double, diagonal_values> sum{};
  std::size_t pair = 0;
  for (std::size_t a = 0; a < corners; pair += corners - a, ++a) {
    for (std::size_t v = 0; there[a] && v < upper.size(); ++v) sum[v] += result.blocks[pair][upper[v]][a];
  }
  return sum;
}

double ElementOperator::bytes() const {
  double sum = at_.bytes() + lame_.bytes() + shear_.bytes();
  for (const auto& values : scratch_) sum += values.bytes();
  return sum;
}

}  // namespace rooftop::elasticity
