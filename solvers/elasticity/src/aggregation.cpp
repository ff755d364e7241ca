#include "aggregation.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "cholesky.hpp"
#include "lanczos.hpp"

namespace rooftop::elasticity {
namespace {

constexpr int smoothing_steps = 2;
constexpr int polynomial_steps = 8;            // where there is no coarser level
constexpr std::int64_t fewest_unknowns = 600;  // more are not solved for directly
constexpr float weak = 0.02F;                  // neighbours that matter so little are in no aggregate together

/// Blocks of rows that threads take: about as many for each.
template <class Each>
void for_rows(std::int64_t rows, int threads, Each each) {
#pragma omp parallel for num_threads(threads) schedule(dynamic, 256)
  for (std::int64_t row = 0; row < rows; ++row) each(row);
}

/// One level: its matrix, what smooths there, and how it gets to the next coarser one.
template <int size>
struct Stage {
  using Square = Block<float, size, size>;

  BlockMatrix<float, size, size> matrix;
  std::vector<Square> inverse;                 // of the diagonal's blocks
  float largest = 1;                           // eigenvalue of inverse times matrix
  BlockMatrix<float, size, rigid_motions> up;  // interpolation; empty on the last level
  Transposed down;
  std::vector<float> x, r, d;

  [[nodiscard]] std::int64_t rows() const { return matrix.pattern.rows(); }
  [[nodiscard]] double bytes() const {
    return matrix.bytes() + up.bytes() + static_cast<double>(inverse.size() * sizeof(Square)) +
           static_cast<double>(3 * x.size() * sizeof(float) + down.block.size() * sizeof(std::int64_t)) +
           static_cast<double>(down.pattern.column.size() * sizeof(std::int32_t));
  }
};

/// Row times vector.
template <int size>
std::array<float, static_cast<std::size_t>(size)> row_product(const BlockMatrix<float, size, size>& matrix,
                                                              std::int64_t row, const float* x) {
  std::array<float, static_cast<std::size_t>(size)> sum{};
  for (std::int64_t b = matrix.pattern.start.data()[row]; b < matrix.pattern.start.data()[row + 1]; ++b) {
    const float* a = matrix.block.data()[b].value.data();
    const float* in = x + std::int64_t{size} * matrix.pattern.column.data()[b];
    for (std::size_t r = 0; r < size; ++r) {
      for (std::size_t c = 0; c < size; ++c) sum[r] += a[r * size + c] * in[c];
    }
  }
  return sum;
}

/// z = D^-1 r of a row
template <int size>
std::array<float, static_cast<std::size_t>(size)> inverse_times(const Stage<size>& stage, std::int64_t row,
                                                                const float* r) {
  const float* a = stage.inverse.data()[row].value.data();
  std::array<float, static_cast<std::size_t>(size)> sum{};
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t c = 0; c < size; ++c) sum[i] += a[i * size + c] * r[c];
  }
  return sum;
}

