/// Read, write, copy and triad bandwidth of every cache level and of memory, one core and all, with the widest vectors.
///
/// Counted as STREAM does: bytes that the program reads and writes; the reads that a write-back cache adds to each
/// write are not counted. Non-temporal stores avoid those reads and are metrics of their own. Each thread has its own
/// arrays. Source of the kernels' definition: J. D. McCalpin, "Memory Bandwidth and Machine Balance", 1995.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "bursts.hpp"
#include "levels.hpp"
#include "pages.hpp"
#include "rooftop/probe_lines.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace {

/// The arrays of one thread: `count` floats in each of those that a kernel uses, a multiple of the unrolled step.
struct Arrays {
  float* a;
  const float* b;
  const float* c;
  std::size_t count;
};

constexpr int unroll = 8;
constexpr std::size_t step_floats = 16 * unroll;

typedef float Floats4 __attribute__((vector_size(16), may_alias));
typedef float Floats8 __attribute__((vector_size(32), may_alias));
typedef float Floats16 __attribute__((vector_size(64), may_alias));
typedef long long Bits4 __attribute__((vector_size(16), may_alias));
typedef long long Bits8 __attribute__((vector_size(32), may_alias));
typedef long long Bits16 __attribute__((vector_size(64), may_alias));

// Stops the compiler from merging passes and from turning the loops into memset or memcpy.
#define COMPILER_FENCE asm volatile("" ::: "memory")

#define EACH_PASS for (std::uint64_t pass = 0; pass < passes; ++pass)
#define EACH_STEP for (std::size_t i = 0; i < count; i += unroll * lanes)
#define EACH_VECTOR _Pragma("GCC unroll 8") for (std::size_t j = 0; j < unroll; ++j)

// Sums are exclusive ors: one cycle of latency, so that only the loads limit.
#define ROOFTOP_READ(NAME, TARGET, FLOATS, BITS, REGISTER)                               \
  TARGET void NAME(const Arrays& arrays, std::uint64_t passes) {                         \
    LOCALS(FLOATS);                                                                      \
    BITS sum[unroll] = {};                                                               \
    EACH_PASS {                                                                          \
      EACH_STEP EACH_VECTOR sum[j] ^= *reinterpret_cast<const BITS*>(b + i + j * lanes); \
      COMPILER_FENCE;                                                                    \
    }                                                                                    \
    EACH_VECTOR asm volatile("" ::REGISTER(sum[j]));                                     \
  }

#define ROOFTOP_STORES(NAME, TARGET, FLOATS, VALUE, STORE)       \
  TARGET void NAME(const Arrays& arrays, std::uint64_t passes) { \
    LOCALS(FLOATS);                                              \
    EACH_PASS {                                                  \
      EACH_STEP {                                                \
        EACH_VECTOR {                                            \
          const std::size_t at = i + j * lanes;                  \
          const FLOATS value = VALUE;                            \
          STORE;                                                 \
        }                                                        \
        COMPILER_FENCE;                                          \
      }                                                          \
    }                                                            \
    STORE_FENCE;                                                 \
  }

// Local copies, because a store through a float pointer may change `arrays` as far as the compiler can tell.
#define LOCALS(FLOATS)                                          \
  constexpr std::size_t lanes = sizeof(FLOATS) / sizeof(float); \
  const std::size_t count = arrays.count;                       \
  [[maybe_unused]] float* const a = arrays.a;                   \
  [[maybe_unused]] const float* const b = arrays.b;             \
  [[maybe_unused]] const float* const c = arrays.c;             \
  [[maybe_unused]] const FLOATS constant = FLOATS{} + 1.25f

#define AT(FLOATS, ARRAY) (*reinterpret_cast<const FLOATS*>(ARRAY + at))
#define PLAIN(FLOATS) *reinterpret_cast<FLOATS*>(a + at) = value

