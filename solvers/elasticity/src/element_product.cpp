// Products by elements, a lane for each, compiled once per instruction set that Highway knows for this architecture.
//
// In an element a field is a sum of the eight products of 1, x, y and z, in coordinates from -1 to 1: its modes. Slopes
// at the points of integration are sums of modes, and each is the same at two of the eight points. So they cost 52
// operations a field, not 24 for each point. Kronbichler and Kormann, A generic interface for parallel cell-based
// finite element operator application, 2012, do so for elements of any order.
#include "element_product.hpp"

#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "element_product.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace rooftop::elasticity::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<double, 8>;
using Vector = hn::Vec<D>;
constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(D()));
constexpr int beside = 4;           ///< points of integration that differ in the two other directions
constexpr int edges = corners / 2;  ///< of an element along x: edge b lies at y = b & 1, z = b >> 1

/// Values at corners become modes, or with `back` what is asked of modes becomes what is asked of corners. Mode m has
/// x if m & 1, y if m & 2 and z if m & 4; all are eight times as large.
template <bool back>
HWY_INLINE void swap_modes(Vector (&c)[corners]) {
  for (int step = 1; step < corners; step *= 2) {
    for (int a = 0; a < corners; ++a) {
      if ((a & step) != 0) continue;
      const Vector near = c[a], far = c[a + step];
      c[a] = back ? hn::Sub(near, far) : hn::Add(near, far);
      c[a + step] = back ? hn::Add(near, far) : hn::Sub(far, near);
    }
  }
}

/// Modes of two and three directions at the points of integration, 1/sqrt(3) from the middle.
HWY_INLINE void scale_modes(Vector (&c)[corners]) {
  const D tag;
  const Vector one = hn::Set(tag, 0.57735026918962576451), two = hn::Set(tag, 1.0 / 3);
  c[3] = hn::Mul(one, c[3]), c[5] = hn::Mul(one, c[5]), c[6] = hn::Mul(one, c[6]);
  c[7] = hn::Mul(two, c[7]);
}

/// The two other directions' bits: the first one's, and the second one's.
constexpr int first_beside(int d) { return d == 0 ? 2 : 1; }
constexpr int second_beside(int d) { return d == 2 ? 2 : 4; }

/// Of a field, at its values at corners: slopes[d][p] in direction d, at the points where the first other direction is
/// far if p & 1, the second if p & 2.
HWY_INLINE void slopes_of(Vector (&c)[corners], Vector (&slopes)[components][beside]) {
  swap_modes<false>(c);
  scale_modes(c);
  for (int d = 0; d < components; ++d) {
    const int own = 1 << d, first = own | first_beside(d), second = own | second_beside(d);
    const Vector low = hn::Sub(c[own], c[first]), high = hn::Add(c[own], c[first]);
    const Vector more_low = hn::Sub(c[second], c[7]), more_high = hn::Add(c[second], c[7]);
    slopes[d][0] = hn::Sub(low, more_low), slopes[d][1] = hn::Sub(high, more_high);
    slopes[d][2] = hn::Add(low, more_low), slopes[d][3] = hn::Add(high, more_high);
  }
}

/// The transposed: what is asked of slopes becomes what is asked of corners.
HWY_INLINE void corners_of(const Vector (&slopes)[components][beside], Vector (&c)[corners]) {
  for (Vector& mode : c) mode = hn::Zero(D());
  for (int d = 0; d < components; ++d) {
    const int own = 1 << d, first = own | first_beside(d), second = own | second_beside(d);
    const Vector near = hn::Add(slopes[d][0], slopes[d][1]), far = hn::Add(slopes[d][2], slopes[d][3]);
    const Vector on_near = hn::Sub(slopes[d][1], slopes[d][0]), on_far = hn::Sub(slopes[d][3], slopes[d][2]);
    c[own] = hn::Add(near, far);
    c[first] = hn::Add(c[first], hn::Add(on_near, on_far));
    c[second] = hn::Add(c[second], hn::Sub(far, near));
    c[7] = hn::Add(c[7], hn::Sub(on_far, on_near));
  }
  scale_modes(c);
  swap_modes<true>(c);
}

HWY_INLINE void cross(const Vector (&a)[components], const Vector (&b)[components], Vector (&result)[components]) {
  result[0] = hn::MulSub(a[1], b[2], hn::Mul(a[2], b[1]));
  result[1] = hn::MulSub(a[2], b[0], hn::Mul(a[0], b[2]));
  result[2] = hn::MulSub(a[0], b[1], hn::Mul(a[1], b[0]));
}

