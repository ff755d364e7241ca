// threads: none
#include <gtest/gtest.h>

#include <rooftop/isa.hpp>
#include <stdexcept>

namespace {

TEST(ModuleName, IsTakenApart) {
  auto parsed = rooftop::parse_module_name("/build/experiments/x/rungs/90-fused.avx2.so");
  EXPECT_EQ(parsed.name, "90-fused");
  EXPECT_EQ(parsed.isa, "avx2");
  parsed = rooftop::parse_module_name("10-naive.so");
  EXPECT_EQ(parsed.name, "10-naive");
  EXPECT_EQ(parsed.isa, std::nullopt);
  parsed = rooftop::parse_module_name("/a.b/c.d/20-x.so");
  EXPECT_EQ(parsed.name, "20-x");
}

TEST(ModuleName, RefusesOthers) {
  for (const char* path : {"", ".so", "a", "a.cpp", "a..so", ".avx2.so", "a.avx2.v2.so", "dir/"}) {
    EXPECT_THROW((void)rooftop::parse_module_name(path), std::invalid_argument) << path;
  }
}

TEST(MissingFeature, RefusesUnknownInstructionSets) {
  EXPECT_THROW((void)rooftop::missing_feature("mmx2000"), std::invalid_argument);
  EXPECT_THROW((void)rooftop::missing_feature(""), std::invalid_argument);
}

TEST(MissingFeature, Avx512ImpliesAvx2) {
#if defined(__x86_64__)
  if (!rooftop::missing_feature("avx512")) {
    EXPECT_EQ(rooftop::missing_feature("avx2"), std::nullopt);
  }
  EXPECT_EQ(rooftop::missing_feature("neon"), "neon");
#else
  EXPECT_EQ(rooftop::missing_feature("avx512"), "avx512");
#endif
}

}  // namespace
