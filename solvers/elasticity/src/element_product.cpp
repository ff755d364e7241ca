// Products by elements, a lane for each, compiled once per instruction set that Highway knows for this architecture.
//
// In an element a field is a sum of the eight products of 1, x, y and z, in coordinates from -1 to 1: its modes, which
// are even or odd in each direction. Slopes at the points of integration are sums of modes, and each is the same at two
// of the eight points. So they cost 47 operations a field, not 24 for each point. Kronbichler and Kormann, A generic
// interface for parallel cell-based finite element operator application, 2012, do so for elements of any order.
//
// Slopes of coordinates, displacements and forces are 108 vectors, more than there are registers. They lie in memory,
// and points are taken in a loop: its instructions stay in the cache of decoded ones, and each loads what it needs.
#include "element_product.hpp"

#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "element_product.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace rooftop::elasticity::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<double, 8>;
using Vector = hn::Vec<D>;
using Mask = hn::Mask<D>;
constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(D()));
constexpr int beside = 4;           ///< points of integration that differ in the two other directions
constexpr int edges = corners / 2;  ///< of an element along x: edge b lies at y = b & 1, z = b >> 1

constexpr std::int64_t ahead = 256;  ///< values: the processor's own prefetching stops at a page's end

constexpr double point_at = 0.57735026918962576451;  ///< points of integration, from the middle: 1 / sqrt(3)

/// The two other directions' bits: the first one's, and the second one's.
constexpr int first_beside(int d) { return d == 0 ? 2 : 1; }
constexpr int second_beside(int d) { return d == 2 ? 2 : 4; }

/// Slopes of three components, in vectors: where those in direction d begin, at the points where the first other
/// direction is far if `place` & 1, the second if `place` & 2. The components follow each other.
constexpr std::int64_t slope_at(int d, int place) { return (d * beside + place) * components * lanes; }
constexpr std::int64_t slope_values = components * beside * components * lanes;

/// A sum becomes the even part, a difference the odd one.
HWY_INLINE void split(Vector& near, Vector& far) {
  const Vector sum = hn::Add(near, far);
  far = hn::Sub(far, near);
  near = sum;
}

// Directions are arguments of templates: in a loop over them the compiler would keep the modes in memory.

template <int d>
HWY_INLINE void slopes_along(const Vector (&mode)[corners], double* slopes) {
  constexpr int own = 1 << d, first = own | first_beside(d), second = own | second_beside(d);
  const D tag;
  const Vector away = hn::Set(tag, point_at);
  const Vector low = hn::NegMulAdd(away, mode[first], mode[own]), high = hn::MulAdd(away, mode[first], mode[own]);
  const Vector more_low = hn::NegMulAdd(away, mode[7], mode[second]),
               more_high = hn::MulAdd(away, mode[7], mode[second]);
  hn::Store(hn::NegMulAdd(away, more_low, low), tag, slopes + slope_at(d, 0));
  hn::Store(hn::NegMulAdd(away, more_high, high), tag, slopes + slope_at(d, 1));
  hn::Store(hn::MulAdd(away, more_low, low), tag, slopes + slope_at(d, 2));
  hn::Store(hn::MulAdd(away, more_high, high), tag, slopes + slope_at(d, 3));
}

/// One component's slopes, from its values at corners. Mode m has x if m & 1, y if m & 2 and z if m & 4; all are eight
/// times as large.
HWY_INLINE void slopes_of(Vector (&c)[corners], double* slopes) {
  split(c[0], c[1]), split(c[2], c[3]), split(c[4], c[5]), split(c[6], c[7]);
  split(c[0], c[2]), split(c[1], c[3]), split(c[4], c[6]), split(c[5], c[7]);
  split(c[0], c[4]), split(c[1], c[5]), split(c[2], c[6]), split(c[3], c[7]);
  slopes_along<0>(c, slopes), slopes_along<1>(c, slopes), slopes_along<2>(c, slopes);
}

/// Takes what is asked of a slope, and leaves a zero, to which the next elements add.
HWY_INLINE Vector take(double* slope) {
  const D tag;
  const Vector value = hn::Load(tag, slope);
  hn::Store(hn::Zero(tag), tag, slope);
  return value;
}

/// Of two or three directions that share a mode, the first one writes it.
template <int d>
HWY_INLINE void modes_along(double* slopes, Vector (&mode)[corners]) {
  constexpr int own = 1 << d, first = own | first_beside(d), second = own | second_beside(d);
  const Vector s0 = take(slopes + slope_at(d, 0)), s1 = take(slopes + slope_at(d, 1)),
               s2 = take(slopes + slope_at(d, 2)), s3 = take(slopes + slope_at(d, 3));
  const Vector near = hn::Add(s0, s1), far = hn::Add(s2, s3), on_near = hn::Sub(s1, s0), on_far = hn::Sub(s3, s2);
  const Vector to_first = hn::Add(on_near, on_far), to_second = hn::Sub(far, near), to_all = hn::Sub(on_far, on_near);
  mode[own] = hn::Add(near, far);
  mode[first] = d == 0 ? to_first : hn::Add(mode[first], to_first);
  mode[second] = d < 2 ? to_second : hn::Add(mode[second], to_second);
  mode[7] = d == 0 ? to_all : hn::Add(mode[7], to_all);
}