HWY_INLINE Vector dot(const Vector (&a)[components], const Vector (&b)[components]) {
  return hn::MulAdd(a[2], b[2], hn::MulAdd(a[1], b[1], hn::Mul(a[0], b[0])));
}

using FieldSlopes = Vector[components][components][beside];  ///< of three components

/// Adds what one point of integration asks of slopes by its stress; the first of two points that share a slope writes
/// it.
template <int point>
HWY_INLINE void add_point(const FieldSlopes& x, const FieldSlopes& v, Vector lame, Vector shear, FieldSlopes& asked) {
  constexpr int where[components] = {point >> 1, (point & 1) | (point >> 1 & 2), point & 3};
  Vector along[components][components], area[components][components];
  for (int d = 0; d < components; ++d) {
    for (int c = 0; c < components; ++c) along[d][c] = x[c][d][where[d]];
  }
  for (int d = 0; d < components; ++d) cross(along[(d + 1) % 3], along[(d + 2) % 3], area[d]);
  // Modes are eight times what they are: 64 of areas and 8 of corners are left.
  const Vector inverse = hn::Div(hn::Set(D(), 1.0 / 512), dot(along[0], area[0]));
  Vector slope[components][components];  // times the Jacobian's determinant
  for (int r = 0; r < components; ++r) {
    for (int c = 0; c < components; ++c) {
      slope[r][c] = hn::Mul(v[r][0][where[0]], area[0][c]);
      slope[r][c] = hn::MulAdd(v[r][1][where[1]], area[1][c], slope[r][c]);
      slope[r][c] = hn::MulAdd(v[r][2][where[2]], area[2][c], slope[r][c]);
    }
  }
  const Vector stiff = hn::Mul(inverse, shear), twice = hn::Add(stiff, stiff);
  const Vector trace = hn::Mul(hn::Mul(inverse, lame), hn::Add(hn::Add(slope[0][0], slope[1][1]), slope[2][2]));
  Vector stress[components][components];
  for (int r = 0; r < components; ++r) {
    stress[r][r] = hn::MulAdd(twice, slope[r][r], trace);
    for (int c = r + 1; c < components; ++c) {
      stress[r][c] = stress[c][r] = hn::Mul(stiff, hn::Add(slope[r][c], slope[c][r]));
    }
  }
  for (int r = 0; r < components; ++r) {
    for (int d = 0; d < components; ++d) {
      Vector& sum = asked[r][d][where[d]];
      const bool first = (point >> d & 1) == 0;
      sum = first ? hn::Mul(stress[r][0], area[d][0]) : hn::MulAdd(stress[r][0], area[d][0], sum);
      sum = hn::MulAdd(stress[r][2], area[d][2], hn::MulAdd(stress[r][1], area[d][1], sum));
    }
  }
}

/// What one row of elements adds to its four rows of nodes: from each element's near corner, and from its far one.
struct Lines {
  double *near, *far;
  std::int64_t pitch;

  Lines(double* scratch, std::int64_t nx) : near(scratch), far(nullptr), pitch(nx + 2 * lanes) {
    far = near + components * edges * pitch;
  }
  [[nodiscard]] std::int64_t at(int component, int edge) const { return (components * edge + component) * pitch; }
};

HWY_INLINE void load_slopes(const double* field, const std::int64_t (&start)[edges],
                            Vector (&slopes)[components][beside]) {
  Vector c[corners];
  for (int b = 0; b < edges; ++b) {
    c[2 * b] = hn::LoadU(D(), field + start[b]);
    c[2 * b + 1] = hn::LoadU(D(), field + start[b] + 1);
  }
  slopes_of(c, slopes);
}

