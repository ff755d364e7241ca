#include "shared_operator.hpp"

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace rooftop::elasticity {
namespace {

template <class T>
std::unique_ptr<Operator<T>> matrix_of(const Boxes& boxes, int threads, const GoOn& go_on) {
  if (boxes.aligned) return std::make_unique<TensorOperator<T>>(*boxes.aligned, threads);
  auto matrix = assembled(*boxes.free, threads, go_on).matrix;  // what is inverted is found in the whole
  if constexpr (std::is_same_v<T, double>) {
    return std::make_unique<StencilOperator<double>>(std::move(matrix));
  } else {
    return std::make_unique<StencilOperator<float>>(matrix, threads);
  }
}

/// Calls line(from, to, count) for each component and line of a range of nodes, of which two fields have some, from
/// their first node on.
template <class T, class Line>
void for_lines(const Field<T>& from, const Field<T>& to, const Range& range,
               const std::array<std::int64_t, 3>& from_first, const std::array<std::int64_t, 3>& to_first, Line line) {
  for (int c = 0; c < components; ++c) {
    for (std::int64_t k = range.begin[2]; k < range.end[2]; ++k) {
      for (std::int64_t j = range.begin[1]; j < range.end[1]; ++j) {
        const auto start = [&](const Field<T>& field, const std::array<std::int64_t, 3>& first) {
          return field[c] + field.grid().node(range.begin[0] - first[0], j - first[1], k - first[2]);
        };
        line(start(from, from_first), start(to, to_first), range.count(0));
      }
    }
  }
}

}  // namespace

template <class T>
SharedOperator<T>::SharedOperator(std::unique_ptr<Operator<T>> local, const SharedBox& box, bool overlap, int threads,
                                  const Communicator& ranks, const GoOn& go_on)
    : ranks_(ranks),
      local_(std::move(local)),
      place_{box.piece.whole(), box.piece.all_in_whole().begin},
      own_(box.piece.own()),
      threads_(static_cast<int>(std::clamp<std::int64_t>(grid().nodes() / 1024, 1, threads))),
      halo_(neighbours_of(box.piece), ranks) {
  if (!overlap) return;
  const Range all = all_of(grid());
  Range left = all;  // nodes of other ranks outside of it are in a side already
  for (const std::size_t d : {2U, 1U, 0U}) {
    for (const bool behind : {false, true}) {
      if (behind ? own_.end[d] == all.end[d] : own_.begin[d] == 0) continue;
      Side side{all, left, own_, nullptr, {}, {}};
      const std::int64_t first = behind ? own_.end[d] - 1 : 0;  // of two layers of nodes
      side.box.begin[d] = first;
      side.box.end[d] = first + 2;
      side.others.begin[d] = behind ? first + 1 : first;
      side.others.end[d] = side.others.begin[d] + 1;
      side.own.begin[d] = behind ? first : first + 1;
      side.own.end[d] = side.own.begin[d] + 1;
      (behind ? left.end[d] : left.begin[d]) = behind ? own_.end[d] : own_.begin[d];
      side.matrix = matrix_of<T>(box.local(side.box), threads, go_on);
      side.x = Field<T>(side.matrix->grid(), threads);
      side.y = Field<T>(side.matrix->grid(), threads);
      sides_.push_back(std::move(side));
    }
  }
}

template <class T>
double SharedOperator<T>::bytes() const {
  double sum = local_->bytes();
  for (const Side& side : sides_) sum += side.matrix->bytes() + side.x.bytes() + side.y.bytes();
  return sum;
}

template <class T>
void SharedOperator<T>::add_sides(const Field<T>& x, Field<T>& y, T scale) const {
  constexpr std::array<std::int64_t, 3> none{};
  for (Side& side : sides_) {
    for_lines(x, side.x, side.others, none, side.box.begin,
              [](const T* from, T* to, std::int64_t count) { std::copy_n(from, count, to); });
    side.matrix->multiply(side.x, side.y, scale, false);
    for_lines(side.y, y, side.own, side.box.begin, none, [](const T* from, T* to, std::int64_t count) {
      for (std::int64_t i = 0; i < count; ++i) to[i] += from[i];
    });
  }
}

template <class T>
double SharedOperator<T>::multiply(const Field<T>& x, Field<T>& y, T scale, bool add) const {
  if (sides_.empty()) {
    halo_.exchange(x);
    local_->multiply(x, y, scale, add);
  } else {
    halo_.start(x);
    halo_.clear(x);
    local_->multiply(x, y, scale, add);
    halo_.finish(x);
    add_sides(x, y, scale);
  }
  if (add) return 0;
  double sum = 0;
#pragma omp parallel for num_threads(threads_) schedule(static) reduction(+ : sum)
  for (std::int64_t k = own_.begin[2]; k < own_.end[2]; ++k) {
    for (std::int64_t j = own_.begin[1]; j < own_.end[1]; ++j) {
      const std::int64_t line = grid().node(own_.begin[0], j, k);
      for (int c = 0; c < components; ++c) {
        for (std::int64_t n = line; n < line + own_.count(0); ++n) {
          sum += static_cast<double>(x[c][n]) * static_cast<double>(y[c][n]);
        }
      }
    }
  }
  return ranks_.sum(sum) / static_cast<double>(scale);
}

template class SharedOperator<double>;
template class SharedOperator<float>;

}  // namespace rooftop::elasticity
