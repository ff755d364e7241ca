#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "operators.hpp"

namespace rooftop::elasticity {

template <class T, class Value>
StencilOperator<T, Value>::StencilOperator(const Grid& grid, int threads, const std::function<bool()>& go_on)
    : grid_(grid), lanes_(kernels<T>().lanes), values_((grid.nodes() + lanes_ - 1) / lanes_ * lanes_ * stencil_values) {
  // Parts of less than three reaches would write to one place at once.
  threads_ = static_cast<int>(std::clamp<std::int64_t>(grid.nodes() / (3 * grid.reach() + lanes_), 1, threads));
#pragma omp parallel num_threads(threads_)
  {
    const Share own = share_of(values_.size(), lanes_ * stencil_values);
    constexpr std::int64_t step = 1 << 20;
    for (std::int64_t begin = own.begin; begin < own.end && go_on(); begin += step) {
      std::fill(values_.data() + begin, values_.data() + std::min(begin + step, own.end), Value{});
    }
  }
}

template <class T, class Value>
template <class T2, class Value2>
StencilOperator<T, Value>::StencilOperator(const StencilOperator<T2, Value2>& other, int threads)
    : StencilOperator(other.grid(), threads) {
#pragma omp parallel num_threads(threads_)
  {
    const Share own = share_of(grid_.nodes(), std::max(lanes_, other.lanes()));
    for (std::int64_t node = own.begin; node < own.end; ++node) {
      Value* to = row(node);
      const Value2* from = other.row(node);
      for (int v = 0; v < stencil_values; ++v) to[v * lanes_] = static_cast<Value>(from[v * other.lanes()]);
    }
  }
}

/// A thread's rows add to later rows, those of its last reach also to the next thread's. These are done when all others
/// are, and no two threads write to the same then.
template <class T, class Value>
double StencilOperator<T, Value>::multiply(const Field<T>& x, Field<T>& y, T scale, bool add) const {
  StencilJob<T, Value> job{values_.data(), {}, {x[0], x[1], x[2]}, {y[0], y[1], y[2]}, scale};
  for (std::size_t o = 0; o < later.size(); ++o) {
    job.away[o] = (later[o].dz * grid_.ny + later[o].dy) * grid_.nx + later[o].dx;
  }
  const auto product = [] {
    if constexpr (std::is_same_v<T, Value>) {
      return kernels<T>().stencil;
    } else {
      return kernels<T>().single_stencil;
    }
  }();
  const std::int64_t whole = (grid_.nodes() + lanes_ - 1) / lanes_ * lanes_;
  const std::int64_t reach = (grid_.reach() + lanes_ - 1) / lanes_ * lanes_ + lanes_;
  double dot = 0;
#pragma omp parallel num_threads(threads_) reduction(+ : dot)
  {
    const Share own = share_of(whole, lanes_);
    const auto clear = [&](std::int64_t from, std::int64_t to) {
      for (int c = 0; c < components && from < to; ++c) std::fill(y[c] + from, y[c] + to, T{});
    };
    // Cleared just before it is written, while it is in a cache.
    constexpr std::int64_t step = 512;
    std::int64_t cleared = own.begin;
    const std::int64_t last = std::max(own.begin, own.end - reach);
    for (std::int64_t n = own.begin; n < last; n += step) {
      const std::int64_t end = std::min(n + step, last);
      if (!add) {
        const std::int64_t to = std::min(own.end, end + reach);
        clear(cleared, to);
        cleared = std::max(cleared, to);
      }
      dot += product(job, n, end);
    }
    if (!add) clear(cleared, own.end);
#pragma omp barrier
    dot += product(job, last, own.end);
  }
  return dot;
}

template <class T, class Value>
std::array<T, diagonal_values> StencilOperator<T, Value>::diagonal(std::int64_t node) const {
  std::array<T, diagonal_values> result;
  for (std::size_t v = 0; v < result.size(); ++v) result[v] = row(node)[static_cast<std::int64_t>(v) * lanes_];
  return result;
}

template class StencilOperator<double>;
template class StencilOperator<double, float>;
template class StencilOperator<float>;
template StencilOperator<double, float>::StencilOperator(const StencilOperator<double>&, int);
template StencilOperator<float>::StencilOperator(const StencilOperator<double>&, int);

}  // namespace rooftop::elasticity
