// Kills a rank during a collective write. Run by ../../tests/test_killed_rank.py, which passes the name of the file.
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <numeric>

#include "on_ranks.hpp"

namespace rooftop::h5io {
namespace {

using tests::rows_of;
using tests::Shape;
using tests::World;

void write_until_killed(const Shape& chunk) {
  const char* const path = std::getenv("ROOFTOP_TEST_FILE");
  ASSERT_NE(path, nullptr);
  const World world;
  const Shape shape{512, 256};
  const auto own = rows_of(shape, world);
  std::vector<std::int32_t> values(own[0].block * shape[1]);
  std::iota(values.begin(), values.end(), static_cast<std::int32_t>(own[0].start * shape[1]));
  const auto write = [&](OutputFileByRanks& file, const std::string& name) {
    file.dataset(name, {shape, "<i4", chunk, {}}).write(own, values.data(), values.size() * 4);
  };
  OutputFileByRanks before(path, MPI_COMM_WORLD);
  write(before, "before");
  before.close();
  OutputFileByRanks after(path, MPI_COMM_WORLD, true);
  write(after, "first");
  const OutputDatasetByRanks second = after.dataset("second", {shape, "<i4", chunk, {}});
  if (world.rank == world.size - 1) std::raise(SIGKILL);
  second.write(own, values.data(), values.size() * 4);
  after.close();
}

TEST(KilledRank, DISABLED_WritingAnArray) { write_until_killed({}); }

TEST(KilledRank, DISABLED_WritingChunks) { write_until_killed({48, 256}); }

}  // namespace
}  // namespace rooftop::h5io
