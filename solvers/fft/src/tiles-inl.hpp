// Tiles of neighbouring columns in scratch: how they go in and out, row by row.

#if defined(ROOFTOP_FFT_TILES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ROOFTOP_FFT_TILES_INL
#undef ROOFTOP_FFT_TILES_INL
#else
#define ROOFTOP_FFT_TILES_INL
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>

#include "job.hpp"
#include "kernels.hpp"
#include "lines-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace rooftop::fft::internal::ROOFTOP_FFT_PRECISION::HWY_NAMESPACE {

using Job = internal::Job<Real>;
using ColumnRange = internal::ColumnRange<Real>;

inline constexpr Index cache_line = 64 / sizeof(Real);  ///< in real numbers
inline constexpr Index rows_ahead = 4;                  ///< that are fetched while a tile is filled

/// Fetches a cache line into the L2 cache: more are under way at once than the L1 cache can wait for.
HWY_INLINE void fetch(const Real* line) {
  constexpr int reading = 0, into_l2 = 2;
  __builtin_prefetch(line, reading, into_l2);
}

/// One row of columns into a tile, whose row is filled up to whole vectors with zeros. Of a row to come the same values
/// are fetched: the hardware follows a row, and waits anew for the next.
HWY_INLINE void load_row(const Real* HWY_RESTRICT from, Index reals, const Real* coming, Real* HWY_RESTRICT to) {
  const Tag d;
  Index i = 0;
  for (; i + cache_line <= reals; i += cache_line) {
    fetch(coming + i);
    HWY_UNROLL(8)
    for (Index j = 0; j < cache_line; j += lanes) hn::Store(hn::LoadU(d, from + i + j), d, to + i + j);
  }
  for (; i + lanes <= reals; i += lanes) hn::Store(hn::LoadU(d, from + i), d, to + i);
  for (; i < reals; ++i) to[i] = from[i];
  for (; i % (2 * lanes) != 0; ++i) to[i] = 0;
}

/// The same into rows of several tiles, multiplied for each by factors of columns (each twice, for its real and
/// imaginary part) and of the row.
template <int kResults>
HWY_INLINE void load_row_times(const Real* HWY_RESTRICT from, Index reals, const Real* coming,
                               const Real* const (&factors)[kResults], const Real (&row_factor)[kResults],
                               Real* const (&to)[kResults]) {
  const Tag d;
  Index i = 0;
  const auto one = [&](Index at) HWY_ATTR {
    const Vector values = hn::LoadU(d, from + at);
    HWY_UNROLL(2)
    for (int k = 0; k < kResults; ++k) {
      const Vector times = hn::Mul(hn::Load(d, factors[k] + at), hn::Set(d, row_factor[k]));
      hn::Store(hn::Mul(values, times), d, to[k] + at);
    }
  };
  for (; i + cache_line <= reals; i += cache_line) {
    fetch(coming + i);
    HWY_UNROLL(8)
    for (Index j = 0; j < cache_line; j += lanes) one(i + j);
  }
  for (; i + lanes <= reals; i += lanes) one(i);
  for (int k = 0; k < kResults; ++k) {
    Index j = i;
    for (; j < reals; ++j) to[k][j] = from[j] * (factors[k][j] * row_factor[k]);
    for (; j % (2 * lanes) != 0; ++j) to[k][j] = 0;
  }
}

template <bool kStream>
HWY_INLINE void store_row(const Real* HWY_RESTRICT from, Index reals, Real* HWY_RESTRICT to) {
  const Tag d;
  Index i = 0;
  for (; i + lanes <= reals; i += lanes) {
    if constexpr (kStream) {
      hn::Stream(hn::Load(d, from + i), d, to + i);
    } else {
      hn::StoreU(hn::Load(d, from + i), d, to + i);
    }
  }
  for (; i < reals; ++i) to[i] = from[i];
}

/// `count` values of a line times its chirp into a tile's row, which is filled up with zeros to whole vectors of `all`.
template <bool kExchanged>
HWY_INLINE void load_row_chirped(const Real* HWY_RESTRICT from, const Real* HWY_RESTRICT chirp, Index count, Index all,
                                 Real* HWY_RESTRICT to) {
  Index i = 0;
  for (; i + lanes <= count; i += lanes) {
    const Value c = Columns<false>{const_cast<Real*>(chirp) + 2 * i, 0}.load(0);
    const Value v = Columns<kExchanged>{const_cast<Real*>(from) + 2 * i, 0}.load(0);
    Columns<false>{to + 2 * i, 0}.store(0, product(v, c.re, c.im));
  }
  for (; i < count; ++i) {
    const Real re = from[2 * i + (kExchanged ? 1 : 0)], im = from[2 * i + (kExchanged ? 0 : 1)];
    to[2 * i] = re * chirp[2 * i] - im * chirp[2 * i + 1];
    to[2 * i + 1] = re * chirp[2 * i + 1] + im * chirp[2 * i];
  }
  for (; i < all || i % lanes != 0; ++i) to[2 * i] = to[2 * i + 1] = 0;
}