/// Of D^-1 A, from values at random; uses the stage's vectors.
template <int size>
double largest_eigenvalue(Stage<size>& stage, int threads, const GoOn& go_on) {
  std::uint32_t random = 12345;
  for (float& value : stage.r) {
    random = random * 1664525U + 1013904223U;
    value = static_cast<float>(random >> 8) / (1U << 23) - 1;
  }
  // Sums over rows of each(row), in the order of rows whatever the threads.
  std::vector<double> parts(static_cast<std::size_t>(stage.rows()));
  const auto sum = [&](auto each) {
    for_rows(stage.rows(), threads, [&](std::int64_t row) { parts.data()[row] = each(row); });
    double total = 0;
    for (const double part : parts) total += part;
    return total;
  };
  Lanczos lanczos;
  for (int s = 0; s < lanczos_steps && go_on(); ++s) {
    const auto beta = static_cast<float>(lanczos.beta(sum([&](std::int64_t row) {
      const float* r = stage.r.data() + row * size;
      const auto z = inverse_times(stage, row, r);
      double part = 0;
      for (std::size_t i = 0; i < size; ++i) part += static_cast<double>(z[i]) * static_cast<double>(r[i]);
      return part;
    })));
    for_rows(stage.rows(), threads, [&](std::int64_t row) {
      const auto z = inverse_times(stage, row, stage.r.data() + row * size);
      float* d = stage.d.data() + row * size;
      for (std::size_t i = 0; i < size; ++i) d[i] = z[i] + beta * d[i];
    });
    const auto alpha = static_cast<float>(lanczos.alpha(sum([&](std::int64_t row) {
      const auto product = row_product(stage.matrix, row, stage.d.data());
      const float* d = stage.d.data() + row * size;
      double part = 0;
      for (std::size_t i = 0; i < size; ++i) {
        stage.x.data()[row * size + static_cast<std::int64_t>(i)] = product[i];
        part += static_cast<double>(product[i]) * static_cast<double>(d[i]);
      }
      return part;
    })));
    if (!(alpha > 0)) break;
    for_rows(stage.rows(), threads, [&](std::int64_t row) {
      for (std::int64_t i = row * size; i < (row + 1) * size; ++i) stage.r.data()[i] -= alpha * stage.x.data()[i];
    });
  }
  return lanczos.largest();
}

template <int size>
void set_up(Stage<size>& stage, int threads, const GoOn& go_on) {
  const std::int64_t rows = stage.rows();
  const auto count = static_cast<std::size_t>(rows * size);
  stage.x.assign(count, 0);
  stage.r.assign(count, 0);
  stage.d.assign(count, 0);
  stage.inverse.resize(static_cast<std::size_t>(rows));
  for_rows(rows, threads, [&](std::int64_t row) {
    const Pattern& pattern = stage.matrix.pattern;
    for (std::int64_t b = pattern.start.data()[row]; b < pattern.start.data()[row + 1]; ++b) {
      if (pattern.column.data()[b] != row) continue;
      Block<double, size, size> block;
      for (std::size_t v = 0; v < block.value.size(); ++v) {
        block.value[v] = static_cast<double>(stage.matrix.block.data()[b].value[v]);
      }
      block = inverse_of(block);
      for (std::size_t v = 0; v < block.value.size(); ++v) {
        stage.inverse.data()[row].value[v] = static_cast<float>(block.value[v]);
      }
    }
  });
  stage.largest = static_cast<float>(largest_eigenvalue(stage, threads, go_on));
}

/// How much each block counts, by the Frobenius norm relative to those of the two diagonal blocks.
template <int size>
std::vector<float> strengths(const BlockMatrix<float, size, size>& matrix, int threads) {
  const Pattern& pattern = matrix.pattern;
  const auto norm = [&](std::int64_t b) {
    float sum = 0;
    for (const float v : matrix.block.data()[b].value) sum += v * v;
    return std::sqrt(sum);
  };
  std::vector<float> own(static_cast<std::size_t>(pattern.rows())), result(pattern.column.size());
  for_rows(pattern.rows(), threads, [&](std::int64_t row) {
    for (std::int64_t b = pattern.start.data()[row]; b < pattern.start.data()[row + 1]; ++b) {
      if (pattern.column.data()[b] == row) own.data()[row] = norm(b);
    }
  });
  for_rows(pattern.rows(), threads, [&](std::int64_t row) {
    for (std::int64_t b = pattern.start.data()[row]; b < pattern.start.data()[row + 1]; ++b) {
      const float both = own.data()[row] * own.data()[pattern.column.data()[b]];
      result.data()[b] = both > 0 ? norm(b) / std::sqrt(both) : 0;
    }
  });
  return result;
}

