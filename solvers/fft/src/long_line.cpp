#include "long_line.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "chirp.hpp"
#include "roots.hpp"
#include "wide_line.hpp"

namespace rooftop::fft::internal {
namespace {

constexpr Index fewest_rows = 3;
/// Of shorter lines a vector's worth fits the L2 cache, in 1 MiB; those that are convolved take two buffers of twice
/// the length.
constexpr Index longest_whole = 8192, longest_convolved_whole = 4096;
/// Shorter ones are as fast in one lane of a vector.
constexpr Index shortest_cut = 16, shortest_convolved = 37;
/// Lines that fill vectors by themselves stay in the caches with their roots up to this length.
constexpr Index longest_wide = 8192;

/// Instructions for `lines` lines of n values, so many at a time, with those that bring values in and out.
double cost_of(Index n, Index lines, Index lanes) {
  constexpr double carrying = 16;
  const Operations one = transform_operations(transformable(n) ? n : convolution_length(n));
  const double each = (transformable(n) ? 1 : 2) * (one.lone + one.fused / 2) + carrying * static_cast<double>(n);
  return each * static_cast<double>((lines + lanes - 1) / lanes);
}

/// The same for a line alone that is cut into rows.
double cost_of_cut(Index rows, Index columns, Index lanes) {
  const auto ratio = static_cast<double>(rows) / static_cast<double>(columns);
  // Rows and columns alike in length both fit a cache.
  return (cost_of(rows, columns, lanes) + cost_of(columns, rows, lanes)) * (1 + 0.05 * std::abs(std::log2(ratio)));
}

/// The same for one that is convolved as a whole.
double cost_of_convolution(Index n, Index lanes) {
  const GridLengths grid = convolution_grid(n);
  return 2 * cost_of_cut(grid.nz, grid.nx, lanes);
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
std::vector<Index> cuts_of_long_line(Index n) {
  const Index lanes = kernels<Real>().lanes;
  std::vector<std::pair<double, Index>> found;
  for (Index rows = fewest_rows; rows <= n / fewest_rows; ++rows) {
    const Index columns = n / rows;
    if (n % rows == 0 && is_part(rows) && is_part(columns)) {
      found.emplace_back(cost_of_cut(rows, columns, lanes), rows);
    }
  }
  std::sort(found.begin(), found.end());
  std::vector<Index> cuts;
  cuts.reserve(found.size());
  for (const auto& [cost, rows] : found) cuts.push_back(rows);
  return cuts;
}

template <class Real>
Index rows_of_long_line(Index n, Index lines) {
  if (n < shortest_cut || (lines > most_lanes<Real> / 4 && stays_whole(n))) return 0;
  const std::vector<Index> cuts = cuts_of_long_line<Real>(n);
  if (cuts.empty()) return 0;
  const Index best = cuts.front(), lanes = kernels<Real>().lanes;
  if (transformable(n) || n < shortest_convolved) return best;
  return cost_of_cut(best, n / best, lanes) <= cost_of_convolution(n, lanes) ? best : 0;
}

template <class Real>
bool is_long(Index n, Index lines, bool along_x) {
  if (along_x && n <= longest_wide && fills_vectors(n, lines, kernels_for<Real>(n, lines).lanes)) return false;
  if (rows_of_long_line<Real>(n, lines) != 0) return true;
  return !transformable(n) && n >= shortest_convolved && (lines <= most_lanes<Real> / 4 || !stays_whole(n));
}

template <class Real>
LongLine<Real>::LongLine(Index n, const Ways& ways, int threads)
    : n_(n), threads_(threads), kernels_(&internal::kernels<Real>()) {
  Ways both = ways;
  both.axes = 3;
  if (rows_of_long_line<Real>(n, 1) != 0) {
    const std::vector<Index> cuts = cuts_of_long_line<Real>(n);
    const Index rows = cuts[std::min(static_cast<std::size_t>(ways.cut), cuts.size() - 1)];
    straight_ = n * static_cast<Index>(2 * sizeof(Real)) <= ways.straight_bytes;
    grid_ = make_job<Real>({n / rows, 1, rows}, both);
    turns_ = turns_of(grid_, kernels_->lanes);
  } else {
    chirp_ = make_grid_chirp<Real>(n, kernels_->lanes, threads);
    grid_ = make_job<Real>({chirp_->nx, 1, chirp_->nz}, both);
  }
}

template <class Real>
Index LongLine<Real>::scratch_reals() const {
  return grid_.team_reals(threads_) + threads_ * lists * list_reals<Real>(grid_.nz) + shared_row() * grid_.nz;
}

/// Rows of whole vectors are read as they were written.
template <class Real>
Index LongLine<Real>::shared_row() const {
  const Index reals = 2 * grid_.nx, vectors = 2 * kernels_->lanes;
  return straight_ ? (reals + vectors - 1) / vectors * vectors : reals;
}

template <class Real>
Real* LongLine<Real>::shared_grid(Real* memory) const {
  return memory + scratch_reals() - shared_row() * grid_.nz;
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
  Real* const between = shared_grid(memory);
  if (straight_) {
    kernels_->straight_columns(grid_, back, from, between, shared_row(), memory, thread, team);
  } else {
    Real* const* const in = list_rows(from, n_, memory, thread, 0);
    Real* const* const out = list_rows(between, n_, memory, thread, 1);
    kernels_->columns(grid_, back, {0, grid_.nx, in, {out, nullptr}}, memory, thread, team);
  }
#pragma omp barrier
  kernels_->rows_to_columns(grid_, back, turns_, between, shared_row(), to, memory, thread, team);
#pragma omp barrier
}

/// In three sweeps. Each thread takes in the last one the columns that it takes in the next line's first one.
template <class Real>
void LongLine<Real>::run_convolved(bool back, Real* from, Real* to, Real* memory, int thread, int team) const {
  const Index values = grid_.nx * grid_.nz;
  Real* const between = shared_grid(memory);
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

template std::vector<Index> cuts_of_long_line<double>(Index);
template std::vector<Index> cuts_of_long_line<float>(Index);
template Index rows_of_long_line<double>(Index, Index);
template Index rows_of_long_line<float>(Index, Index);
template bool is_long<double>(Index, Index, bool);
template bool is_long<float>(Index, Index, bool);
template class LongLine<double>;
template class LongLine<float>;

}  // namespace rooftop::fft::internal
