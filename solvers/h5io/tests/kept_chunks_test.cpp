#include "kept_chunks.hpp"

#include <gtest/gtest.h>

#include <random>

namespace rooftop::h5io::internal {
namespace {

constexpr std::size_t length = 100;

KeptChunks::Chunk chunk(std::size_t bytes = length) {
  Bytes made;
  made.make_room(bytes);
  made.size = bytes;
  return std::make_shared<const Bytes>(std::move(made));
}

TEST(KeptChunks, KeepsWhatFits) {
  KeptChunks kept(3 * length, 10);
  const auto first = chunk();
  EXPECT_TRUE(kept.add({0, 0}, first, 1).empty());
  EXPECT_EQ(kept.use({0, 0}, 1), first);
  EXPECT_EQ(kept.use({0, 1}, 1), nullptr);
  EXPECT_TRUE(kept.add({0, 0}, chunk(), 1).empty());
  EXPECT_EQ(kept.use({0, 0}, 1), first) << "one that two threads decoded stays the first one's";
  EXPECT_TRUE(kept.add({1, 0}, chunk(3 * length + 1), 1).empty());
  EXPECT_FALSE(kept.has({1, 0})) << "longer than all may be";
  EXPECT_EQ(kept.bytes(), length);
  EXPECT_EQ(kept.add({1, 0}, chunk(3 * length), 1).size(), 1);
  EXPECT_FALSE(kept.has({0, 0}));
  EXPECT_EQ(kept.bytes(), 3 * length);
}

TEST(KeptChunks, LetsTheLeastRecentlyUsedGo) {
  KeptChunks kept(1000 * length, 3);
  for (hsize_t i = 0; i < 3; ++i) kept.add({i}, chunk(), 1);
  static_cast<void>(kept.use({0}, 1));
  kept.add({3}, chunk(), 1);
  EXPECT_FALSE(kept.has({1}));
  EXPECT_TRUE(kept.has({0}));
  EXPECT_EQ(kept.count(), 3);
}

TEST(KeptChunks, LetsThoseGoFirstThatWereReadToTheEnd) {
  KeptChunks kept(1000 * length, 8);
  for (hsize_t i = 0; i < 8; ++i) kept.add({i}, chunk(), i == 3 ? length - 1 : 1);
  kept.add({8}, chunk(), 1);
  EXPECT_FALSE(kept.has({0})) << "of the fourth, one byte was not read";
  static_cast<void>(kept.use({3}, 1));
  kept.add({9}, chunk(), 1);
  EXPECT_FALSE(kept.has({1})) << "its last use was a moment ago";
  for (int i = 0; i < 10; ++i) static_cast<void>(kept.use({9}, 1));
  kept.add({10}, chunk(), 1);
  EXPECT_FALSE(kept.has({3}));
  EXPECT_TRUE(kept.has({2}));
}

TEST(KeptChunks, StaysWithinItsBounds) {
  KeptChunks kept(20 * length, 30);
  std::mt19937_64 random(5);
  const auto below = [&](std::uint64_t end) {
    return std::uniform_int_distribution<std::uint64_t>(0, end - 1)(random);
  };
  for (int i = 0; i < 20000; ++i) {
    const KeptChunks::Begin begin{below(10), below(10)};
    const bool had = kept.has(begin);
    const auto found = kept.use(begin, below(length));
    ASSERT_EQ(found != nullptr, had);
    if (!had) kept.add(begin, chunk(1 + below(2 * length)), below(length));
    ASSERT_TRUE(kept.has(begin));
    ASSERT_LE(kept.bytes(), 20 * length);
    ASSERT_LE(kept.count(), 30);
  }
}

}  // namespace
}  // namespace rooftop::h5io::internal
