// threads: none
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <rooftop/storage_reads.hpp>
#include <string>
#include <vector>

namespace {

TEST(StorageReads, NeverFallAndCountWhatWasDroppedBefore) {
  const auto before = rooftop::storage_read_bytes();
  if (!before) GTEST_SKIP() << "/proc/self/io is not told here";
  constexpr std::size_t bytes = 1u << 20;
  const auto path = std::filesystem::temp_directory_path() / ("rooftop-storage-reads-" + std::to_string(getpid()));
  std::ofstream(path).write(std::vector<char>(bytes, 'x').data(), bytes);
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_GE(file, 0);
  fdatasync(file);
  posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
  std::vector<char> read(bytes);
  EXPECT_EQ(pread(file, read.data(), bytes, 0), static_cast<ssize_t>(bytes));
  close(file);
  std::filesystem::remove(path);
  const auto after = rooftop::storage_read_bytes();
  ASSERT_TRUE(after.has_value());
  EXPECT_GE(*after, *before);
  // On file systems that lie in memory, and on some of other hosts, nothing is counted.
  if (*after > *before) {
    EXPECT_GE(*after - *before, static_cast<std::int64_t>(bytes));
  }
}

}  // namespace
