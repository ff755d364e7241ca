#include <algorithm>
#include <cstddef>

#include "operators.hpp"

namespace rooftop::elasticity {
namespace {

constexpr std::size_t matrices = 4, bands = 3, spare = 64;

/// The bands of a direction's matrices, one behind the other: zero beyond the last node, for whole vectors.
std::vector<double> one_dimensional(const std::vector<double>& at) {
  const std::size_t n = at.size(), pitch = n + spare;
  std::vector<double> result(matrices * bands * pitch, 0.0);
  const auto band = [&](std::size_t matrix, std::size_t which) {
    return result.data() + (matrix * bands + which) * pitch;
  };
  for (std::size_t i = 0; i + 1 < n; ++i) {
    const double h = at[i + 1] - at[i];
    // Of an element: rows and columns are its first and its second node.
    const double element[matrices][2][2] = {{{h / 3, h / 6}, {h / 6, h / 3}},
                                            {{1 / h, -1 / h}, {-1 / h, 1 / h}},
                                            {{-0.5, -0.5}, {0.5, 0.5}},
                                            {{-0.5, 0.5}, {-0.5, 0.5}}};
    for (std::size_t m = 0; m < matrices; ++m) {
      band(m, 1)[i] += element[m][0][0];
      band(m, 2)[i] += element[m][0][1];
      band(m, 0)[i + 1] += element[m][1][0];
      band(m, 1)[i + 1] += element[m][1][1];
    }
  }
  return result;
}

/// The bands of Inside's matrices, from those of x.
std::vector<double> mixed_with(const Material& material, const std::vector<double>& bands_of_x) {
  const std::size_t size = bands_of_x.size() / matrices;
  const double *left = bands_of_x.data() + 2 * size, *right = left + size;
  std::vector<double> result;
  const auto add = [&](double of_left, double of_right) {
    for (std::size_t i = 0; i < size; ++i) result.push_back((of_left * left[i] - of_right * right[i]) / 2);
  };
  add(material.lame, material.shear);
  add(material.shear, material.lame);
  return result;
}

/// The bands of one of the matrices that lie one behind the other.
template <class T>
Bands<T> bands_of(const std::vector<T>& all, std::size_t matrix, std::size_t nodes) {
  const std::size_t pitch = nodes + spare;
  const T* first = all.data() + matrix * bands * pitch;
  return {first, first + pitch, first + 2 * pitch};
}

}  // namespace

template <class T>
TensorOperator<T>::TensorOperator(const AlignedBox& box, int threads)
    : grid_(box.grid),
      threads_(static_cast<int>(std::min<std::int64_t>(threads, std::max<std::int64_t>(1, box.grid.nodes() / 512)))),
      lame_(static_cast<T>(box.material.lame)),
      shear_(static_cast<T>(box.material.shear)) {
  for (std::size_t d = 0; d < 3; ++d) {
    const std::vector<double> exact = one_dimensional(box.at[d]);
    bands_[d].assign(exact.begin(), exact.end());
    const auto matrix = [&](std::size_t m) { return bands_of(bands_[d], m, box.at[d].size()); };
    direction_[d] = {matrix(0), matrix(1), matrix(2), matrix(3)};
  }
  const std::vector<double> mixed = mixed_with(box.material, one_dimensional(box.at[0]));
  mixed_.assign(mixed.begin(), mixed.end());
  const auto matrix = [&](std::size_t m) { return bands_of(mixed_, m, box.at[0].size()); };
  inside_ = {matrix(0), matrix(1)};
  for (int thread = 0; thread < threads_; ++thread) scratch_.emplace_back(kernels<T>().tensor_scratch(grid_.nx));
}

template <class T>
double TensorOperator<T>::multiply(const Field<T>& x, Field<T>& y, T scale, bool add) const {
  double dot = 0;
#pragma omp parallel num_threads(threads_) reduction(+ : dot)
  dot += multiply_planes(x, y, scale, add, share_of(grid_.nz));
  return dot;
}

template <class T>
double TensorOperator<T>::multiply_planes(const Field<T>& x, Field<T>& y, T scale, bool add, Share planes) const {
  const TensorJob<T> job{grid_, direction_, inside_, lame_, shear_, {x[0], x[1], x[2]}, {y[0], y[1], y[2]},
                         scale, !add};
  const Array<T>& scratch = scratch_[static_cast<std::size_t>(omp_get_thread_num())];
  return kernels<T>().tensor(job, planes.begin, planes.end, scratch.data());
}

template <class T>
std::array<T, diagonal_values> TensorOperator<T>::diagonal(std::int64_t node) const {
  const std::array<std::int64_t, 3> at{node % grid_.nx, node / grid_.nx % grid_.ny, node / grid_.plane()};
  std::array<T, 3> m, s, l;
  for (std::size_t d = 0; d < 3; ++d) {
    m[d] = direction_[d].mass[1][at[d]];
    s[d] = direction_[d].stiff[1][at[d]];
    l[d] = direction_[d].left[1][at[d]];
  }
  const T xx = s[0] * m[1] * m[2], yy = m[0] * s[1] * m[2], zz = m[0] * m[1] * s[2];
  const T both = lame_ + shear_, all = xx + yy + zz;
  return {both * xx + shear_ * all, both * l[0] * l[1] * m[2], both * l[0] * m[1] * l[2],
          both * yy + shear_ * all, both * m[0] * l[1] * l[2], both * zz + shear_ * all};
}

template <class T>
double TensorOperator<T>::bytes() const {
  auto sum = static_cast<double>(mixed_.size() * sizeof(T));
  for (const auto& values : bands_) sum += static_cast<double>(values.size() * sizeof(T));
  for (const auto& values : scratch_) sum += values.bytes();
  return sum;
}

template class TensorOperator<double>;
template class TensorOperator<float>;

}  // namespace rooftop::elasticity