/// Motions of the nodes of an aggregate, made orthonormal (Gram and Schmidt, twice): those of the aggregate are how
/// they were mixed. A motion that depends on others is left out.
template <int size>
void orthonormal(const Transposed& members, std::int64_t aggregate, const Motions<size>& motions,
                 std::vector<Block<float, size, rigid_motions>>& columns,
                 Block<float, rigid_motions, rigid_motions>& mixed) {
  const std::int64_t begin = members.pattern.start.data()[aggregate], end = members.pattern.start.data()[aggregate + 1];
  std::vector<Block<double, size, rigid_motions>> q(static_cast<std::size_t>(end - begin));
  for (std::size_t i = 0; i < q.size(); ++i) {
    const auto node = static_cast<std::size_t>(members.pattern.column[static_cast<std::size_t>(begin) + i]);
    for (std::size_t v = 0; v < q[i].value.size(); ++v) q[i].value[v] = static_cast<double>(motions[node].value[v]);
  }
  const auto dot = [&](std::size_t a, std::size_t b) {
    double sum = 0;
    for (const auto& block : q) {
      for (std::size_t r = 0; r < size; ++r) sum += block(r, a) * block(r, b);
    }
    return sum;
  };
  for (std::size_t c = 0; c < rigid_motions; ++c) {
    const double before = dot(c, c);
    for (int again = 0; again < 2; ++again) {
      for (std::size_t earlier = 0; earlier < c; ++earlier) {
        const double part = dot(earlier, c);
        mixed(earlier, c) += static_cast<float>(part);
        for (auto& block : q) {
          for (std::size_t r = 0; r < size; ++r) block(r, c) -= part * block(r, earlier);
        }
      }
    }
    const double square = dot(c, c);
    const bool there = square > 1e-8 * before && square > 0;
    const double length = there ? std::sqrt(square) : 0;
    mixed(c, c) = static_cast<float>(length);
    for (auto& block : q) {
      for (std::size_t r = 0; r < size; ++r) block(r, c) = there ? block(r, c) / length : 0;
    }
  }
  for (std::size_t i = 0; i < q.size(); ++i) {
    const auto node = static_cast<std::size_t>(members.pattern.column[static_cast<std::size_t>(begin) + i]);
    for (std::size_t v = 0; v < q[i].value.size(); ++v) columns[node].value[v] = static_cast<float>(q[i].value[v]);
  }
}

/// Rows that are made one after the other by threads, each with a place for every column.
class RowMaker {
 public:
  explicit RowMaker(std::int64_t columns) : place_(static_cast<std::size_t>(columns), -1) {}

  void begin() { columns_.clear(); }
  /// Where a column is in this row.
  std::size_t at(std::int32_t column) {
    std::int32_t& place = place_[static_cast<std::size_t>(column)];
    if (place < 0) {
      place = static_cast<std::int32_t>(columns_.size());
      columns_.push_back(column);
    }
    return static_cast<std::size_t>(place);
  }
  [[nodiscard]] const std::vector<std::int32_t>& columns() const { return columns_; }
  void end() {
    for (const std::int32_t column : columns_) place_[static_cast<std::size_t>(column)] = -1;
  }

 private:
  std::vector<std::int32_t> place_, columns_;
};

/// A matrix whose rows are made by make(maker, row, blocks): it asks the maker for places and adds to blocks there.
/// Where `go_on` says no, rows that are left are empty.
template <int height, int width, class Make>
BlockMatrix<float, height, width> by_rows(std::int64_t rows, std::int64_t columns, int threads, const GoOn& go_on,
                                          Make make) {
  using One = Block<float, height, width>;
  struct Part {
    std::vector<std::int64_t> ends;
    std::vector<std::int32_t> column;
    std::vector<One> block;
  };
  std::vector<Part> parts(static_cast<std::size_t>(threads));
#pragma omp parallel num_threads(threads)
  {
    const Share own = share_of(rows);
    Part& part = parts[static_cast<std::size_t>(omp_get_thread_num())];
    RowMaker maker(columns);
    std::vector<One> blocks;
    bool wanted = true;
    for (std::int64_t row = own.begin; row < own.end; ++row) {
      if (row % 1024 == 0) wanted = wanted && go_on();
      maker.begin();
      blocks.clear();
      if (wanted) make(maker, row, blocks);
      part.column.insert(part.column.end(), maker.columns().begin(), maker.columns().end());
      part.block.insert(part.block.end(), blocks.begin(), blocks.end());
      part.ends.push_back(static_cast<std::int64_t>(part.column.size()));
      maker.end();
    }
  }
  BlockMatrix<float, height, width> result;
  result.pattern.columns = columns;
  for (const Part& part : parts) {
    const std::int64_t before = result.pattern.blocks();
    for (const std::int64_t end : part.ends) result.pattern.start.push_back(before + end);
    result.pattern.column.insert(result.pattern.column.end(), part.column.begin(), part.column.end());
    result.block.insert(result.block.end(), part.block.begin(), part.block.end());
  }
  return result;
}

