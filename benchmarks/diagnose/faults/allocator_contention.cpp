// Fault: allocator contention. All threads take and return small blocks from the one arena that the program allows
// glibc to have, and wait for its lock. Cured: glibc may have an arena for each thread.
// Usage: allocator_contention [SCALE] [cured]
#include <malloc.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

namespace {

std::uint64_t work(std::uint64_t seed) {
  constexpr int blocks = 64;
  std::vector<std::unique_ptr<std::uint64_t[]>> held(blocks);
  std::uint64_t sum = 0;
  for (int i = 0; i < blocks; ++i) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    held[i].reset(new std::uint64_t[140 + (seed >> 56)]);  // larger than what a thread keeps for itself
    held[i][0] = seed >> 32;
  }
  for (int i = 0; i < blocks; ++i) {
    sum += held[i][0];
    held[i].reset();
  }
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  const double scale = argc > 1 ? std::atof(argv[1]) : 1.0;
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  if (argc <= 2 || std::strcmp(argv[2], "cured") != 0) mallopt(M_ARENA_MAX, 1);
  const long count = static_cast<long>(200e3 * scale);
  std::uint64_t sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (long i = 0; i < count; ++i) sum += work(static_cast<std::uint64_t>(i));
  std::printf("checksum %llu\n", static_cast<unsigned long long>(sum));
  return 0;
}
