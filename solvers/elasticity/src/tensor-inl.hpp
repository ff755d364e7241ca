// Products with the matrix of a box whose elements are alike but for their edges' lengths: sums of products of
// one-dimensional matrices, which are applied in one direction after the other.

#if defined(ROOFTOP_ELASTICITY_TENSOR_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ROOFTOP_ELASTICITY_TENSOR_INL
#undef ROOFTOP_ELASTICITY_TENSOR_INL
#else
#define ROOFTOP_ELASTICITY_TENSOR_INL
#endif

#include <hwy/highway.h>

#include "kernels.hpp"
#include "stencil-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace rooftop::elasticity::ROOFTOP_ELASTICITY_PRECISION::HWY_NAMESPACE {

/// Most nodes of a line that are taken at once: what is kept of them stays in the first two caches.
constexpr std::int64_t segment = 96 * 8 / static_cast<std::int64_t>(sizeof(Real));

/// An odd number of cache lines: arrays that begin at multiples of a power of two would share a few sets of the cache.
constexpr std::int64_t line_values = 64 / static_cast<std::int64_t>(sizeof(Real));
constexpr std::int64_t pitch = ((segment + 4 * lanes) / line_values | 1) * line_values;
/// What is kept of a line of nodes: each component with the four matrices of z, in three lines; and what the matrices
/// of x are applied to.
enum Along { mass, stiff, left, right, kinds };  // N N, N' N', N' N, N N'
/// Between others, N N' is half of the difference of the node behind and the one before, and N' N the opposite. The
/// difference takes the place of N N'.
constexpr Along difference = right;
constexpr std::int64_t in_lines = 3 * components * kinds, in_fields = components * kinds;

std::int64_t tensor_scratch(std::int64_t) { return (in_lines + in_fields) * pitch; }

/// One coefficient of a band, for the three nodes that it multiplies.
struct Three {
  Vector before, at, behind;
};

HWY_INLINE Three coefficients(const Bands<Real>& bands, std::int64_t node, Real factor = 1) {
  const D tag;
  return {hn::Set(tag, factor * bands[0][node]), hn::Set(tag, factor * bands[1][node]),
          hn::Set(tag, factor * bands[2][node])};
}

HWY_INLINE Vector times(const Three& c, Vector before, Vector at, Vector behind) {
  return hn::MulAdd(c.before, before, hn::MulAdd(c.at, at, hn::Mul(c.behind, behind)));
}
HWY_INLINE Vector times(const Three& c, Vector before, Vector at, Vector behind, Vector sum) {
  return hn::MulAdd(c.before, before, hn::MulAdd(c.at, at, hn::MulAdd(c.behind, behind, sum)));
}

HWY_INLINE Vector times(const Three& c, const Three& x) { return times(c, x.before, x.at, x.behind); }
HWY_INLINE Vector times(const Three& c, const Three& x, Vector sum) { return times(c, x.before, x.at, x.behind, sum); }

/// How many nodes of a line are taken at once: parts of about one length.
std::int64_t segment_of(std::int64_t nx) {
  const std::int64_t parts = (nx + segment - 1) / segment;
  return ((nx + parts - 1) / parts + lanes - 1) / lanes * lanes;
}

/// A segment of lines, from node `begin` to before `end`. Where the line goes on, a vector more is computed there.
struct Segment {
  std::int64_t begin, end, from, to;  // of the line; `from` and `to` count from `begin`, in whole vectors

  Segment(std::int64_t nx, std::int64_t first, std::int64_t length)
      : begin(first),
        end(HWY_MIN(nx, first + length)),
        from(first == 0 ? 0 : -lanes),
        to((end - first + lanes - 1) / lanes * lanes + (end < nx ? lanes : 0)) {}
};

/// The matrices of z on line j of plane k, which with `inner` lies between others.
template <bool inner>
void apply_z(const TensorJob<Real>& job, const Segment& part, std::int64_t j, std::int64_t k, Real* line) {
  const D tag;
  const Direction<Real>& z = job.direction[2];
  const Three m = coefficients(z.mass, k), s = coefficients(z.stiff, k), l = coefficients(z.left, k),
              r = coefficients(z.right, k);
  const std::int64_t start = job.grid.node(part.begin, j, k), plane = job.grid.plane();
  for (int c = 0; c < components; ++c) {
    const Real* x = job.x[static_cast<std::size_t>(c)] + start;
    Real* to = line + c * kinds * pitch;
    for (std::int64_t i = part.from; i < part.to; i += lanes) {
      const Vector before = hn::LoadU(tag, x + i - plane), at = hn::LoadU(tag, x + i),
                   behind = hn::LoadU(tag, x + i + plane);
      hn::StoreU(times(m, before, at, behind), tag, to + mass * pitch + i);
      hn::StoreU(times(s, before, at, behind), tag, to + stiff * pitch + i);
      if (inner) {
        hn::StoreU(hn::Sub(behind, before), tag, to + difference * pitch + i);
      } else {
        hn::StoreU(times(l, before, at, behind), tag, to + left * pitch + i);
        hn::StoreU(times(r, before, at, behind), tag, to + right * pitch + i);
      }
    }
  }
}

