// Distributed transforms against the same transforms by one process, on as many ranks as this is started with.
#include <gtest/gtest.h>
#include <mpi.h>

#include <cmath>
#include <complex>
#include <cstdlib>
#include <memory>
#include <rooftop/fft.hpp>
#include <rooftop/fft_mpi.hpp>
#include <string>
#include <vector>

namespace {

namespace fft = rooftop::fft;
using Complex = std::complex<double>;

struct Free {
  void operator()(void* memory) const { std::free(memory); }
};
template <typename T>
std::unique_ptr<T[], Free> aligned(std::size_t count) {
  return std::unique_ptr<T[], Free>(static_cast<T*>(std::aligned_alloc(64, (count * sizeof(T) / 64 + 1) * 64)));
}

struct World {
  int rank = 0, size = 1;
  World() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
  }
};

/// What makes no two neighbours alike, the same on every rank.
Complex value_at(std::int64_t i) {
  const auto x = static_cast<double>(i);
  return {std::sin(0.7 * x + 0.1), std::cos(1.3 * x - 0.4)};
}

std::vector<double> decay(std::int64_t n, int t) {
  std::vector<double> factors(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i)
    factors[static_cast<std::size_t>(i)] = std::exp(-0.01 * t * static_cast<double>(i));
  return factors;
}

struct Terms {
  fft::Exchange exchange;
  bool pipelined;
  int pieces, pieces_under_way, threads;
};
std::vector<Terms> all_terms() {
  using fft::Exchange;
  return {{Exchange::automatic, false, 8, 4, 1},
          {Exchange::automatic, true, 3, 1, 2},
          {Exchange::messages, false, 3, 2, 2},
          {Exchange::messages, true, 1, 1, 1},
          {Exchange::messages, true, 40, 7, 1}};
}

class Distributed : public testing::TestWithParam<fft::Shape> {
 protected:
  fft::Shape shape = GetParam();
  std::size_t size = static_cast<std::size_t>(shape.size());
  World world;
  std::unique_ptr<Complex[], Free> values = aligned<Complex>(size), result = aligned<Complex>(size);
  fft::Plan plan = fft::Plan(shape, {.threads = 1});
  std::unique_ptr<std::byte[], Free> scratch = aligned<std::byte>(plan.scratch_bytes());

  void SetUp() override {
    if (world.size > std::min(shape.ny, shape.nz)) GTEST_SKIP() << "more ranks than planes or rows";
    for (std::size_t i = 0; i < size; ++i) values[i] = value_at(static_cast<std::int64_t>(i));
  }

  [[nodiscard]] static fft::DistributedOptions options(const Terms& terms) {
    return {.threads = terms.threads,
            .exchange = terms.exchange,
            .pieces = terms.pieces,
            .pieces_under_way = terms.pieces_under_way,
            .pipelined = terms.pipelined};
  }
  [[nodiscard]] std::size_t in_space(std::int64_t z) const { return static_cast<std::size_t>(z * shape.nx * shape.ny); }
  /// The largest difference of this rank's modes, `nx` in a line, from those of the one process.
  [[nodiscard]] double modes_off(const fft::Part& rows, std::int64_t nx, const Complex* modes,
                                 const Complex* expected) const {
    double off = 0;
    for (std::int64_t z = 0; z < shape.nz; ++z) {
      for (std::int64_t y = 0; y < rows.count; ++y) {
        for (std::int64_t x = 0; x < nx; ++x) {
          const auto own = static_cast<std::size_t>((z * rows.count + y) * nx + x);
          const auto whole = static_cast<std::size_t>((z * shape.ny + y + rows.first) * nx + x);
          off = std::max(off, std::abs(modes[own] - expected[whole]));
        }
      }
    }
    return off;
  }
};