#define ROOFTOP_KERNELS(ISA, TARGET, FLOATS, BITS, REGISTER, STREAM)                                   \
  ROOFTOP_READ(read_##ISA, TARGET, FLOATS, BITS, REGISTER)                                             \
  ROOFTOP_STORES(write_##ISA, TARGET, FLOATS, constant, PLAIN(FLOATS))                                 \
  ROOFTOP_STORES(copy_##ISA, TARGET, FLOATS, AT(FLOATS, b), PLAIN(FLOATS))                             \
  ROOFTOP_STORES(triad_##ISA, TARGET, FLOATS, AT(FLOATS, b) + constant * AT(FLOATS, c), PLAIN(FLOATS)) \
  ROOFTOP_STORES(write_nontemporal_##ISA, TARGET, FLOATS, constant, STREAM(a + at, value))             \
  ROOFTOP_STORES(copy_nontemporal_##ISA, TARGET, FLOATS, AT(FLOATS, b), STREAM(a + at, value))

#if defined(__x86_64__)
#define STORE_FENCE _mm_sfence()
ROOFTOP_KERNELS(sse2, , Floats4, Bits4, "x", _mm_stream_ps)
#define AVX2 __attribute__((target("avx2")))
ROOFTOP_KERNELS(avx2, AVX2, Floats8, Bits8, "x", _mm256_stream_ps)
#define AVX512F __attribute__((target("avx512f")))
ROOFTOP_KERNELS(avx512, AVX512F, Floats16, Bits16, "v", _mm512_stream_ps)
#else
#define STORE_FENCE COMPILER_FENCE
#define PLAIN_STREAM(ADDRESS, VALUE) *reinterpret_cast<Floats4*>(ADDRESS) = VALUE
#if defined(__aarch64__)
ROOFTOP_KERNELS(vector, , Floats4, Bits4, "w", PLAIN_STREAM)
#else
ROOFTOP_KERNELS(vector, , Floats4, Bits4, "m", PLAIN_STREAM)
#endif
#endif

struct Kernel {
  const char* metric;
  int arrays;  ///< used, each counted once
  bool nontemporal;
  bool brief;  ///< measured again within campaigns
  void (*run)(const Arrays& arrays, std::uint64_t passes);
};

struct KernelSet {
  const char* isa;
  std::vector<Kernel> kernels;
};

#define KERNEL_SET(NAME, ISA)                                                            \
  KernelSet {                                                                            \
    NAME, {                                                                              \
      {"read", 1, false, true, read_##ISA}, {"write", 1, false, false, write_##ISA},     \
          {"copy", 2, false, true, copy_##ISA}, {"triad", 3, false, false, triad_##ISA}, \
          {"write_nontemporal", 1, true, false, write_nontemporal_##ISA},                \
          {"copy_nontemporal", 2, true, false, copy_nontemporal_##ISA},                  \
    }                                                                                    \
  }

KernelSet widest_kernels() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return KERNEL_SET("avx512", avx512);
  if (__builtin_cpu_supports("avx2")) return KERNEL_SET("avx2", avx2);
  return KERNEL_SET("sse2", sse2);
#elif defined(__aarch64__)
  return KERNEL_SET("neon", vector);
#else
  return KERNEL_SET("scalar", vector);
#endif
}

/// Arrays that start at different offsets within a 4 KiB page, because a load that follows a store to the same offset
/// of another page waits for it (4K aliasing).
Arrays carve(float* data, std::size_t bytes, int arrays) {
  constexpr std::size_t stagger_floats = 1344 / sizeof(float);
  const std::size_t count = bytes / sizeof(float) / static_cast<std::size_t>(arrays) / step_floats * step_floats;
  float* const second = data + (arrays > 1 ? count + stagger_floats : 0);
  float* const third = second + (arrays > 2 ? count + stagger_floats : 0);
  return {data, second, third, count};
}

/// Every kernel on every level once, with one team size.
void measure(const rooftop::ProbeLines& lines, const rooftop::ProbeOptions& options, const std::vector<int>& cpus,
             int threads) {
  const auto set = widest_kernels();
  for (const auto& level : probe::working_sets(cpus, threads)) {
    const bool memory = level.level == "memory";
    if (const auto objection = probe::objection(level); !objection.empty()) {
      lines.skip("bandwidth of memory: " + objection);
      continue;
    }
    constexpr std::size_t stagger_bytes = 2 * 4096;
    std::vector<probe::Pages> blocks;
    for (int thread = 0; thread < threads; ++thread) {
      blocks.emplace_back(level.thread_bytes + stagger_bytes, probe::PageSize::huge);
    }
    probe::Pace pace;
    pace.min_bursts = options.quick ? 2 : 5;
    pace.max_bursts = 1000;
    pace.budget_s = (memory ? 0.15 : 0.025) * (options.brief ? 0.4 : options.quick ? 1 : 4);
    bool touched = false;
    for (const auto& kernel : set.kernels) {
      if ((kernel.nontemporal && !memory) || (options.brief && !kernel.brief)) continue;
      const auto prepare = [&](int thread) {
        auto* const data = reinterpret_cast<float*>(blocks[static_cast<std::size_t>(thread)].data());
        if (!touched) std::fill_n(data, (level.thread_bytes + stagger_bytes) / sizeof(float), 1.0f);
        return carve(data, level.thread_bytes, kernel.arrays);
      };
      const auto bursts = probe::run_bursts(cpus, threads, pace, prepare, kernel.run);
      touched = true;
      const auto count = carve(nullptr, level.thread_bytes, kernel.arrays).count;
      const auto bytes = count * sizeof(float) * static_cast<std::size_t>(kernel.arrays * threads);
      rooftop::ProbeFields more = {
          {"level", level.level}, {"bytes", bytes}, {"isa", set.isa}, {"bursts", bursts.elapsed_s.size()}};
      if (level.over_below > 0) more.emplace_back("over_level_below", level.over_below);
      lines.figure(kernel.metric, static_cast<double>(bytes) / bursts.best_repetition_s(), "byte/s", threads, more);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const auto cpus = probe::usable_processors();
  const auto options = rooftop::parse_probe_options(argc, argv, static_cast<int>(cpus.size()));
  const rooftop::ProbeLines lines("bandwidth");
  // Looks that are seconds apart, because a neighbour on the same host can hold a core back for that long.
  for (int look = 0; look < (options.brief ? 1 : 2); ++look) {
    // Briefly, one thread too: what is predicted from both numbers must be of one time.
    for (const int threads : probe::team_sizes(options.threads, false)) measure(lines, options, cpus, threads);
  }
}
