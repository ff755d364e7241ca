/// The parts of the probe of file systems. Nothing is timed.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <vector>

#include "../file_systems/page_cache.hpp"
#include "../file_systems/transfer.hpp"
#include "../processors.hpp"

namespace {

constexpr std::uint64_t mib = 1u << 20;

/// A folder of its own, which must be empty in the end: the scratch file has no name.
class FileSystems : public testing::Test {
 protected:
  FileSystems() {
    std::string name = (std::filesystem::temp_directory_path() / "rooftop-file-systems-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder for the test");
    folder_ = name;
  }
  ~FileSystems() override { std::filesystem::remove_all(folder_); }
  std::string folder_;
  std::vector<int> cpus_ = probe::usable_processors();
};

TEST_F(FileSystems, TheScratchFileHasNoName) {
  const probe::ScratchFile file(folder_);
  EXPECT_EQ(probe::lay_out(file, 2 * mib, 60), 2 * mib);
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
  EXPECT_TRUE(file.opened(O_RDONLY).valid());
  EXPECT_GT(probe::free_bytes(file), 0U);
}

TEST_F(FileSystems, AFolderThatIsNotThereIsNamed) {
  try {
    const probe::ScratchFile file(folder_ + "/absent");
    ADD_FAILURE() << "expected an error";
  } catch (const std::system_error& error) {
    EXPECT_EQ(error.code().value(), ENOENT);
    EXPECT_NE(std::string(error.what()).find(folder_ + "/absent"), std::string::npos);
  }
}

TEST_F(FileSystems, LayingOutStopsInTimeWithWholeBlocks) {
  const probe::ScratchFile file(folder_);
  EXPECT_EQ(probe::lay_out(file, 3 * mib + 5, 60), 3 * mib);
  EXPECT_EQ(probe::lay_out(file, 3 * mib, 0), 0U);
}

TEST_F(FileSystems, SharesHaveEachBlockOnce) {
  for (const bool random : {false, true}) {
    for (const int threads : {1, 2, 3}) {
      std::vector<std::uint64_t> all;
      const auto parts = probe::shares(10, threads, random);
      ASSERT_EQ(parts.size(), static_cast<std::size_t>(threads));
      for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
      EXPECT_EQ(std::is_sorted(all.begin(), all.end()), !random);
      std::sort(all.begin(), all.end());
      for (std::uint64_t block = 0; block < 10; ++block) EXPECT_EQ(all.at(block), block);
    }
  }
}

TEST_F(FileSystems, AllOfTheFileIsReadOnce) {
  const probe::ScratchFile file(folder_);
  probe::lay_out(file, 4 * mib, 60);
  for (const bool random : {false, true}) {
    for (const int threads : {1, 3}) {
      const std::size_t block_bytes = random ? 4096 : mib;
      const auto done = probe::run_transfer(
          file, {.random = random, .bytes = 4 * mib, .block_bytes = block_bytes, .limit_s = 60}, cpus_, threads);
      EXPECT_EQ(done.bytes, 4 * mib);
      EXPECT_EQ(done.calls, 4 * mib / block_bytes);
      EXPECT_GT(done.elapsed_s, 0);
    }
  }
}

TEST_F(FileSystems, AfterItsTimeAThreadMakesNoFurtherCall) {
  const probe::ScratchFile file(folder_);
  probe::lay_out(file, 4 * mib, 60);
  const auto done = probe::run_transfer(file, {.bytes = 4 * mib, .block_bytes = mib, .limit_s = 0}, cpus_, 2);
  EXPECT_EQ(done.calls, 2U);
}

TEST_F(FileSystems, WhatIsWrittenIsThere) {
  const probe::ScratchFile file(folder_);
  probe::lay_out(file, 2 * mib, 60);
  std::array<char, 8> before{}, after{};
  ASSERT_EQ(pread(file.get(), before.data(), before.size(), mib), 8);
  const probe::Transfer write{.writes = true, .kept = true, .bytes = 2 * mib, .block_bytes = mib, .limit_s = 60};
  EXPECT_EQ(probe::run_transfer(file, write, cpus_, 2).bytes, 2 * mib);
  ASSERT_EQ(pread(file.get(), after.data(), after.size(), mib), 8);
  EXPECT_NE(before, after);  // each thread has noise of its own
}

TEST_F(FileSystems, AFileThatEndsTooSoonIsAnError) {
  const probe::ScratchFile file(folder_);
  probe::lay_out(file, mib, 60);
  EXPECT_THROW(probe::run_transfer(file, {.bytes = 2 * mib, .block_bytes = mib, .limit_s = 60}, cpus_, 1),
               std::system_error);
}

TEST_F(FileSystems, WhatWasReadIsCachedUntilItIsDropped) {
  const probe::ScratchFile file(folder_);
  probe::lay_out(file, 4 * mib, 60);
  probe::run_transfer(file, {.bytes = 4 * mib, .block_bytes = mib, .limit_s = 60}, cpus_, 1);
  EXPECT_GT(probe::cached_part(file, 4 * mib), 0.99);
  EXPECT_EQ(probe::drop_cache(file, false), "posix_fadvise");
  if (probe::cached_part(file, 4 * mib) > 0.05) GTEST_SKIP() << folder_ << " is on a file system that lies in memory";
  probe::run_transfer(file, {.bytes = 4 * mib, .block_bytes = mib, .limit_s = 60}, cpus_, 2);
  EXPECT_GT(probe::cached_part(file, 4 * mib), 0.99);
}

TEST_F(FileSystems, DirectReadsLeaveNothingInTheCache) {
  const probe::ScratchFile file(folder_);
  if (!file.takes_direct()) GTEST_SKIP() << folder_ << " does not take O_DIRECT";
  probe::lay_out(file, 4 * mib, 60);
  probe::drop_cache(file, false);
  if (probe::cached_part(file, 4 * mib) > 0.05) GTEST_SKIP() << folder_ << " is on a file system that lies in memory";
  const auto done =
      probe::run_transfer(file, {.direct = true, .bytes = 4 * mib, .block_bytes = mib, .limit_s = 60}, cpus_, 2);
  EXPECT_EQ(done.bytes, 4 * mib);
  EXPECT_LT(probe::cached_part(file, 4 * mib), 0.05);
}

}  // namespace