void compute_row(const ElementProduct& job, const std::int64_t (&start)[edges], const Lines& lines) {
  const D tag;
  const std::int64_t elements = job.grid.nx - 1;
  for (std::int64_t i = 0; i < elements; i += lanes) {
    FieldSlopes x, v, asked;
    for (int c = 0; c < components; ++c) {
      load_slopes(job.at[static_cast<std::size_t>(c)] + i, start, x[c]);
      load_slopes(job.x[static_cast<std::size_t>(c)] + i, start, v[c]);
    }
    const std::int64_t material = job.step * (start[0] + i);
    const Vector lame = hn::LoadU(tag, job.lame + material), shear = hn::LoadU(tag, job.shear + material);
    // One after the other: a loop would not know which values are read, and keep all in memory.
    add_point<0>(x, v, lame, shear, asked), add_point<1>(x, v, lame, shear, asked);
    add_point<2>(x, v, lame, shear, asked), add_point<3>(x, v, lame, shear, asked);
    add_point<4>(x, v, lame, shear, asked), add_point<5>(x, v, lame, shear, asked);
    add_point<6>(x, v, lame, shear, asked), add_point<7>(x, v, lame, shear, asked);
    const auto there = hn::FirstN(tag, static_cast<std::size_t>(HWY_MIN(lanes, elements - i)));
    for (int c = 0; c < components; ++c) {
      Vector u[corners];
      corners_of(asked[c], u);
      for (int b = 0; b < edges; ++b) {
        hn::StoreU(hn::IfThenElseZero(there, u[2 * b]), tag, lines.near + lines.at(c, b) + i);
        hn::StoreU(hn::IfThenElseZero(there, u[2 * b + 1]), tag, lines.far + lines.at(c, b) + i + 1);
      }
    }
  }
}

/// Adds both lines to a row of nodes; returns x·A x's part.
template <bool fresh>
HWY_INLINE double add_row(const ElementProduct& job, const Lines& lines, int edge, std::int64_t start) {
  const D tag;
  const std::int64_t nodes = job.grid.nx, whole = nodes / lanes * lanes;
  const Vector scale = hn::Set(tag, job.scale);
  Vector dots = hn::Zero(tag);
  double sum = 0;
  for (int c = 0; c < components; ++c) {
    const double *near = lines.near + lines.at(c, edge), *far = lines.far + lines.at(c, edge);
    const double* x = job.x[static_cast<std::size_t>(c)] + start;
    double* y = job.y[static_cast<std::size_t>(c)] + start;
    for (std::int64_t i = 0; i < whole; i += lanes) {
      const Vector force = hn::Add(hn::LoadU(tag, near + i), hn::LoadU(tag, far + i));
      dots = hn::MulAdd(force, hn::LoadU(tag, x + i), dots);
      hn::StoreU(fresh ? hn::Mul(scale, force) : hn::MulAdd(scale, force, hn::LoadU(tag, y + i)), tag, y + i);
    }
    // What follows may be another thread's.
    for (std::int64_t i = whole; i < nodes; ++i) {
      const double force = near[i] + far[i];
      sum += force * x[i];
      y[i] = fresh ? job.scale * force : job.scale * force + y[i];
    }
  }
  return sum + hn::GetLane(hn::SumOfLanes(tag, dots));
}

double multiply(const ElementProduct& job, std::int64_t begin, std::int64_t end, double* scratch) {
  const Grid& grid = job.grid;
  const Lines lines(scratch, grid.nx);
  double sum = 0;
  for (std::int64_t k = HWY_MAX(begin - 1, std::int64_t{0}); k < HWY_MIN(end, grid.nz - 1); ++k) {
    for (std::int64_t j = 0; j + 1 < grid.ny; ++j) {
      const std::int64_t start[edges] = {grid.node(0, j, k), grid.node(0, j + 1, k), grid.node(0, j, k + 1),
                                         grid.node(0, j + 1, k + 1)};
      compute_row(job, start, lines);
      for (int b = 0; b < edges; ++b) {
        const std::int64_t far = b & 1, above = b >> 1;
        if (k + above < begin || k + above >= end) continue;
        const bool first = job.fresh && (far == 1 || j == 0) && (above == 1 || k == 0);
        sum += first ? add_row<true>(job, lines, b, start[b]) : add_row<false>(job, lines, b, start[b]);
      }
    }
  }
  return sum;
}

std::int64_t scratch_values(std::int64_t nx) { return 2 * components * edges * (nx + 2 * lanes); }

}  // namespace rooftop::elasticity::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rooftop::elasticity {

HWY_EXPORT(multiply);
HWY_EXPORT(scratch_values);

double multiply_elements(const ElementProduct& job, std::int64_t begin, std::int64_t end, double* scratch) {
  return HWY_DYNAMIC_DISPATCH(multiply)(job, begin, end, scratch);
}

std::int64_t element_scratch(std::int64_t nx) { return HWY_DYNAMIC_DISPATCH(scratch_values)(nx); }

}  // namespace rooftop::elasticity
#endif