template <class One>
One& place(RowMaker& maker, std::int32_t column, std::vector<One>& blocks) {
  const std::size_t at = maker.at(column);
  if (at >= blocks.size()) blocks.resize(at + 1);
  return blocks[at];
}

/// Makes a stage's way to a coarser one, and that one's matrix and motions.
template <int size>
std::pair<Stage<rigid_motions>, Motions<rigid_motions>> coarsen(Stage<size>& fine, const Motions<size>& motions,
                                                                int threads, const GoOn& go_on) {
  const BlockMatrix<float, size, size>& matrix = fine.matrix;
  const std::int64_t rows = fine.rows();
  const Aggregates aggregates = aggregate(matrix.pattern, strengths(matrix, threads), weak);
  Pattern membership;
  membership.columns = aggregates.count;
  membership.column = aggregates.of;
  for (std::int64_t row = 1; row <= rows; ++row) membership.start.push_back(row);
  const Transposed members = transpose(membership);
  Motions<rigid_motions> coarse(static_cast<std::size_t>(aggregates.count));
  std::vector<Block<float, size, rigid_motions>> tentative(static_cast<std::size_t>(rows));
  for_rows(aggregates.count, threads,
           [&](std::int64_t one) { orthonormal(members, one, motions, tentative, coarse.data()[one]); });

  // up = (I - w D^-1 A) tentative
  const float weight = 4.0F / 3.0F / fine.largest;
  fine.up = by_rows<size, rigid_motions>(
      rows, aggregates.count, threads, go_on, [&](RowMaker& maker, std::int64_t row, auto& blocks) {
        std::vector<Block<float, size, rigid_motions>> sums;
        for (std::int64_t b = matrix.pattern.start.data()[row]; b < matrix.pattern.start.data()[row + 1]; ++b) {
          const std::int32_t column = matrix.pattern.column.data()[b];
          add_product(matrix.block.data()[b], tentative.data()[column],
                      place(maker, aggregates.of.data()[column], sums));
        }
        Block<float, size, size> scaled = fine.inverse.data()[row];
        for (float& value : scaled.value) value *= -weight;
        blocks.resize(sums.size());
        for (std::size_t i = 0; i < sums.size(); ++i) add_product(scaled, sums[i], blocks[i]);
        auto& own = place(maker, aggregates.of.data()[row], blocks);
        for (std::size_t v = 0; v < own.value.size(); ++v) own.value[v] += tentative.data()[row].value[v];
      });
  fine.down = transpose(fine.up.pattern);

  // A up, then up^T of it
  const BlockMatrix<float, size, rigid_motions>& up = fine.up;
  const auto product = by_rows<size, rigid_motions>(
      rows, aggregates.count, threads, go_on, [&](RowMaker& maker, std::int64_t row, auto& blocks) {
        for (std::int64_t b = matrix.pattern.start.data()[row]; b < matrix.pattern.start.data()[row + 1]; ++b) {
          const std::int64_t column = matrix.pattern.column.data()[b];
          for (std::int64_t p = up.pattern.start.data()[column]; p < up.pattern.start.data()[column + 1]; ++p) {
            add_product(matrix.block.data()[b], up.block.data()[p], place(maker, up.pattern.column.data()[p], blocks));
          }
        }
      });
  Stage<rigid_motions> next;
  next.matrix = by_rows<rigid_motions, rigid_motions>(
      aggregates.count, aggregates.count, threads, go_on, [&](RowMaker& maker, std::int64_t row, auto& blocks) {
        (void)place(maker, static_cast<std::int32_t>(row), blocks);
        for (std::int64_t t = fine.down.pattern.start.data()[row]; t < fine.down.pattern.start.data()[row + 1]; ++t) {
          const auto& left = up.block[static_cast<std::size_t>(fine.down.block.data()[t])];
          const std::int64_t node = fine.down.pattern.column.data()[t];
          for (std::int64_t p = product.pattern.start.data()[node]; p < product.pattern.start.data()[node + 1]; ++p) {
            add_transposed_product(left, product.block.data()[p],
                                   place(maker, product.pattern.column.data()[p], blocks));
          }
        }
      });
  return {std::move(next), std::move(coarse)};
}

