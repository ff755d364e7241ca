// A file cannot grow on one rank: all ranks get the error, and the old file stays.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <numeric>

#include "on_ranks.hpp"

namespace rooftop::h5io {
namespace {

using tests::message_of;
using tests::read_by_hdf5;
using tests::rows_of;
using tests::Shape;
using tests::SharedSample;
using tests::World;

/// Limits the length of files that one rank writes, while it lives.
class Limit {
 public:
  Limit(int rank, rlim_t bytes) {
    before_ = std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &old_);
    if (World().rank != rank) return;
    const rlimit less{bytes, old_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &less);
  }
  Limit(const Limit&) = delete;
  Limit& operator=(const Limit&) = delete;
  ~Limit() {
    setrlimit(RLIMIT_FSIZE, &old_);
    std::signal(SIGXFSZ, before_);
  }

 private:
  rlimit old_{};
  void (*before_)(int) = nullptr;
};

class FullDevice : public testing::TestWithParam<bool> {};

TEST_P(FullDevice, IsToldOnAllRanksAndLeavesTheOldFile) {
  const World world;
  const Shape shape{1024, 256};
  const std::string name = GetParam() ? "chunked" : "contiguous";
  for (const int rank : {0, world.size - 1}) {
    const SharedSample sample("rooftop-ranks-full", [](tests::SampleFile& file) { file.add("old", {5}); });
    const auto own = rows_of(shape, world);
    std::vector<std::int32_t> values(own[0].block * 256);
    std::iota(values.begin(), values.end(), world.rank);
    {
      OutputFileByRanks file(sample.path(), MPI_COMM_WORLD, true);
      const OutputDatasetByRanks x = file.dataset("x", {shape, "<i4", GetParam() ? Shape{64, 256} : Shape{}, {}});
      const auto write = [&] {
        const Limit limit(rank, 100000);
        return message_of<FileError>([&] { x.write(own, values.data(), values.size() * 4); });
      };
      // Rank 0 writes all chunks, whichever rank encodes them.
      const bool fails = !GetParam() || rank == 0;
      const std::string message = write();
      EXPECT_EQ(message == "nothing was thrown", !fails) << message;
      if (fails) {
        EXPECT_NE(message.find("written"), std::string::npos) << message;
        EXPECT_EQ(write(), sample.path() + ": a write failed before; nothing more is written");
        EXPECT_EQ(message_of<FileError>([&] { file.close(); }),
                  sample.path() + ": a write failed before; there is no new file");
      }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    EXPECT_EQ(read_by_hdf5(sample.path(), "old", {{0, 1, 1, 5}}), (std::vector<std::int32_t>{0, 1, 2, 3, 4}));
    for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(sample.path()).parent_path())) {
      EXPECT_FALSE(entry.path().string().starts_with(sample.path() + ".partial-")) << entry.path();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Layouts, FullDevice, testing::Bool(),
                         [](const auto& info) { return info.param ? "chunked" : "contiguous"; });

}  // namespace
}  // namespace rooftop::h5io
