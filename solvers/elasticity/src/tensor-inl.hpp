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

/// The matrices of z on line j of plane k.
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
      hn::StoreU(times(l, before, at, behind), tag, to + left * pitch + i);
      hn::StoreU(times(r, before, at, behind), tag, to + right * pitch + i);
    }
  }
}

/// The matrices of y on three lines: for each row of blocks, what each matrix of x is applied to.
void apply_y(const TensorJob<Real>& job, const Segment& part, std::int64_t j, const Real* const* lines, Real* fields) {
  const D tag;
  const Direction<Real>& y = job.direction[1];
  const Three m = coefficients(y.mass, j), s = coefficients(y.stiff, j), l = coefficients(y.left, j),
              r = coefficients(y.right, j);
  const Vector lame = hn::Set(tag, job.lame), shear = hn::Set(tag, job.shear),
               both = hn::Set(tag, job.lame + 2 * job.shear);
  for (std::int64_t i = part.from; i < part.to; i += lanes) {
    const auto on = [&](const Three& matrix, int component, Along along) {
      const std::int64_t at = (component * kinds + along) * pitch + i;
      return times(matrix, hn::LoadU(tag, lines[0] + at), hn::LoadU(tag, lines[1] + at), hn::LoadU(tag, lines[2] + at));
    };
    const auto put = [&](int row, Along along, Vector value) {
      hn::StoreU(value, tag, fields + (row * kinds + along) * pitch + i);
    };
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

/// The matrices of x, and x·y.
template <bool fresh>
HWY_INLINE double apply_x(const TensorJob<Real>& job, const Segment& part, std::int64_t start, const Real* fields) {
  const D tag;
  const Direction<Real>& x = job.direction[0];
  const Vector scale = hn::Set(tag, job.scale);
  Vector dots = hn::Zero(tag);
  for (std::int64_t i = 0; i < part.end - part.begin; i += lanes) {
    const auto band = [&](const Bands<Real>& bands) {
      return Three{hn::LoadU(tag, bands[0] + part.begin + i), hn::LoadU(tag, bands[1] + part.begin + i),
                   hn::LoadU(tag, bands[2] + part.begin + i)};
    };
    const Three m = band(x.mass), s = band(x.stiff), l = band(x.left), r = band(x.right);
    const auto there = hn::FirstN(tag, static_cast<std::size_t>(part.end - part.begin - i));
    for (int row = 0; row < components; ++row) {
      const auto on = [&](const Three& matrix, Along along, Vector sum) {
        const Real* at = fields + (row * kinds + along) * pitch + i;
        return times(matrix, hn::LoadU(tag, at - 1), hn::LoadU(tag, at), hn::LoadU(tag, at + 1), sum);
      };
      const Vector sum = on(m, mass, on(s, stiff, on(l, left, on(r, right, hn::Zero(tag)))));
      const auto c = static_cast<std::size_t>(row);
      Real* y = job.y[c] + start + i;
      const Vector in = hn::IfThenElseZero(there, hn::LoadU(tag, job.x[c] + start + i));
      dots = hn::MulAdd(in, sum, dots);
      hn::BlendedStore(fresh ? hn::Mul(scale, sum) : hn::MulAdd(scale, sum, hn::LoadU(tag, y)), there, tag, y);
    }
  }
  return hn::GetLane(hn::SumOfLanes(tag, dots));
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
      apply_z(job, part, 0, k, line(0));
      for (std::int64_t j = 0; j < grid.ny; ++j) {
        if (j + 1 < grid.ny) apply_z(job, part, j + 1, k, line(j + 1));
        const Real* const three[] = {line(j - 1), line(j), line(j + 1)};
        apply_y(job, part, j, three, fields);
        const std::int64_t start = grid.node(part.begin, j, k);
        dot += job.fresh ? apply_x<true>(job, part, start, fields) : apply_x<false>(job, part, start, fields);
      }
    }
  }
  return dot;
}

}  // namespace rooftop::elasticity::ROOFTOP_ELASTICITY_PRECISION::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
