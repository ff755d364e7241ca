#include "grid_chirp.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>

#include "kernels.hpp"
#include "roots.hpp"
#include "smooth_lengths.hpp"

namespace rooftop::fft::internal {
namespace {

using Long = std::complex<long double>;

/// Fewer do not fill vectors, and of more a buffer for several rows leaves the L2 cache.
constexpr Index fewest = 8, most = 8192;

/// Instructions for each value.
double cost_of(Index n) {
  const Operations one = transform_operations(n);
  return (one.lone + one.fused / 2) / static_cast<double>(n);
}

/// Doubles on a boundary of 64 bytes.
class Doubles {
 public:
  explicit Doubles(Index count) : lines_(static_cast<std::size_t>((count + 7) / 8)) {}
  [[nodiscard]] double* data() { return lines_.data()->values; }

 private:
  std::vector<CacheLine<double>> lines_;
};

/// A chirp's conjugate in a grid, divided by the grid's number of values, and how it is transformed: in doubles
/// whatever precision the line has, so that in floats its errors are not seen.
class ChirpInGrid {
 public:
  ChirpInGrid(Index n, const GridLengths& lengths, int threads)
      : n_(n),
        values_(lengths.nx * lengths.nz),
        job_(make_job<double>({lengths.nx, 1, lengths.nz})),
        grid_(2 * values_),
        scratch_(job_.team_reals(threads)) {
    for (Index z = 0; z < job_.nz; ++z) rows_.push_back(grid_.data() + 2 * job_.nx * z);
  }

  /// Each is called by all threads of a team, which meet before the next. `chirp` takes the line's n values.
  template <class Real>
  void fill(const RootTable& roots, std::vector<Real>& chirp, int thread, int team) {
    const auto length = static_cast<long double>(values_);
    const Index first = share(n_, thread, team), end = share(n_, thread + 1, team);
    // j^2 modulo 2 n; the next square is 2 j + 1 further.
    Index square = first * first % (2 * n_);
    for (Index j = first; j < end; ++j) {
      const Long value = roots(square);
      chirp[static_cast<std::size_t>(2 * j)] = static_cast<Real>(value.real());
      chirp[static_cast<std::size_t>(2 * j + 1)] = static_cast<Real>(value.imag());
      for (const Index place : {j, (values_ - j) % values_}) {
        grid_.data()[2 * place] = static_cast<double>(value.real() / length);
        grid_.data()[2 * place + 1] = static_cast<double>(-value.imag() / length);
      }
      square += 2 * j + 1;
      if (square >= 2 * n_) square -= 2 * n_;
    }
  }

  void transform_columns(int thread, int team) {
    kernels_.columns(job_, false, {0, job_.nx, rows_.data(), {rows_.data(), nullptr}}, scratch_.data(), thread, team);
  }

  void turn_rows(const RootTable& turns, int thread, int team) {
    for (Index z = share(job_.nz, thread, team); z < share(job_.nz, thread + 1, team); ++z) {
      double* value = row(z);
      for (Index x = 0; x < job_.nx; ++x, value += 2) {
        const Long turn = turns(x * z);
        const auto re = static_cast<double>(turn.real()), im = static_cast<double>(turn.imag());
        const double turned = value[0] * re - value[1] * im;
        value[1] = value[0] * im + value[1] * re;
        value[0] = turned;
      }
    }
  }

  void transform_rows(int thread, int team) {
    kernels_.planes(job_, false, {0, job_.nz, grid_.data(), grid_.data()}, scratch_.data(), thread, team);
  }

  [[nodiscard]] double* row(Index z) { return rows_[static_cast<std::size_t>(z)]; }

 private:
  Index n_, values_;
  Job<double> job_;
  const Kernels<double>& kernels_ = kernels<double>();
  Doubles grid_, scratch_;
  std::vector<double*> rows_;
};

}  // namespace

GridLengths convolution_grid(Index n) {
  const std::vector<Index> lengths = smooth_lengths(fewest, most);
  std::vector<double> costs;
  for (const Index length : lengths) costs.push_back(cost_of(length));
  GridLengths best{0, 0};
  double least = 0;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    const Index nx = lengths[i];
    // A few lengths from the shortest that holds all: the next one may be far cheaper.
    auto at = std::lower_bound(lengths.begin(), lengths.end(), (2 * n - 1 + nx - 1) / nx);
    for (int tried = 0; at != lengths.end() && tried < 8; ++at, ++tried) {
      const Index nz = *at;
      const double ratio = std::abs(std::log2(static_cast<double>(nx) / static_cast<double>(nz)));
      // Rows and columns alike in length both fit a cache; rows and columns that fill whole vectors leave none half
      // full.
      const double whole = (nx % most_lanes<float> == 0 ? 1 : 1.05) * (nz % most_lanes<float> == 0 ? 1 : 1.05);
      const double cost = static_cast<double>(nx * nz) *
                          (costs[i] + costs[static_cast<std::size_t>(at - lengths.begin())]) * (1 + 0.05 * ratio) *
                          whole;
      if (best.nx == 0 || cost < least) best = {nx, nz}, least = cost;
    }
  }
  return best;
}

template <class Real>
GridChirp<Real> make_grid_chirp(Index n, int lanes, int threads) {
  const GridLengths lengths = convolution_grid(n);
  const Index nx = lengths.nx, nz = lengths.nz, groups = (nz + lanes - 1) / lanes, row_reals = 2 * lanes;
  GridChirp<Real> made{n, nx, nz, {}, {}, {}};
  made.chirp.resize(static_cast<std::size_t>(2 * n));
  made.spectrum.resize(static_cast<std::size_t>(groups * nx * row_reals));
  // Rows that fill the last group hold the last one again.
  std::vector<std::vector<Index>> rows(static_cast<std::size_t>(groups));
  for (Index z = 0; z < groups * lanes; ++z) rows[static_cast<std::size_t>(z / lanes)].push_back(std::min(z, nz - 1));

  ChirpInGrid grid(n, lengths, threads);
  const RootTable roots(2 * n), turns(nx * nz);
#pragma omp parallel num_threads(threads)
  {
    const int thread = omp_get_thread_num(), team = omp_get_num_threads();
    grid.fill(roots, made.chirp, thread, team);
#pragma omp barrier
    grid.transform_columns(thread, team);
#pragma omp barrier
    grid.turn_rows(turns, thread, team);
#pragma omp barrier
    grid.transform_rows(thread, team);
#pragma omp barrier
    for (Index group = share(groups, thread, team); group < share(groups, thread + 1, team); ++group) {
      Real* to = made.spectrum.data() + group * nx * row_reals;
      for (Index x = 0; x < nx; ++x) {
        for (const Index part : {0, 1}) {
          for (const Index z : rows[static_cast<std::size_t>(group)]) {
            *to++ = static_cast<Real>(grid.row(z)[2 * x + part]);
          }
        }
      }
    }
  }
  made.turns = make_grid_turns<Real>(nx, nz, turns, rows);
  return made;
}

template GridChirp<float> make_grid_chirp(Index, int, int);
template GridChirp<double> make_grid_chirp(Index, int, int);

}  // namespace rooftop::fft::internal