/// `count` values of a tile's row, whose parts are exchanged, times the chirp and a scale to where the line lies.
template <bool kExchanged>
HWY_INLINE void store_row_chirped(const Real* HWY_RESTRICT from, const Real* HWY_RESTRICT chirp, Real scale,
                                  Index count, Real* HWY_RESTRICT to) {
  const Vector times = hn::Set(Tag(), scale);
  Index i = 0;
  for (; i + lanes <= count; i += lanes) {
    const Value c = Columns<false>{const_cast<Real*>(chirp) + 2 * i, 0}.load(0);
    const Value v = Columns<true>{const_cast<Real*>(from) + 2 * i, 0}.load(0);
    Columns<kExchanged>{to + 2 * i, 0}.store(0, product(v, hn::Mul(c.re, times), hn::Mul(c.im, times)));
  }
  for (; i < count; ++i) {
    const Real c_re = chirp[2 * i] * scale, c_im = chirp[2 * i + 1] * scale;
    const Real re = from[2 * i + 1] * c_re - from[2 * i] * c_im, im = from[2 * i + 1] * c_im + from[2 * i] * c_re;
    to[2 * i + (kExchanged ? 1 : 0)] = re;
    to[2 * i + (kExchanged ? 0 : 1)] = im;
  }
}

/// What a thread has of the scratch.
struct Scratch {
  Real *block, *buffer, *factors;

  Scratch(const Job& job, Real* scratch, int thread)
      : block(scratch + thread * job.thread_reals()),
        buffer(block + job.block_reals),
        factors(buffer + job.buffer_reals) {}
};

/// Neighbouring columns of a range in scratch, once for each of their results: a row holds the values in one plane.
template <int kResults>
struct Tile {
  Real* rows[kResults];
  Index column = 0, count = 0;
};

/// The tiles of one thread's columns, and how they go in and out row by row.
template <bool kStream, int kResults>
class Tiles {
 public:
  HWY_INLINE Tiles(const Job& job, const ColumnRange& range, const Scratch& scratch)
      : job_(job),
        range_(range),
        results_{&range.result, &range.second},
        scratch_(scratch),
        columns_(kResults == 1 ? job.tile_columns : job.pair_columns) {}

  [[nodiscard]] Index stride() const { return 2 * columns_ + row_gap<Real>; }
  [[nodiscard]] Index count() const { return (range_.last - range_.first + columns_ - 1) / columns_; }

  /// An empty tile; there is place for two.
  [[nodiscard]] HWY_INLINE Tile<kResults> place(int i) const {
    Tile<kResults> tile;
    for (int k = 0; k < kResults; ++k) tile.rows[k] = scratch_.block + (i * kResults + k) * job_.tile_reals(columns_);
    return tile;
  }

  /// Gives a tile its next columns, whose rows are then to be filled.
  HWY_INLINE void begin(Tile<kResults>& tile, Index number) const {
    tile.column = number * columns_;
    tile.count = std::min(columns_, range_.last - range_.first - tile.column);
    for (int k = 0; k < kResults; ++k) {
      const Factors* const factors = results_[k]->factors;
      if (factors == nullptr) continue;
      for (Index i = 0; i < tile.count; ++i) {
        const Index c = range_.first + tile.column + i;
        const double both = factors->x[c % job_.nx] * factors->y[c / job_.nx];
        factors_of(k)[2 * i] = factors_of(k)[2 * i + 1] = static_cast<Real>(both);
      }
    }
  }

  HWY_INLINE void fill_row(const Tile<kResults>& tile, Index z) const {
    if (range_.chirp_in.values != nullptr) return fill_chirped(tile, z);
    const Real* const from = range_.from[z] + 2 * tile.column;
    const Real* const coming = range_.from[std::min(z + rows_ahead, job_.nz - 1)] + 2 * tile.column;
    Real* to[kResults];
    for (int k = 0; k < kResults; ++k) to[k] = tile.rows[k] + stride() * z;
    if (range_.result.factors == nullptr) return load_row(from, 2 * tile.count, coming, to[0]);
    const Real* factors[kResults];
    Real row_factor[kResults];
    for (int k = 0; k < kResults; ++k) {
      factors[k] = factors_of(k);
      row_factor[k] = static_cast<Real>(results_[k]->factors->z[z]);
    }
    load_row_times(from, 2 * tile.count, coming, factors, row_factor, to);
  }

