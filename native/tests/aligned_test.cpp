// threads: none
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <rooftop/aligned.hpp>

namespace {

std::uintptr_t address(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

TEST(AlignedArray, StartsAtACacheLine) {
  for (const std::size_t size : {1U, 3U, 16U, 17U, 1000U}) {
    rooftop::AlignedArray<float> array(size);
    EXPECT_EQ(array.size(), size);
    EXPECT_EQ(address(array.data()) % rooftop::cache_line_bytes, 0U);
    for (float& value : array) value = 1;
    EXPECT_EQ(array[size - 1], 1);
  }
}

TEST(AlignedArray, LargeOnesStartAtAHugePage) {
  const rooftop::AlignedArray<double> array(3 * rooftop::huge_page_bytes / sizeof(double));
  EXPECT_EQ(address(array.data()) % rooftop::huge_page_bytes, 0U);
}

TEST(AlignedArray, EmptyOneHoldsNothing) {
  const rooftop::AlignedArray<float> array(0);
  EXPECT_EQ(array.size(), 0U);
  EXPECT_EQ(array.begin(), array.end());
}

TEST(AlignedArray, MovesAndSwaps) {
  rooftop::AlignedArray<int> a(2);
  a[0] = 7;
  rooftop::AlignedArray<int> b(std::move(a));
  EXPECT_EQ(b[0], 7);
  rooftop::AlignedArray<int> c;
  c = std::move(b);
  EXPECT_EQ(c[0], 7);
  EXPECT_EQ(c.size(), 2U);
}

TEST(AlignedArray, RefusesSizesThatOverflow) {
  constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
  EXPECT_THROW(rooftop::AlignedArray<double>{most}, std::bad_array_new_length);
  EXPECT_THROW(rooftop::AlignedArray<double>{most / sizeof(double)}, std::bad_array_new_length);
}

}  // namespace