TEST_P(Distributed, IsTheTransformOfOneProcess) {
  auto expected = aligned<Complex>(size);
  plan.run(fft::Direction::forward, values.get(), expected.get(), scratch.get());
  const double tolerance = 1e-15 * std::log2(static_cast<double>(size) + 1) * std::sqrt(static_cast<double>(size)) * 8;
  for (const Terms& terms : all_terms()) {
    fft::DistributedPlan shared(shape, MPI_COMM_WORLD, options(terms));
    const fft::Part planes = shared.planes(), rows = shared.rows();
    const auto modes = aligned<Complex>(static_cast<std::size_t>(shared.mode_values()));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(shared.space()) % 64, 0U);
    std::copy_n(values.get() + in_space(planes.first), in_space(planes.count), shared.space());
    shared.forward(modes.get());
    EXPECT_LE(modes_off(rows, shape.nx, modes.get(), expected.get()), tolerance) << "rank " << world.rank;

    for (const bool with_factors : {false, true, true}) {
      const auto x = decay(shape.nx, 1), y = decay(shape.ny, 2), z = decay(shape.nz, 3);
      const fft::Factors factors{x.data(), y.data(), z.data()};
      plan.run(fft::Direction::backward, expected.get(), result.get(), scratch.get(),
               with_factors ? &factors : nullptr);
      shared.backward(modes.get(), with_factors ? &factors : nullptr);
      double off = 0;
      for (std::size_t i = 0; i < in_space(planes.count); ++i) {
        off = std::max(off, std::abs(shared.space()[i] - result[in_space(planes.first) + i]));
      }
      EXPECT_LE(off, 4 * tolerance * std::sqrt(static_cast<double>(size))) << "rank " << world.rank;
    }
  }
}

TEST_P(Distributed, OfRealValuesIsTheTransformOfOneProcess) {
  const std::int64_t row = shape.nx / 2 + 1;
  const std::size_t mode_count = static_cast<std::size_t>(row * shape.ny * shape.nz);
  const fft::RealPlan real_plan(shape, {.threads = 1});
  const auto real_scratch = aligned<std::byte>(real_plan.scratch_bytes());
  const auto real = aligned<double>(size), real_result = aligned<double>(size);
  for (std::size_t i = 0; i < size; ++i) real[i] = values[i].real();
  const auto expected = aligned<Complex>(mode_count), filtered = aligned<Complex>(mode_count);
  real_plan.forward(real.get(), expected.get(), real_scratch.get());
  const double tolerance = 1e-15 * std::log2(static_cast<double>(size) + 1) * std::sqrt(static_cast<double>(size)) * 8;
  for (const Terms& terms : all_terms()) {
    fft::DistributedRealPlan shared(shape, MPI_COMM_WORLD, options(terms));
    const fft::Part planes = shared.planes();
    const auto modes = aligned<Complex>(static_cast<std::size_t>(shared.mode_values()));
    std::copy_n(real.get() + in_space(planes.first), in_space(planes.count), shared.values());
    for (int again = 0; again < 2; ++again) {  // values stay as they are
      shared.forward(modes.get());
      EXPECT_LE(modes_off(shared.rows(), row, modes.get(), expected.get()), tolerance) << "rank " << world.rank;
    }
    for (const bool with_factors : {false, true, true}) {
      const auto x = decay(row, 1), y = decay(shape.ny, 2), z = decay(shape.nz, 3);
      const fft::Factors factors{x.data(), y.data(), z.data()};
      for (std::size_t i = 0; i < mode_count; ++i) {
        const std::size_t line = i / static_cast<std::size_t>(row), rows = static_cast<std::size_t>(shape.ny);
        const double factor = x[i % static_cast<std::size_t>(row)] * y[line % rows] * z[line / rows];
        filtered[i] = expected[i] * (with_factors ? factor : 1);
      }
      real_plan.backward(filtered.get(), real_result.get(), real_scratch.get());
      shared.backward(modes.get(), with_factors ? &factors : nullptr);
      double off = 0;
      for (std::size_t i = 0; i < in_space(planes.count); ++i) {
        off = std::max(off, std::abs(shared.values()[i] - real_result[in_space(planes.first) + i]));
      }
      EXPECT_LE(off, 4 * tolerance * std::sqrt(static_cast<double>(size))) << "rank " << world.rank;
    }
  }
}