/// The transposed of slopes_of: what is asked of one component's slopes becomes what is asked of corners.
HWY_INLINE void corners_of(double* slopes, Vector (&c)[corners]) {
  const Vector none = hn::Zero(D()), away = hn::Set(D(), point_at);
  Vector m[corners] = {none, none, none, none, none, none, none, none};
  modes_along<0>(slopes, m), modes_along<1>(slopes, m), modes_along<2>(slopes, m);
  const Vector x0 = hn::Neg(m[1]), x1 = m[1];  // without a slope, mode 0 is asked for nothing
  const Vector x2 = hn::NegMulAdd(away, m[3], m[2]), x3 = hn::MulAdd(away, m[3], m[2]);
  const Vector x4 = hn::NegMulAdd(away, m[5], m[4]), x5 = hn::MulAdd(away, m[5], m[4]);
  const Vector x6 = hn::NegMulAdd(away, m[7], m[6]), x7 = hn::MulAdd(away, m[7], m[6]);
  const Vector y0 = hn::Sub(x0, x2), y2 = hn::Add(x0, x2), y1 = hn::Sub(x1, x3), y3 = hn::Add(x1, x3);
  const Vector y4 = hn::NegMulAdd(away, x6, x4), y6 = hn::MulAdd(away, x6, x4);
  const Vector y5 = hn::NegMulAdd(away, x7, x5), y7 = hn::MulAdd(away, x7, x5);
  c[0] = hn::Sub(y0, y4), c[4] = hn::Add(y0, y4), c[1] = hn::Sub(y1, y5), c[5] = hn::Add(y1, y5);
  c[2] = hn::Sub(y2, y6), c[6] = hn::Add(y2, y6), c[3] = hn::Sub(y3, y7), c[7] = hn::Add(y3, y7);
}

/// Components, by name: an array's might stay in memory.
struct Triple {
  Vector x, y, z;
};

HWY_INLINE Triple load(const double* from) {
  const D tag;
  return {hn::Load(tag, from), hn::Load(tag, from + lanes), hn::Load(tag, from + 2 * lanes)};
}

HWY_INLINE void store(const Triple& value, double* to) {
  const D tag;
  hn::Store(value.x, tag, to), hn::Store(value.y, tag, to + lanes), hn::Store(value.z, tag, to + 2 * lanes);
}

HWY_INLINE Triple cross(const Triple& a, const Triple& b) {
  return {hn::MulSub(a.y, b.z, hn::Mul(a.z, b.y)), hn::MulSub(a.z, b.x, hn::Mul(a.x, b.z)),
          hn::MulSub(a.x, b.y, hn::Mul(a.y, b.x))};
}

HWY_INLINE Vector dot(const Triple& a, const Triple& b) {
  return hn::MulAdd(a.z, b.z, hn::MulAdd(a.y, b.y, hn::Mul(a.x, b.x)));
}

/// The vectors that are normal to the three surfaces on which one coordinate of the element is constant.
struct Areas {
  Triple x, y, z;
};

/// The slope of a component whose slopes along the element's coordinates are a, b and c.
HWY_INLINE Triple slope_of(const Areas& area, Vector a, Vector b, Vector c) {
  return {hn::MulAdd(c, area.z.x, hn::MulAdd(b, area.y.x, hn::Mul(a, area.x.x))),
          hn::MulAdd(c, area.z.y, hn::MulAdd(b, area.y.y, hn::Mul(a, area.x.y))),
          hn::MulAdd(c, area.z.z, hn::MulAdd(b, area.y.z, hn::Mul(a, area.x.z)))};
}

struct Stress {
  Vector xx, yy, zz, xy, yz, zx;
};

HWY_INLINE void add_force(const Stress& s, const Triple& area, double* asked) {
  const Triple sum = load(asked);
  store({hn::MulAdd(s.zx, area.z, hn::MulAdd(s.xy, area.y, hn::MulAdd(s.xx, area.x, sum.x))),
         hn::MulAdd(s.yz, area.z, hn::MulAdd(s.yy, area.y, hn::MulAdd(s.xy, area.x, sum.y))),
         hn::MulAdd(s.zz, area.z, hn::MulAdd(s.yz, area.y, hn::MulAdd(s.zx, area.x, sum.z)))},
        asked);
}

/// Where slopes along each direction begin, at a point of integration.
struct At {
  std::int64_t x, y, z;
};

HWY_INLINE At slopes_at(int point) {
  return {slope_at(0, point >> 1), slope_at(1, (point & 1) | (point >> 1 & 2)), slope_at(2, point & 3)};
}

/// Of a point: its areas, one after the other, and what strains are multiplied by: none in elements that are not there.
constexpr std::int64_t area_values = 9 * lanes, point_values = area_values + lanes;

