#include "element_matrix.hpp"

#include <algorithm>
#include <cmath>

namespace rooftop::elasticity {
namespace {

using Square = std::array<std::array<double, components>, components>;

/// Cofactors of the map's derivatives, and their determinant.
struct Inverse {
  Square cofactor{};
  double determinant = 0;
};

template <class Places>
Inverse inverse_of(const Slopes& slopes, const Places& at) {
  Square map{};  // derivative of x, y and z along each of the element's own coordinates
  for (std::size_t n = 0; n < slopes.size(); ++n) {
    for (std::size_t a = 0; a < components; ++a) {
      for (std::size_t c = 0; c < components; ++c) map[a][c] += slopes[n][a] * at[n][c];
    }
  }
  Inverse result;
  for (std::size_t a = 0; a < components; ++a) {
    const auto &one = map[(a + 1) % 3], &other = map[(a + 2) % 3];
    for (std::size_t c = 0; c < components; ++c) {
      result.cofactor[a][c] = one[(c + 1) % 3] * other[(c + 2) % 3] - one[(c + 2) % 3] * other[(c + 1) % 3];
    }
  }
  for (std::size_t c = 0; c < components; ++c) result.determinant += map[0][c] * result.cofactor[0][c];
  return result;
}

/// Derivatives along x, y and z.
void append_slopes(const Slopes& slopes, const Inverse& by, std::vector<double>& to) {
  for (const auto& slope : slopes) {
    for (std::size_t c = 0; c < components; ++c) {
      double sum = 0;
      for (std::size_t a = 0; a < components; ++a) sum += by.cofactor[a][c] * slope[a];
      to.push_back(sum / by.determinant);
    }
  }
}

}  // namespace

ElementMatrix::ElementMatrix(ElementKind kind)
    : reference_(reference_element(kind)),
      nodes_(nodes_of(kind)),
      size_(components * (nodes_ + reference_.points[0].modes.size())),
      values_(size_ * size_) {}

template <class Each>
double ElementMatrix::for_points(Each each) {
  std::ranges::fill(values_, 0.);
  double least = HUGE_VAL;
  Inverse centre;
  if (!reference_.centre.empty()) least = (centre = inverse_of(reference_.centre, at)).determinant;
  for (std::size_t p = 0; p < reference_.points.size(); ++p) {
    const ReferencePoint& point = reference_.points[p];
    const Inverse inverse = inverse_of(point.nodes, at);
    least = std::min(least, inverse.determinant);
    if (!(least > 0)) return least;
    slope_.clear();
    append_slopes(point.nodes, inverse, slope_);
    append_slopes(point.modes, centre, slope_);
    each(p, point.weight * inverse.determinant);
  }
  return least;
}

double ElementMatrix::compute(const Material& of) {
  const double least = for_points([&](std::size_t, double weight) { add_products(slope_, weight); });
  if (!(least > 0)) return least;
  multiply_by(of);
  if (size_ > components * nodes_) leave_out_modes();
  return least;
}

double ElementMatrix::compute(std::span<const double> stiffness) {
  const bool one = stiffness.size() == stiffness_values;
  const double least = for_points([&](std::size_t point, double weight) {
    add_stiffness(one ? stiffness : stiffness.subspan(stiffness_values * point, stiffness_values), weight);
  });
  if (!(least > 0)) return least;
  for (std::size_t r = 0; r < size_; ++r) {
    for (std::size_t c = 0; c < r; ++c) row(r)[c] = row(c)[r];
  }
  if (size_ > components * nodes_) leave_out_modes();
  return least;
}

Block<double, components, components> ElementMatrix::block(std::size_t row, std::size_t column) const {
  Block<double, components, components> result;
  for (std::size_t r = 0; r < components; ++r) {
    for (std::size_t c = 0; c < components; ++c) {
      result(r, c) = values_[(components * row + r) * size_ + components * column + c];
    }
  }
  return result;
}

/// Adds products of all derivatives with each other: they are all that the matrix needs of a point.
void ElementMatrix::add_products(const std::vector<double>& slope, double weight) {
  const double* all = slope.data();
  for (std::size_t r = 0; r < size_; ++r) {
    const double factor = weight * all[r];
    double* to = row(r);
    for (std::size_t c = r / components * components; c < size_; ++c) to[c] += factor * all[c];
  }
}

/// Makes a block of the matrix of each block of products G, and its mirror image: first G + second (Gᵀ + trace(G) 1).
void ElementMatrix::multiply_by(const Material& of) {
  for (std::size_t a = 0; a < size_; a += components) {
    for (std::size_t b = a; b < size_; b += components) {
      Square product{};
      double trace = 0;
      for (std::size_t r = 0; r < components; ++r) {
        for (std::size_t c = 0; c < components; ++c) product[r][c] = row(a + r)[b + c];
        trace += product[r][r];
      }
      for (std::size_t r = 0; r < components; ++r) {
        for (std::size_t c = 0; c < components; ++c) {
          const double value = of.lame * product[r][c] + of.shear * (product[c][r] + (r == c ? trace : 0));
          row(a + r)[b + c] = row(b + c)[a + r] = value;
        }
      }
    }
  }
}

/// Adds what a point has to the upper triangle: a column is the stress of one displacement, by the strains of others.
void ElementMatrix::add_stiffness(std::span<const double> stiffness, double weight) {
  // The strain that a component's derivative along an axis is part of.
  constexpr std::array<std::array<std::size_t, components>, components> strain{{{0, 3, 4}, {3, 1, 5}, {4, 5, 2}}};
  constexpr std::size_t strains = 6;
  std::array<std::array<double, strains>, strains> matrix;
  std::size_t value = 0;
  for (std::size_t c = 0; c < strains; ++c) {
    for (std::size_t r = 0; r <= c; ++r) matrix[r][c] = matrix[c][r] = weight * stiffness[value++];
  }
  for (std::size_t column = 0; column < size_; ++column) {
    const double* slope = slope_.data() + column / components * components;
    std::array<double, strains> stress{};
    for (std::size_t c = 0; c < components; ++c) {
      const auto& by = matrix[strain[column % components][c]];
      for (std::size_t s = 0; s < strains; ++s) stress[s] += by[s] * slope[c];
    }
    for (std::size_t other = 0; other <= column; ++other) {
      const double* along = slope_.data() + other / components * components;
      const auto& of = strain[other % components];
      double sum = 0;
      for (std::size_t c = 0; c < components; ++c) sum += along[c] * stress[of[c]];
      row(other)[column] += sum;
    }
  }
}

/// Modes displace themselves so that no force acts on them: one after the other is eliminated, as by Gauss.
void ElementMatrix::leave_out_modes() {
  for (std::size_t last = size_; last-- > components * nodes_;) {
    const double* of_mode = row(last);
    for (std::size_t r = 0; r < last; ++r) {
      const double factor = of_mode[r] / of_mode[last];
      double* to = row(r);
      for (std::size_t c = 0; c < last; ++c) to[c] -= factor * of_mode[c];
    }
  }
}

}  // namespace rooftop::elasticity
