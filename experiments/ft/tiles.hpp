/// Columns of several planes in tiles: a few batches side by side, so that many consecutive values are read from and
/// written to each plane at once, wherever it is.
#pragma once

#include <omp.h>

#include <algorithm>
#include <cstddef>
#include <rooftop/aligned.hpp>
#include <utility>
#include <vector>

#include "batches.hpp"
#include "decay.hpp"

namespace ft {

inline constexpr Index most_tile_lines = 128;
/// Of the tiles that rungs take, 512 consecutive bytes of each plane: the source's group size. Against 8 lines, 32 took
/// about a quarter off the columns of class W at 2 ranks and class A at 2 and 3; 64 and 128 no more than that.
inline constexpr Index tile_lines = 32;

/// For work during which nothing else has to go on.
struct Nothing {
  void operator()() const {}
};

/// Places `step` values apart, for each plane of a transform.
template <typename Value>
std::vector<Value*> planes_at(Value* first, Index step, Index count) {
  std::vector<Value*> at(static_cast<std::size_t>(count));
  for (Index z = 0; z < count; ++z) at[static_cast<std::size_t>(z)] = first + z * step;
  return at;
}

/// `rows` rows of `count` columns, each n values long: where each plane's first one is, and how far apart rows are.
struct Columns {
  Index n, count, rows, row_step;
  std::vector<const Complex*> from;
  std::vector<Complex*> to;

  [[nodiscard]] Lines lines() const { return {n, 0, count, 1, rows, row_step}; }
};

/// Batches [begin, end), which are one tile. The buffer holds n + 1 rows for each and for their passes; the
/// one beyond n keeps the batches' rows of one plane out of one set of a cache.
template <typename Factor>
inline void transform_tile(const Passes& passes, int sign, const Columns& columns, BatchRow* buffer, Index begin,
                           Index end, const Factor& factor) {
  const Lines lines = columns.lines();
  const Index count = end - begin;
  Batch batch[most_tile_lines / batch_lines];
  BatchRow* rows[most_tile_lines / batch_lines];
  for (Index b = 0; b < count; ++b) {
    batch[b] = batch_at(lines, begin + b);
    rows[b] = buffer + (b + 1) * (lines.n + 1);
  }
  for (Index i = 0; i < lines.n; ++i) {
    const Complex* const from = columns.from[static_cast<std::size_t>(i)];
    for (Index b = 0; b < count; ++b) load_row(lines, batch[b], sign, i, from + batch[b].start, rows[b][i], factor);
  }
  // What a batch leaves behind, the next one takes for its passes.
  BatchRow* spare = buffer;
  for (Index b = 0; b < count; ++b) {
    BatchRow* const results = transform_batch(passes, rows[b], spare);
    if (results == spare) std::swap(rows[b], spare);
  }
  for (Index i = 0; i < lines.n; ++i) {
    Complex* const to = columns.to[static_cast<std::size_t>(i)];
    for (Index b = 0; b < count; ++b) store_row(lines, batch[b], sign, rows[b][i], to + batch[b].start);
  }
}

/// All columns, by p.threads threads in tiles of this many lines; between tiles, the first thread calls go_on(). With
/// `decay`, they are multiplied by it on their way.
template <typename GoOn = Nothing>
inline void transform_columns(const Problem& p, const Passes& passes, int sign, const Columns& columns,
                              Index wide_lines, const Decay* decay, const GoOn& go_on = {}) {
  const Index count = batches(columns.lines()), wide = wide_lines / batch_lines, tiles = (count + wide - 1) / wide;
#pragma omp parallel num_threads(p.threads)
  {
    rooftop::AlignedArray<BatchRow> buffer(static_cast<std::size_t>((wide + 1) * (columns.n + 1)));
#pragma omp for schedule(static)
    for (Index tile = 0; tile < tiles; ++tile) {
      const Index begin = tile * wide, end = std::min(count, begin + wide);
      if (decay != nullptr) {
        transform_tile(passes, sign, columns, buffer.data(), begin, end, *decay);
      } else {
        transform_tile(passes, sign, columns, buffer.data(), begin, end, AsTheyAre{});
      }
      if (omp_get_thread_num() == 0) go_on();
    }
  }
}

}  // namespace ft
