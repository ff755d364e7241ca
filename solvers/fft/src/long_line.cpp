#include "long_line.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "chirp.hpp"
#include "roots.hpp"
#include "wide_line.hpp"

namespace rooftop::fft::internal {
namespace {

constexpr Index fewest_rows = 16;
/// Of shorter lines a vector's worth fits the L2 cache, in 1 MiB; those that are convolved take two buffers of twice
/// the length.
constexpr Index longest_whole = 8192, longest_convolved_whole = 4096;
/// Shorter ones are as fast in one lane of a vector.
constexpr Index shortest_cut = 256, shortest_convolved = 128;
/// Lines that fill vectors by themselves stay in the caches with their roots up to this length.
constexpr Index longest_wide = 8192;

/// Instructions for each value of a line of n.
double cost_of(Index n) {
  const Operations one = transform_operations(transformable(n) ? n : convolution_length(n));
  return (transformable(n) ? 1 : 2) * (one.lone + one.fused / 2) / static_cast<double>(n);
}

/// Whether a vector's worth of lines fits the caches.
bool stays_whole(Index n) { return n <= (transformable(n) ? longest_whole : longest_convolved_whole); }

/// Whether a line is cut into such lengths rather than convolved as a whole.
bool is_part(Index n) { return transformable(n) || stays_whole(n); }

constexpr int lists = 2;  ///< of rows, for each thread

template <class Real>
Index list_reals(Index rows) {
  constexpr Index line = 64 / sizeof(Real), pointer_reals = (sizeof(Real*) + sizeof(Real) - 1) / sizeof(Real);
  return (rows * pointer_reals + line - 1) / line * line;
}

/// The turns of a grid of one line, whose rows are in lanes as value_in_lane() has them.
template <class Real>
GridTurns<Real> turns_of(const Job<Real>& grid, Index lanes) {
  std::vector<std::vector<Index>> groups;
  for (Index first = 0; first < grid.nz; first += lanes) {
    std::vector<Index>& rows = groups.emplace_back();
    for (Index lane = 0; lane < lanes; ++lane) rows.push_back(first + value_in_lane(lane, lanes));
  }
  return make_grid_turns<Real>(grid.nx, grid.nz, RootTable(grid.nx * grid.nz), groups);
}

}  // namespace

template <class Real>
Index rows_of_long_line(Index n, Index lines) {
  if (n < shortest_cut || (lines > most_lanes<Real> / 4 && stays_whole(n))) return 0;
  Index best = 0;
  double least = 0;
  for (Index rows = fewest_rows; rows <= n / fewest_rows; ++rows) {
    if (n % rows != 0 || !is_part(rows) || !is_part(n / rows)) continue;
    const auto ratio = static_cast<double>(rows) / static_cast<double>(n / rows);
    // Rows and columns alike in length both fit a cache; rows that fill whole vectors are written without a copy.
    const double cost = (cost_of(rows) + cost_of(n / rows)) * (1 + 0.05 * std::abs(std::log2(ratio))) *
                        (rows % most_lanes<Real> == 0 ? 1 : 1.1);
    if (best == 0 || cost < least) best = rows, least = cost;
  }
  return best;
}

template <class Real>
bool is_long(Index n, Index lines, bool along_x) {
  if (along_x && n <= longest_wide && fills_vectors(n, lines, kernels_for<Real>(n, lines).lanes)) return false;
  if (rows_of_long_line<Real>(n, lines) != 0) return true;
  return !transformable(n) && n >= shortest_convolved && (lines <= most_lanes<Real> / 4 || !stays_whole(n));
}

template <class Real>
LongLine<Real>::LongLine(Index n, const Options& options, int threads)
    : n_(n), threads_(threads), kernels_(&internal::kernels<Real>()) {
  Options both = options;
  both.axes = 3;
  if (const Index rows = rows_of_long_line<Real>(n, 1); rows != 0) {
    grid_ = make_job<Real>({n / rows, 1, rows}, both);
    turns_ = turns_of(grid_, kernels_->lanes);
  } else {
    chirp_ = make_grid_chirp<Real>(n, kernels_->lanes, threads);
    grid_ = make_job<Real>({chirp_->nx, 1, chirp_->nz}, both);
  }
}

template <class Real>
Index LongLine<Real>::scratch_reals() const {
  return grid_.team_reals(threads_) + threads_ * lists * list_reals<Real>(grid_.nz) + 2 * grid_.nx * grid_.nz;
}

template <class Real>
Operations LongLine<Real>::operations() const {
  const auto values = static_cast<double>(grid_.nx * grid_.nz), own = static_cast<double>(n_);
  const Operations x = grid_.x.operations(), z = grid_.z.operations();
  const auto nx = static_cast<double>(grid_.nx), nz = static_cast<double>(grid_.nz);
  const Operations once{nz * x.lone + nx * z.lone, nz * x.fused + nx * z.fused};
  if (!chirp_) return {once.lone + 2 * 2 * values, once.fused + 2 * 4 * values};  // a turn, which is a product of two
  // Two turns, each the product of two, the spectrum, and the chirp twice.
  const double products = 5 * values + 2 * own;
  return {2 * (once.lone + products), 2 * once.fused + 4 * products};
}

template <class Real>
Real** LongLine<Real>::list_rows(Real* array, Index values, Real* memory, int thread, int list) const {
  Real* const all = memory + grid_.team_reals(threads_) + (thread * lists + list) * list_reals<Real>(grid_.nz);
  auto** const rows = reinterpret_cast<Real**>(all);
  for (Index z = 0; z < grid_.nz; ++z) rows[z] = array + (z * grid_.nx < values ? 2 * grid_.nx * z : 0);
  return rows;
}

template <class Real>
void LongLine<Real>::run(bool back, Real* from, Real* to, Real* memory, int thread, int team) const {
  if (chirp_) return run_convolved(back, from, to, memory, thread, team);
  run_cut(back, from, to, memory, thread, team);
}

/// In two sweeps: along z of the grid into memory that the threads share, and on by rows.
template <class Real>
void LongLine<Real>::run_cut(bool back, Real* from, Real* to, Real* memory, int thread, int team) const {
  Real* const between = memory + scratch_reals() - 2 * n_;
  if (n_ * static_cast<Index>(2 * sizeof(Real)) <= most_straight_bytes) {
    kernels_->straight_columns(grid_, back, from, between, memory, thread, team);
  } else {
    Real* const* const in = list_rows(from, n_, memory, thread, 0);
    Real* const* const out = list_rows(between, n_, memory, thread, 1);
    kernels_->columns(grid_, back, {0, grid_.nx, in, {out, nullptr}}, memory, thread, team);
  }
#pragma omp barrier
  kernels_->rows_to_columns(grid_, back, turns_, between, to, memory, thread, team);
#pragma omp barrier
}

/// In three sweeps. Each thread takes in the last one the columns that it takes in the next line's first one.
template <class Real>
void LongLine<Real>::run_convolved(bool back, Real* from, Real* to, Real* memory, int thread, int team) const {
  const Index values = grid_.nx * grid_.nz;
  Real* const between = memory + scratch_reals() - 2 * values;
  Real* const* const whole = list_rows(between, values, memory, thread, 1);
  ColumnRange<Real> into{0, grid_.nx, list_rows(from, n_, memory, thread, 0), {whole, nullptr}};
  into.chirp_in = {chirp_->chirp.data(), n_, back, 1};
  kernels_->columns(grid_, false, into, memory, thread, team);
#pragma omp barrier
  kernels_->convolve_rows(grid_, *chirp_, between, memory, thread, team);
#pragma omp barrier
  ColumnRange<Real> out_of{0, grid_.nx, whole, {list_rows(to, n_, memory, thread, 0), nullptr}};
  out_of.chirp_out = {chirp_->chirp.data(), n_, back, back ? grid_.backward_scale : grid_.forward_scale};
  kernels_->columns(grid_, false, out_of, memory, thread, team);
}

template Index rows_of_long_line<double>(Index, Index);
template Index rows_of_long_line<float>(Index, Index);
template bool is_long<double>(Index, Index, bool);
template bool is_long<float>(Index, Index, bool);
template class LongLine<double>;
template class LongLine<float>;

}  // namespace rooftop::fft::internal