class Aggregation : public ApproximateInverse {
 public:
  Aggregation(BlockMatrix<float, components, components> matrix, const Motions<components>& motions, bool coarser,
              int threads, const GoOn& go_on)
      : threads_(threads) {
    finest_.matrix = std::move(matrix);
    set_up(finest_, threads, go_on);
    if (!coarser) {
      steps_ = polynomial_steps;
      return;
    }
    if (finest_.rows() * components > fewest_unknowns && go_on()) {
      auto [next, coarse] = coarsen(finest_, motions, threads, go_on);
      for (;;) {
        set_up(next, threads, go_on);
        stages_.push_back(std::move(next));
        Stage<rigid_motions>& last = stages_.back();
        if (last.rows() * rigid_motions <= fewest_unknowns || !go_on()) break;
        auto [after, again] = coarsen(last, coarse, threads, go_on);
        if (after.rows() >= last.rows()) {  // nothing is a strong neighbour of anything: smoothing alone
          last.up = {};
          break;
        }
        next = std::move(after);
        coarse = std::move(again);
      }
    }
    if (!go_on()) return;
    if (stages_.empty()) {
      factor(finest_);
    } else {
      factor(stages_.back());
    }
  }

  void apply(const Field<double>& r, double norm, Field<double>& z) override {
    const double scale = 1 / norm;
    for_rows(finest_.rows(), threads_, [&](std::int64_t n) {
      for (int c = 0; c < components; ++c) finest_.r.data()[components * n + c] = static_cast<float>(scale * r[c][n]);
    });
    cycle(finest_, 0);
    for_rows(finest_.rows(), threads_, [&](std::int64_t n) {
      for (int c = 0; c < components; ++c) z[c][n] = norm * static_cast<double>(finest_.x.data()[components * n + c]);
    });
  }

  [[nodiscard]] double bytes() const override {
    double sum = finest_.bytes();
    for (const auto& stage : stages_) sum += stage.bytes();
    return sum;
  }

 private:
  template <int size>
  void factor(const Stage<size>& stage) {
    const std::int64_t unknowns = stage.rows() * size;
    if (unknowns > 4 * fewest_unknowns) return;
    std::vector<double> full(static_cast<std::size_t>(unknowns * unknowns), 0.0);
    for (std::int64_t row = 0; row < stage.rows(); ++row) {
      for (std::int64_t b = stage.matrix.pattern.start.data()[row]; b < stage.matrix.pattern.start.data()[row + 1];
           ++b) {
        for (std::int64_t v = 0; v < size * size; ++v) {
          const std::int64_t r = size * row + v / size, c = size * stage.matrix.pattern.column.data()[b] + v % size;
          full.data()[r * unknowns + c] = static_cast<double>(stage.matrix.block.data()[b].value.data()[v]);
        }
      }
    }
    last_ = Cholesky(std::move(full));
  }

