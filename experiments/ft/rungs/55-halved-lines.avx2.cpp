/// Long lines halved between two threads, which exchange the halves in the first butterfly.
/// Changed from 50-threads: from 128 points on, each thread of a pair loads one half of a batch's lines, adds or
/// subtracts the other's, and transforms what becomes the even or the odd modes. Shorter lines are as they were.
/// Limit attacked: eight such lines, their scratch and their roots overflow an L1 cache of 32 KiB; a half's three
/// buffers are three quarters of that. Evidence: fewer misses of the L1 cache and shorter times, if it is what limits
/// long lines; longer ones, if fetching the other's half and waiting for it cost more than the L2 cache does.
/// Source: the SW26010 case, whose lines of 2048 points are halved between two workers with 64 KB each.
#include <omp.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <rooftop/aligned.hpp>
#include <rooftop/rung.hpp>
#include <thread>
#include <vector>

#include "batches.hpp"
#include "step_by_step.hpp"

namespace {

using ft::BatchRow;
using ft::Complex;
using ft::Index;

constexpr Index store_bytes = 32 * 1024;

/// Whether eight lines of n points, their scratch and their roots are more than the store holds.
constexpr bool halved(Index n) {
  constexpr Index point_bytes = 2 * sizeof(BatchRow) + sizeof(Complex);
  return n % 2 == 0 && n * point_bytes > store_bytes;
}

/// Two threads that work on the same batches, and their buffers.
class Pair {
 public:
  std::array<BatchRow*, 2> rows{};

  /// Returns when both sides have come here equally often: what the other one wrote before can then be read.
  void meet(int side) {
    std::atomic<Index>& own = met_[static_cast<std::size_t>(side)].times;
    const std::atomic<Index>& other = met_[static_cast<std::size_t>(1 - side)].times;
    const Index times = own.load(std::memory_order_relaxed) + 1;
    own.store(times, std::memory_order_release);
    for (int spins = 0; other.load(std::memory_order_acquire) < times; ++spins) {
      // Where there are more threads than cores, the other one may be waiting for this one's.
      if (spins < most_spins) {
        __builtin_ia32_pause();
      } else {
        std::this_thread::yield();
      }
    }
  }

 private:
  static constexpr int most_spins = 2000;  // some tens of microseconds
  struct alignas(64) Met {
    std::atomic<Index> times{0};
  };
  std::array<Met, 2> met_;
};

/// Side 0: x[j] + x[j + n/2], whose transform is the even modes; side 1: (x[j] - x[j + n/2]) w^j, the odd ones.
void first_butterfly(int side, const std::vector<Complex>& roots, const BatchRow* low, const BatchRow* high,
                     BatchRow* result, Index count) {
  for (Index j = 0; j < count; ++j) {
    const Complex root = roots[static_cast<std::size_t>(j)];
    for (Index l = 0; l < ft::batch_lines; l += 4) {
      const ft::Split<ft::Lanes> a{ft::load_four(low[j].re + l), ft::load_four(low[j].im + l)};
      const ft::Split<ft::Lanes> b{ft::load_four(high[j].re + l), ft::load_four(high[j].im + l)};
      const ft::Split<ft::Lanes> value = side == 0 ? a + b : product(a - b, root.re, root.im);
      ft::store_four(result[j].re + l, value.re);
      ft::store_four(result[j].im + l, value.im);
    }
  }
}

/// One side's part in batches [begin, end). It has three buffers of half a line: halves are loaded into two in turn, so
/// that one meeting a batch is enough. Who has come to it no longer reads the half before, which then is scratch.
void transform_halves(const ft::Passes& passes, const std::vector<Complex>& roots, Pair& pair, int side, int sign,
                      const ft::Lines& lines, const Complex* from, Complex* to, Index begin, Index end) {
  const Index half = lines.n / 2;
  BatchRow* const rows = pair.rows[static_cast<std::size_t>(side)];
  for (Index number = begin; number < end; ++number) {
    const ft::Batch batch = ft::batch_at(lines, number);
    const Index turn = (number - begin) % 2;
    for (Index j = 0; j < half; ++j) {
      const Complex* const value = from + batch.start + (side * half + j) * lines.stride;
      ft::load_row(lines, batch, sign, j, value, rows[turn * half + j], ft::AsTheyAre{});
    }
    pair.meet(side);
    first_butterfly(side, roots, pair.rows[0] + turn * half, pair.rows[1] + turn * half, rows + 2 * half, half);
    const BatchRow* const results = ft::transform_batch(passes, rows + 2 * half, rows + (1 - turn) * half);
    for (Index k = 0; k < half; ++k) {
      ft::store_row(lines, batch, sign, results[k], to + batch.start + (2 * k + side) * lines.stride);
    }
  }
}

class HalvedLines : public ft::StepByStep {
 public:
  explicit HalvedLines(const ft::Problem& problem) : StepByStep(problem, problem.threads) {}

 private:
  void along(int sign, const ft::Lines& lines, const Complex* from, Complex* to) override {
    const Index n = lines.n, count = ft::batches(lines);
    const ft::Passes whole(n), half(halved(n) ? n / 2 : 1);
    const std::vector<Complex> roots = ft::roots_of_unity(n, 1);
    const auto threads = static_cast<std::size_t>(problem().threads);
    rooftop::AlignedArray<BatchRow> buffers(threads * static_cast<std::size_t>(2 * n));
    std::vector<Pair> pairs(threads / 2);
    for (std::size_t i = 0; i < 2 * pairs.size(); ++i) {
      pairs[i / 2].rows[i % 2] = buffers.data() + static_cast<Index>(i) * 2 * n;
    }
#pragma omp parallel num_threads(problem().threads)
    {
      const Index team = omp_get_num_threads(), me = omp_get_thread_num();
      // The last of an odd number of threads has no other, and takes whole lines.
      const bool paired = halved(n) && (me | 1) < team;
      const Index first = paired ? me & ~Index{1} : me, beyond = paired ? first + 2 : first + 1;
      const Index begin = count * first / team, end = count * beyond / team;
      if (paired) {
        Pair& pair = pairs[static_cast<std::size_t>(me / 2)];
        transform_halves(half, roots, pair, static_cast<int>(me % 2), sign, lines, from, to, begin, end);
      } else {
        ft::transform_lines(whole, sign, lines, from, to, buffers.data() + me * 2 * n, begin, end);
      }
    }
  }

  [[nodiscard]] ft::Operations transform_operations() const override {
    ft::Operations sum;
    for (const Index n : {problem().nx, problem().ny, problem().nz}) {
      ft::Operations line = ft::Passes(n).operations();
      if (halved(n) && problem().threads > 1) {
        const ft::Operations half = ft::Passes(n / 2).operations(), butterfly = ft::butterfly_operations(2);
        const double butterflies = static_cast<double>(n) / 2;
        line = {butterflies * butterfly.lone + 2 * half.lone, butterflies * butterfly.fused + 2 * half.fused};
      }
      const double lines = static_cast<double>(problem().size()) / static_cast<double>(n);
      sum = {sum.lone + lines * line.lone, sum.fused + lines * line.fused};
    }
    return sum;
  }
};

}  // namespace

ROOFTOP_RUNG(ft::Problem, HalvedLines);