HWY_INLINE void measure_point(int point, const double* x, Mask there, double* measured) {
  const At at = slopes_at(point);
  const Triple along_x = load(x + at.x), along_y = load(x + at.y), along_z = load(x + at.z);
  const Triple area = cross(along_y, along_z);
  store(area, measured);
  store(cross(along_z, along_x), measured + 3 * lanes);
  store(cross(along_x, along_y), measured + 6 * lanes);
  // Modes are eight times what they are: 64 of areas and 8 of corners are left.
  const Vector inverse = hn::IfThenElseZero(there, hn::Div(hn::Set(D(), 1.0 / 512), dot(along_x, area)));
  hn::Store(inverse, D(), measured + area_values);
}

/// Adds what one point of integration asks of slopes by its stress.
HWY_INLINE void add_point(int point, const double* measured, const double* v, Vector lame, Vector shear,
                          double* asked) {
  const At at = slopes_at(point);
  const Areas area{load(measured), load(measured + 3 * lanes), load(measured + 6 * lanes)};
  const Vector inverse = hn::Load(D(), measured + area_values);
  const Triple of_x = load(v + at.x), of_y = load(v + at.y), of_z = load(v + at.z);
  // Times the Jacobian's determinant.
  const Triple first = slope_of(area, of_x.x, of_y.x, of_z.x), second = slope_of(area, of_x.y, of_y.y, of_z.y),
               third = slope_of(area, of_x.z, of_y.z, of_z.z);
  const Vector stiff = hn::Mul(inverse, shear), twice = hn::Add(stiff, stiff);
  const Vector trace = hn::Mul(hn::Mul(inverse, lame), hn::Add(hn::Add(first.x, second.y), third.z));
  const Stress stress{hn::MulAdd(twice, first.x, trace),          hn::MulAdd(twice, second.y, trace),
                      hn::MulAdd(twice, third.z, trace),          hn::Mul(stiff, hn::Add(first.y, second.x)),
                      hn::Mul(stiff, hn::Add(second.z, third.y)), hn::Mul(stiff, hn::Add(third.x, first.z))};
  add_force(stress, area.x, asked + at.x);
  add_force(stress, area.y, asked + at.y);
  add_force(stress, area.z, asked + at.z);
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

/// Values at the near and the far corner of edge b.
template <int b>
HWY_INLINE void load_edge(const double* field, const std::int64_t (&start)[edges], Vector (&c)[corners]) {
  c[2 * b] = hn::LoadU(D(), field + start[b]);
  c[2 * b + 1] = hn::LoadU(D(), field + start[b] + 1);
}

HWY_INLINE void load_slopes(const double* field, const std::int64_t (&start)[edges], double* slopes) {
  Vector c[corners];
  load_edge<0>(field, start, c), load_edge<1>(field, start, c);
  load_edge<2>(field, start, c), load_edge<3>(field, start, c);
  slopes_of(c, slopes);
}

template <int b>
HWY_INLINE void store_edge(const Vector (&c)[corners], const Lines& lines, int component, std::int64_t i) {
  hn::StoreU(c[2 * b], D(), lines.near + lines.at(component, b) + i);
  hn::StoreU(c[2 * b + 1], D(), lines.far + lines.at(component, b) + i + 1);
}

void compute_row(const ElementProduct& job, const std::int64_t (&start)[edges], const Lines& lines) {
  const D tag;
  const std::int64_t elements = job.grid.nx - 1;
  alignas(64) double x[slope_values], v[slope_values], asked[slope_values] = {}, measured[corners * point_values];
  for (std::int64_t i = 0; i < elements; i += lanes) {
    for (std::size_t c = 0; c < components; ++c) {
      const std::int64_t next = start[edges - 1] + i + ahead;
      hwy::Prefetch(job.at[c] + next), hwy::Prefetch(job.x[c] + next), hwy::Prefetch(job.y[c] + next);
      const auto to = static_cast<std::int64_t>(c) * lanes;
      load_slopes(job.at[c] + i, start, x + to);
      load_slopes(job.x[c] + i, start, v + to);
    }
    const std::int64_t material = job.step * (start[0] + i);
    const Vector lame = hn::LoadU(tag, job.lame + material), shear = hn::LoadU(tag, job.shear + material);
    const Mask there = hn::FirstN(tag, static_cast<std::size_t>(HWY_MIN(lanes, elements - i)));
    // In two loops: in one, a point's instructions wait for each other for longer than the processor looks ahead.
    for (int point = 0; point < corners; ++point) measure_point(point, x, there, measured + point * point_values);
    for (int point = 0; point < corners; ++point) {
      add_point(point, measured + point * point_values, v, lame, shear, asked);
    }
    for (int c = 0; c < components; ++c) {
      Vector u[corners];
      corners_of(asked + c * lanes, u);
      store_edge<0>(u, lines, c, i), store_edge<1>(u, lines, c, i);
      store_edge<2>(u, lines, c, i), store_edge<3>(u, lines, c, i);
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
