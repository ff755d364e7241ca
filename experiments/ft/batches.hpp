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

/// What values are multiplied by on their way into the buffer: value i of line l of set s, or of lines l to l + 3.
struct AsTheyAre {
  [[nodiscard]] double one(Index /*i*/, Index /*l*/, Index /*s*/) const { return 1; }
  [[nodiscard]] Lanes four(Index /*i*/, Index /*l*/, Index /*s*/) const { return Lanes{1, 1, 1, 1}; }
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

inline Lanes load_four(const double* from) {
  Lanes value;
  __builtin_memcpy(&value, from, sizeof value);
  return value;
}
inline void store_four(double* to, Lanes value) { __builtin_memcpy(to, &value, sizeof value); }

/// Value i of a batch's lines, which begin `lines.step` apart at `from`, into a row of the buffer. Where they lie side
/// by side, four are taken apart at a time.
template <typename Factor>
inline void load_row(const Lines& lines, const Batch& batch, int sign, Index i, const Complex* from, BatchRow& row,
                     const Factor& factor) {
  const bool side_by_side = lines.step == 1 && batch.count == batch_lines;
  double* const re = real(sign, row);
  double* const im = imaginary(sign, row);
  for (Index l = 0; side_by_side && l < batch_lines; l += 4) {
    const Lanes a = load_four(&from[l].re), b = load_four(&from[l + 2].re);
    const Lanes times = factor.four(i, batch.first + l, batch.set);
    store_four(re + l, __builtin_shufflevector(a, b, 0, 2, 4, 6) * times);
    store_four(im + l, __builtin_shufflevector(a, b, 1, 3, 5, 7) * times);
  }
  for (Index l = 0; !side_by_side && l < batch_lines; ++l) {
    const double times = l < batch.count ? factor.one(i, batch.first + l, batch.set) : 0;
    const Complex value = l < batch.count ? from[l * lines.step] : Complex{0, 0};
    re[l] = value.re * times;
    im[l] = value.im * times;
  }
}

/// And back.
inline void store_row(const Lines& lines, const Batch& batch, int sign, const BatchRow& row, Complex* to) {
  const bool side_by_side = lines.step == 1 && batch.count == batch_lines;
  const double* const re = real(sign, row);
  const double* const im = imaginary(sign, row);
  for (Index l = 0; side_by_side && l < batch_lines; l += 4) {
    const Lanes a = load_four(re + l), b = load_four(im + l);
    store_four(&to[l].re, __builtin_shufflevector(a, b, 0, 4, 1, 5));
    store_four(&to[l + 2].re, __builtin_shufflevector(a, b, 2, 6, 3, 7));
  }
  for (Index l = 0; !side_by_side && l < batch.count; ++l) to[l * lines.step] = {re[l], im[l]};
}

/// Transforms batches [begin, end) of an array's lines into the same places of another; sign 1 is forth, -1 back. The
/// buffer holds 2 n rows.
template <typename Factor = AsTheyAre>
inline void transform_lines(const Passes& passes, int sign, const Lines& lines, const Complex* from, Complex* to,
                            BatchRow* buffer, Index begin, Index end, const Factor& factor = {}) {
  for (Index number = begin; number < end; ++number) {
    const Batch batch = batch_at(lines, number);
    for (Index i = 0; i < lines.n; ++i) {
      load_row(lines, batch, sign, i, from + batch.start + i * lines.stride, buffer[i], factor);
    }
    const BatchRow* const results = transform_batch(passes, buffer, buffer + lines.n);
    for (Index i = 0; i < lines.n; ++i) {
      store_row(lines, batch, sign, results[i], to + batch.start + i * lines.stride);
    }
  }
}

}  // namespace ft