TEST_P(Distributed, ManyTransformsAreEachTheirOwn) {
  auto modes_of_all = aligned<Complex>(size);
  plan.run(fft::Direction::forward, values.get(), modes_of_all.get(), scratch.get());
  const double tolerance = 1e-14 * static_cast<double>(size) * std::log2(static_cast<double>(size) + 1);
  for (const Terms& terms : all_terms()) {
    for (const int count : {0, 3}) {
      fft::DistributedPlan shared(shape, MPI_COMM_WORLD, options(terms));
      const fft::Part planes = shared.planes();
      const auto modes = aligned<Complex>(static_cast<std::size_t>(shared.mode_values()));
      std::copy_n(values.get() + in_space(planes.first), in_space(planes.count), shared.space());
      shared.forward(modes.get());
      std::vector<double> x, y, z;
      int done = 0;
      const auto off_by = [&](int t, const Complex* space) {
        const auto fx = decay(shape.nx, t), fy = decay(shape.ny, t), fz = decay(shape.nz, t);
        const fft::Factors factors{fx.data(), fy.data(), fz.data()};
        plan.run(fft::Direction::backward, modes_of_all.get(), result.get(), scratch.get(), &factors);
        double off = 0;
        for (std::size_t i = 0; i < in_space(planes.count); ++i) {
          off = std::max(off, std::abs(space[i] - result[in_space(planes.first) + i]));
        }
        return off;
      };
      shared.backward_each(modes.get(), {.count = count,
                                         .factors =
                                             [&](int t) {
                                               x = decay(shape.nx, t), y = decay(shape.ny, t), z = decay(shape.nz, t);
                                               return fft::Factors{x.data(), y.data(), z.data()};
                                             },
                                         .finished =
                                             [&](int t, const Complex* space) {
                                               EXPECT_EQ(t, ++done);
                                               EXPECT_LE(off_by(t, space), tolerance);
                                             }});
      EXPECT_EQ(done, count);
      if (count > 0) {
        EXPECT_LE(off_by(count, shared.space()), tolerance);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, Distributed,
                         testing::Values(fft::Shape{16, 8, 8}, fft::Shape{1, 8, 9}, fft::Shape{7, 21, 10},
                                         fft::Shape{11, 13, 22}, fft::Shape{32, 24, 40}, fft::Shape{3, 1, 1}),
                         [](const auto& info) {
                           return std::to_string(info.param.nx) + "x" + std::to_string(info.param.ny) + "x" +
                                  std::to_string(info.param.nz);
                         });

TEST(DistributedArguments, AreRefusedOnAllRanksAlike) {
  const World world;
  const auto refused = [](const fft::Shape& shape, const fft::DistributedOptions& options) {
    EXPECT_THROW(fft::DistributedPlan(shape, MPI_COMM_WORLD, options), fft::InvalidArgument);
    EXPECT_THROW(fft::DistributedRealPlan(shape, MPI_COMM_WORLD, options), fft::InvalidArgument);
  };
  refused({0, 8, 8}, {});
  refused({8, 8, -1}, {});
  refused({8, 8, 8}, {.threads = 0});
  refused({8, 8, 8}, {.pieces = 0});
  refused({8, 8, 8}, {.pieces_under_way = 0});
  refused({8, world.size - 1, 64}, {});
  refused({8, 64, world.size - 1}, {});
}

TEST(DistributedMemory, StaysWithinFourArraysOfTheGrid) {
  const World world;
  constexpr std::size_t n = 128;
  for (const bool pipelined : {false, true}) {
    fft::DistributedPlan plan({n, n, n}, MPI_COMM_WORLD, {.exchange = fft::Exchange::messages, .pipelined = pipelined});
    unsigned long long bytes = plan.memory_bytes() + 16 * static_cast<std::size_t>(plan.mode_values());
    MPI_Allreduce(MPI_IN_PLACE, &bytes, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    // Besides, each rank has tiles and buffers that its caches hold.
    EXPECT_LE(bytes, 4 * 16 * n * n * n + static_cast<std::size_t>(world.size) * (std::size_t{2} << 20));
  }
}

}  // namespace

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  testing::InitGoogleTest(&argc, argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank != 0)
    delete testing::UnitTest::GetInstance()->listeners().Release(
        testing::UnitTest::GetInstance()->listeners().default_result_printer());
  int failed = RUN_ALL_TESTS();
  MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  MPI_Finalize();
  return failed;
}
