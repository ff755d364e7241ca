/// Transforms of eight lines at a time, which lie beside one another in a buffer of their own.
#pragma once

#include <algorithm>
#include <cstddef>
#include <rooftop/aligned.hpp>
#include <utility>

#include "lines.hpp"
#include "radices.hpp"

namespace ft {

/// Four doubles in 256 bits: one value of four lines.
using Lanes = double __attribute__((vector_size(32)));
inline constexpr Index batch_lines = 8;

/// One value of eight lines, in two cache lines.
struct BatchRow {
  double re[batch_lines], im[batch_lines];
};

/// y[q + s (r place + k)] = w^(place k) sum over i of exp(-2 pi i k / r) x[q + s (place + rest i)], on all lines
template <int Radix>
inline void batch_pass_of(const Pass& pass, const BatchRow* x, BatchRow* y) {
  const Index s = pass.before;
  const double* roots = pass.roots.data();
  for (Index place = 0; place < pass.rest; ++place, roots += 2 * (Radix - 1)) {
    for (Index q = 0; q < s; ++q) {
      for (Index first = 0; first < batch_lines; first += 4) {
        const auto at = [first](auto& part) -> auto& { return reinterpret_cast<const Lanes&>(part[first]); };
        const auto to = [first](double* part) -> Lanes& { return reinterpret_cast<Lanes&>(part[first]); };
        Split<Lanes> values[Radix];
        for (int i = 0; i < Radix; ++i) {
          const BatchRow& row = x[q + s * (place + pass.rest * i)];
          values[i] = {at(row.re), at(row.im)};
        }
        butterfly<Radix>(values);
        BatchRow* const results = y + q + s * Radix * place;
        to(results->re) = values[0].re, to(results->im) = values[0].im;
        for (int k = 1; k < Radix; ++k) {
          const Split<Lanes> turned = product(values[k], roots[2 * k - 2], roots[2 * k - 1]);
          to(results[s * k].re) = turned.re, to(results[s * k].im) = turned.im;
        }
      }
    }
  }
}

/// Transforms a batch, and returns which of the two buffers holds the result.
inline BatchRow* transform_batch(const Passes& passes, BatchRow* x, BatchRow* y) {
  for (const Pass& pass : passes.passes) {
    if (pass.radix == 8) {
      batch_pass_of<8>(pass, x, y);
    } else if (pass.radix == 4) {
      batch_pass_of<4>(pass, x, y);
    } else {
      batch_pass_of<2>(pass, x, y);
    }
    std::swap(x, y);
  }
  return x;
}

/// How many batches there are. One never holds lines of two sets.
inline Index batches(const Lines& lines) { return (lines.count + batch_lines - 1) / batch_lines * lines.sets; }

/// What a value is multiplied by on its way into the buffer: value i of line l of set s.
struct AsItIs {
  double operator()(Index /*i*/, Index /*l*/, Index /*s*/) const { return 1; }
};

/// Where a batch lies: its first value, how many lines it has, and which they are.
struct Batch {
  Index start, count, first, set;
};
inline Batch batch_at(const Lines& lines, Index batch) {
  const Index in_set = batches(lines) / lines.sets, first = batch % in_set * batch_lines, set = batch / in_set;
  return {set * lines.set_step + first * lines.step, std::min(batch_lines, lines.count - first), first, set};
}

/// Parts of a row as the direction takes them: the transform back is the one forth with the two exchanged.
template <typename Row>
auto& real(int sign, Row& row) {
  return sign > 0 ? row.re : row.im;
}
template <typename Row>
auto& imaginary(int sign, Row& row) {
  return sign > 0 ? row.im : row.re;
}

/// kStep and kCount are those of most batches, as constants for the compiler, or 0: then those of the lines.
template <Index kStep, Index kCount, typename Factor>
inline void load_batch(const Lines& lines, const Batch& batch, int sign, const Complex* from, BatchRow* rows,
                       const Factor& factor) {
  const Index step = kStep != 0 ? kStep : lines.step, count = kCount != 0 ? kCount : batch.count;
  for (Index i = 0; i < lines.n; ++i) {
    const Complex* const source = from + batch.start + i * lines.stride;
    double *const re = real(sign, rows[i]), *const im = imaginary(sign, rows[i]);
#pragma omp simd
    for (Index l = 0; l < count; ++l) {
      const double times = factor(i, batch.first + l, batch.set);
      re[l] = source[l * step].re * times;
      im[l] = source[l * step].im * times;
    }
    for (Index l = count; l < batch_lines; ++l) re[l] = im[l] = 0;
  }
}

template <Index kStep, Index kCount>
inline void store_batch(const Lines& lines, const Batch& batch, int sign, const BatchRow* rows, Complex* to) {
  const Index step = kStep != 0 ? kStep : lines.step, count = kCount != 0 ? kCount : batch.count;
  for (Index i = 0; i < lines.n; ++i) {
    Complex* const target = to + batch.start + i * lines.stride;
    const double *const re = real(sign, rows[i]), *const im = imaginary(sign, rows[i]);
#pragma omp simd
    for (Index l = 0; l < count; ++l) target[l * step] = {re[l], im[l]};
  }
}

/// Transforms batches [begin, end) of an array's lines into the same places of another; sign 1 is forth, -1 back. The
/// buffer holds 2 n rows.
template <typename Factor = AsItIs>
inline void transform_lines(const Passes& passes, int sign, const Lines& lines, const Complex* from, Complex* to,
                            BatchRow* buffer, Index begin, Index end, const Factor& factor = {}) {
  for (Index number = begin; number < end; ++number) {
    const Batch batch = batch_at(lines, number);
    const bool side_by_side = lines.step == 1 && batch.count == batch_lines;
    if (side_by_side) {
      load_batch<1, batch_lines>(lines, batch, sign, from, buffer, factor);
    } else {
      load_batch<0, 0>(lines, batch, sign, from, buffer, factor);
    }
    const BatchRow* const done = transform_batch(passes, buffer, buffer + lines.n);
    if (side_by_side) {
      store_batch<1, batch_lines>(lines, batch, sign, done, to);
    } else {
      store_batch<0, 0>(lines, batch, sign, done, to);
    }
  }
}

}  // namespace ft