HWY_INLINE Three load_three(const Real* const* lines, int component, Along along, std::int64_t i) {
  const D tag;
  const std::int64_t at = (component * kinds + along) * pitch + i;
  return {hn::LoadU(tag, lines[0] + at), hn::LoadU(tag, lines[1] + at), hn::LoadU(tag, lines[2] + at)};
}

/// The matrices of y on three lines: for each row of blocks, what each matrix of x is applied to. `inner`: the plane
/// lies between others.
template <bool inner>
void apply_y(const TensorJob<Real>& job, const Segment& part, std::int64_t j, const Real* const* lines, Real* fields) {
  const D tag;
  const Direction<Real>& y = job.direction[1];
  const Three m = coefficients(y.mass, j), s = coefficients(y.stiff, j), l = coefficients(y.left, j),
              r = coefficients(y.right, j);
  const Vector lame = hn::Set(tag, job.lame), shear = hn::Set(tag, job.shear),
               both = hn::Set(tag, job.lame + 2 * job.shear);
  for (std::int64_t i = part.from; i < part.to; i += lanes) {
    const auto on = [&](const Three& matrix, int component, Along along) HWY_ATTR {
      const bool halved = inner && along >= left;
      const Vector sum = times(matrix, load_three(lines, component, halved ? difference : along, i));
      return halved ? hn::Mul(hn::Set(tag, along == right ? Real(0.5) : Real(-0.5)), sum) : sum;
    };
    const auto put = [&](int row, Along along, Vector value)
                         HWY_ATTR { hn::StoreU(value, tag, fields + (row * kinds + along) * pitch + i); };
    const Vector mm0 = on(m, 0, mass), mm1 = on(m, 1, mass), mm2 = on(m, 2, mass);
    put(0, stiff, hn::Mul(both, mm0));
    put(1, stiff, hn::Mul(shear, mm1));
    put(2, stiff, hn::Mul(shear, mm2));
    put(0, mass, hn::Mul(shear, hn::Add(on(s, 0, mass), on(m, 0, stiff))));
    put(0, left, hn::Mul(lame, hn::Add(on(r, 1, mass), on(m, 2, right))));
    put(0, right, hn::Mul(shear, hn::Add(on(l, 1, mass), on(m, 2, left))));
    const Vector lr = on(l, 2, right), rl = on(r, 2, left), yy = on(s, 1, mass), zz = on(m, 1, stiff);
    put(1, mass, hn::MulAdd(both, yy, hn::MulAdd(shear, hn::Add(zz, rl), hn::Mul(lame, lr))));
    put(1, right, hn::Mul(lame, on(l, 0, mass)));
    put(1, left, hn::Mul(shear, on(r, 0, mass)));
    const Vector rl1 = on(r, 1, left), lr1 = on(l, 1, right), zz2 = on(m, 2, stiff), yy2 = on(s, 2, mass);
    put(2, mass, hn::MulAdd(both, zz2, hn::MulAdd(shear, hn::Add(yy2, lr1), hn::Mul(lame, rl1))));
    put(2, right, hn::Mul(lame, on(m, 0, left)));
    put(2, left, hn::Mul(shear, on(m, 0, right)));
  }
}

/// The same where the line and its plane lie between others: three fields for each row of blocks, `left` for what N' N
/// and N N' of x are applied to. Lame's constants multiply sums, not the matrices: rows whose sum is zero keep it.
void apply_y_inside(const TensorJob<Real>& job, const Segment& part, std::int64_t j, const Real* const* lines,
                    Real* fields) {
  const D tag;
  const Direction<Real>& y = job.direction[1];
  const Three m = coefficients(y.mass, j), s = coefficients(y.stiff, j);
  const Vector shear = hn::Set(tag, job.shear), both = hn::Set(tag, job.lame + 2 * job.shear),
               mixed = hn::Set(tag, -(job.lame + job.shear) / 4);
  for (std::int64_t i = part.from; i < part.to; i += lanes) {
    const auto on = [&](int component, Along along) HWY_ATTR { return load_three(lines, component, along, i); };
    const auto across = [](const Three& x) HWY_ATTR { return hn::Sub(x.behind, x.before); };
    const auto put = [&](int row, Along along, Vector value)
                         HWY_ATTR { hn::StoreU(value, tag, fields + (row * kinds + along) * pitch + i); };
    const Three m0 = on(0, mass), m1 = on(1, mass), m2 = on(2, mass), d2 = on(2, difference);
    put(0, stiff, hn::Mul(both, times(m, m0)));
    put(1, stiff, hn::Mul(shear, times(m, m1)));
    put(2, stiff, hn::Mul(shear, times(m, m2)));
    const auto sum = [&](Vector normal, Vector sheared, const Three& other) HWY_ATTR {
      return hn::MulAdd(both, normal, hn::MulAdd(shear, sheared, hn::Mul(mixed, across(other))));
    };
    put(0, mass, hn::Mul(shear, times(s, m0, times(m, on(0, stiff)))));
    put(1, mass, sum(times(s, m1), times(m, on(1, stiff)), d2));
    put(2, mass, sum(times(m, on(2, stiff)), times(s, m2), on(1, difference)));
    put(0, left, times(m, d2, across(m1)));
    put(1, left, across(m0));
    put(2, left, times(m, on(0, difference)));
  }
}