  template <int size>
  void relax(Stage<size>& stage, bool zero, bool residual) {
    for (int s = 0; s < steps_; ++s) {
      const auto keep = static_cast<float>(s == 0 ? 0 : (2.0 * s - 1) / (2.0 * s + 3));
      const auto step = static_cast<float>((8.0 * s + 4) / ((2.0 * s + 3) * static_cast<double>(stage.largest)));
      for_rows(stage.rows(), threads_, [&](std::int64_t row) {
        const auto better = inverse_times(stage, row, stage.r.data() + row * size);
        float *d = stage.d.data() + row * size, *x = stage.x.data() + row * size;
        for (std::size_t i = 0; i < size; ++i) {
          d[i] = (s == 0 ? 0 : keep * d[i]) + step * better[i];
          x[i] = (zero && s == 0 ? 0 : x[i]) + d[i];
        }
      });
      if (residual || s + 1 < steps_) subtract(stage);
    }
  }

  /// r -= A d
  template <int size>
  void subtract(Stage<size>& stage) {
    for_rows(stage.rows(), threads_, [&](std::int64_t row) {
      const auto sum = row_product(stage.matrix, row, stage.d.data());
      for (std::size_t i = 0; i < size; ++i) stage.r.data()[row * size + static_cast<std::int64_t>(i)] -= sum[i];
    });
  }

  /// x becomes an approximate solution for r.
  template <int size>
  void cycle(Stage<size>& stage, std::size_t depth) {
    if (depth == stages_.size() && last_) return last_->solve(stage.r, stage.x);
    relax(stage, true, depth < stages_.size());
    if (depth == stages_.size()) return;
    Stage<rigid_motions>& coarse = stages_[depth];
    for_rows(coarse.rows(), threads_, [&](std::int64_t row) {
      std::array<float, rigid_motions> sum{};
      const Pattern& down = stage.down.pattern;
      for (std::int64_t t = down.start.data()[row]; t < down.start.data()[row + 1]; ++t) {
        const auto& block = stage.up.block[static_cast<std::size_t>(stage.down.block.data()[t])];
        const float* r = stage.r.data() + std::int64_t{size} * down.column.data()[t];
        for (std::size_t i = 0; i < size; ++i) {
          for (std::size_t m = 0; m < rigid_motions; ++m) sum[m] += block(i, m) * r[i];
        }
      }
      std::copy(sum.begin(), sum.end(), coarse.r.data() + row * rigid_motions);
    });
    cycle(coarse, depth + 1);
    for_rows(stage.rows(), threads_, [&](std::int64_t row) {
      std::array<float, static_cast<std::size_t>(size)> sum{};
      const Pattern& up = stage.up.pattern;
      for (std::int64_t p = up.start.data()[row]; p < up.start.data()[row + 1]; ++p) {
        const auto& block = stage.up.block.data()[p];
        const float* x = coarse.x.data() + std::int64_t{rigid_motions} * up.column.data()[p];
        for (std::size_t i = 0; i < size; ++i) {
          for (std::size_t m = 0; m < rigid_motions; ++m) sum[i] += block(i, m) * x[m];
        }
      }
      for (std::size_t i = 0; i < size; ++i) {
        stage.d.data()[row * size + static_cast<std::int64_t>(i)] = sum[i];
        stage.x.data()[row * size + static_cast<std::int64_t>(i)] += sum[i];
      }
    });
    subtract(stage);
    relax(stage, false, false);
  }

  int threads_, steps_ = smoothing_steps;
  Stage<components> finest_;
  std::vector<Stage<rigid_motions>> stages_;
  std::optional<Cholesky> last_;
};

}  // namespace

std::unique_ptr<ApproximateInverse> smoothed_aggregation(BlockMatrix<float, components, components> matrix,
                                                         const Motions<components>& motions, bool coarser, int threads,
                                                         const GoOn& go_on) {
  return std::make_unique<Aggregation>(std::move(matrix), motions, coarser, threads, go_on);
}

}  // namespace rooftop::elasticity