  HWY_INLINE void write_row(const Tile<kResults>& tile, Index z) const {
    if (range_.chirp_out.values != nullptr) return write_chirped(tile, z);
    for (int k = 0; k < kResults; ++k) {
      store_row<kStream>(tile.rows[k] + stride() * z, 2 * tile.count, results_[k]->to[z] + 2 * tile.column);
    }
  }

 private:
  /// Of a tile's row, those that the line has.
  [[nodiscard]] Index chirped(const internal::ColumnChirp<Real>& chirp, const Tile<kResults>& tile, Index first) const {
    return std::clamp<Index>(chirp.count - first, 0, tile.count);
  }

  HWY_NOINLINE void fill_chirped(const Tile<kResults>& tile, Index z) const {
    const internal::ColumnChirp<Real>& chirp = range_.chirp_in;
    const Index first = z * job_.nx + tile.column, count = chirped(chirp, tile, first);
    const Real *const from = range_.from[z] + 2 * tile.column, *const values =
                                                                   chirp.values + (count == 0 ? 0 : 2 * first);
    fetch_row(from, count);
    fetch_row(values, count);
    Real* const to = tile.rows[0] + stride() * z;
    if (chirp.exchanged) return load_row_chirped<true>(from, values, count, tile.count, to);
    load_row_chirped<false>(from, values, count, tile.count, to);
  }

  HWY_NOINLINE void write_chirped(const Tile<kResults>& tile, Index z) const {
    const internal::ColumnChirp<Real>& chirp = range_.chirp_out;
    const Index first = z * job_.nx + tile.column, count = chirped(chirp, tile, first);
    if (count == 0) return;
    const Real *const from = tile.rows[0] + stride() * z, *const values = chirp.values + 2 * first;
    Real* const to = range_.result.to[z] + 2 * tile.column;
    fetch_row(values, count);
    if (chirp.exchanged) return store_row_chirped<true>(from, values, chirp.scale, count, to);
    store_row_chirped<false>(from, values, chirp.scale, count, to);
  }

  /// Fetches what lies in the same columns some rows ahead, or behind all of them, where it does no harm.
  HWY_INLINE void fetch_row(const Real* row, Index values) const {
    const auto ahead =
        reinterpret_cast<std::uintptr_t>(row) + sizeof(Real) * static_cast<std::uintptr_t>(2 * job_.nx * rows_ahead);
    for (Index i = 0; i < 2 * values; i += cache_line) {
      fetch(reinterpret_cast<const Real*>(ahead + sizeof(Real) * static_cast<std::uintptr_t>(i)));
    }
  }

  [[nodiscard]] Real* factors_of(int result) const { return scratch_.factors + 2 * columns_ * result; }

  const Job& job_;
  const ColumnRange& range_;
  const internal::ColumnResult<Real>* results_[2];
  const Scratch& scratch_;
  Index columns_;
};

/// Rows of the tile before that are written, and then filled with what comes next, while `lanes` columns are
/// transformed.
template <bool kStream, int kResults>
class RowsMeanwhile {
 public:
  /// Rows from `first` to before `end`, where there is a tile before and one to come; `turns` times there is time for
  /// some of them.
  HWY_INLINE RowsMeanwhile(const Tiles<kStream, kResults>& tiles, const Tile<kResults>* before,
                           const Tile<kResults>* coming, Index first, Index end, Index turns)
      : tiles_(tiles), before_(before), coming_(coming), first_(first), next_(first), end_(end), turns_(turns) {}

  HWY_INLINE void finish() { go_on(end_); }

  static void turn(void* rows) {
    auto& own = *static_cast<RowsMeanwhile*>(rows);
    // A few rows at a time, so that memory is seldom left alone, nor what is transformed pushed out of its registers.
    if (++own.turn_ % 4 == 0) own.go_on(own.first_ + share(own.end_ - own.first_, own.turn_, own.turns_));
  }

 private:
  HWY_INLINE void go_on(Index until) {
    for (; next_ < until; ++next_) {
      if (before_ != nullptr) tiles_.write_row(*before_, next_);
      if (coming_ != nullptr) tiles_.fill_row(*coming_, next_);
    }
  }

  const Tiles<kStream, kResults>& tiles_;
  const Tile<kResults>*before_, *coming_;
  Index first_, next_, end_, turn_ = 0, turns_;
};

}  // namespace rooftop::fft::internal::ROOFTOP_FFT_PRECISION::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