/// The matrices of x, and x·y. `inside`: on fields of apply_y_inside.
template <bool fresh, bool inside>
HWY_INLINE double apply_x(const TensorJob<Real>& job, const Segment& part, std::int64_t start, const Real* fields) {
  const D tag;
  const Direction<Real>& x = job.direction[0];
  const Vector scale = hn::Set(tag, job.scale);
  Vector dots = hn::Zero(tag);
  for (std::int64_t i = 0; i < part.end - part.begin; i += lanes) {
    const auto band = [&](const Bands<Real>& bands) HWY_ATTR {
      return Three{hn::LoadU(tag, bands[0] + part.begin + i), hn::LoadU(tag, bands[1] + part.begin + i),
                   hn::LoadU(tag, bands[2] + part.begin + i)};
    };
    const auto there = hn::FirstN(tag, static_cast<std::size_t>(part.end - part.begin - i));
    const auto on = [&](int row, Along along) HWY_ATTR {
      const Real* at = fields + (row * kinds + along) * pitch + i;
      return Three{hn::LoadU(tag, at - 1), hn::LoadU(tag, at), hn::LoadU(tag, at + 1)};
    };
    const auto put = [&](std::size_t row, Vector sum) HWY_ATTR {
      Real* y = job.y[row] + start + i;
      const Vector in = hn::IfThenElseZero(there, hn::LoadU(tag, job.x[row] + start + i));
      dots = hn::MulAdd(in, sum, dots);
      hn::BlendedStore(fresh ? hn::Mul(scale, sum) : hn::MulAdd(scale, sum, hn::LoadU(tag, y)), there, tag, y);
    };
    const Three m = band(x.mass), s = band(x.stiff);
    if constexpr (inside) {
      const Three other = band(job.inside.other);
      put(0, times(m, on(0, mass), times(s, on(0, stiff), times(band(job.inside.first), on(0, left)))));
      put(1, times(m, on(1, mass), times(s, on(1, stiff), times(other, on(1, left)))));
      put(2, times(m, on(2, mass), times(s, on(2, stiff), times(other, on(2, left)))));
    } else {
      const Three l = band(x.left), r = band(x.right);
      const auto all = [&](int row) HWY_ATTR {
        return times(m, on(row, mass), times(s, on(row, stiff), times(l, on(row, left), times(r, on(row, right)))));
      };
      put(0, all(0)), put(1, all(1)), put(2, all(2));
    }
  }
  return hn::GetLane(hn::SumOfLanes(tag, dots));
}

/// The matrices of y and x on line j of plane k, and x·y there.
template <bool fresh>
double apply_line(const TensorJob<Real>& job, const Segment& part, std::int64_t j, std::int64_t k,
                  const Real* const* lines, Real* fields) {
  const Grid& grid = job.grid;
  const std::int64_t start = grid.node(part.begin, j, k);
  const bool inner = k > 0 && k + 1 < grid.nz;
  if (inner && j > 0 && j + 1 < grid.ny) {
    apply_y_inside(job, part, j, lines, fields);
    return apply_x<fresh, true>(job, part, start, fields);
  }
  inner ? apply_y<true>(job, part, j, lines, fields) : apply_y<false>(job, part, j, lines, fields);
  return apply_x<fresh, false>(job, part, start, fields);
}

double multiply_tensor(const TensorJob<Real>& job, std::int64_t begin, std::int64_t end, Real* scratch) {
  const Grid& grid = job.grid;
  // Behind a margin of a vector; what lies before and behind a line is multiplied by zero, and has to be finite.
  std::fill_n(scratch, tensor_scratch(grid.nx), Real{0});
  Real* const fields = scratch + in_lines * pitch + 2 * lanes;
  const auto line = [&](std::int64_t j) { return scratch + (j + 3) % 3 * components * kinds * pitch + 2 * lanes; };
  double dot = 0;
  const std::int64_t length = segment_of(grid.nx);
  for (std::int64_t first = 0; first < grid.nx; first += length) {
    const Segment part(grid.nx, first, length);
    for (std::int64_t k = begin; k < end; ++k) {
      const auto apply_z_on = k > 0 && k + 1 < grid.nz ? apply_z<true> : apply_z<false>;
      apply_z_on(job, part, 0, k, line(0));
      for (std::int64_t j = 0; j < grid.ny; ++j) {
        if (j + 1 < grid.ny) apply_z_on(job, part, j + 1, k, line(j + 1));
        const Real* const three[] = {line(j - 1), line(j), line(j + 1)};
        dot += job.fresh ? apply_line<true>(job, part, j, k, three, fields)
                         : apply_line<false>(job, part, j, k, three, fields);
      }
    }
  }
  return dot;
}

}  // namespace rooftop::elasticity::ROOFTOP_ELASTICITY_PRECISION::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
