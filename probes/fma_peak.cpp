/// Peak multiply-add rate: every instruction set the processor has, fp32 and fp64, one core and all.
///
/// Each kernel keeps 12 independent chains (4 cycles latency x 2 ports needs 8 on current cores) that together with two
/// constants fit the 16 registers of SSE2 and AVX2. The sets without FMA do a multiplication and a dependent addition.
/// Wide vectors may lower the clock, so each set is warmed up by its own calibration and the best of short bursts
/// counts.
#include <cstdint>
#include <vector>

#include "bursts.hpp"
#include "rooftop/probe_lines.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace {

constexpr int chains = 12;
constexpr int steps = 8;  ///< in one round of the loop, whose own instructions share ports with AVX2's

#if defined(__x86_64__)
#define IN_REGISTER "x"
#elif defined(__aarch64__)
#define IN_REGISTER "w"
#else
#define IN_REGISTER "f"
#endif

// The empty asm makes the constants opaque and, on scalars, keeps the chains from being packed into vectors.
#define ROOFTOP_CHAINS(NAME, TARGET, REGISTER, VALUE, SET, STEP)         \
  TARGET __attribute__((noinline)) void NAME(std::uint64_t rounds) {     \
    VALUE a = SET(0.9999f), b = SET(1e-4f);                              \
    asm volatile("" : "+" REGISTER(a), "+" REGISTER(b));                 \
    VALUE x[chains];                                                     \
    _Pragma("GCC unroll 12") for (int i = 0; i < chains; ++i) {          \
      x[i] = SET(1.0f);                                                  \
      asm volatile("" : "+" REGISTER(x[i]));                             \
    }                                                                    \
    for (std::uint64_t round = 0; round < rounds; ++round) {             \
      _Pragma("GCC unroll 8") for (int step = 0; step < steps; ++step) { \
        _Pragma("GCC unroll 12") for (int i = 0; i < chains; ++i) {      \
          x[i] = STEP;                                                   \
          asm volatile("" : "+" REGISTER(x[i]));                         \
        }                                                                \
      }                                                                  \
    }                                                                    \
  }

#define SET_FLOAT(value) (value)
#define SET_DOUBLE(value) static_cast<double>(value)
ROOFTOP_CHAINS(scalar_fp32, , IN_REGISTER, float, SET_FLOAT, x[i] * a + b)
ROOFTOP_CHAINS(scalar_fp64, , IN_REGISTER, double, SET_DOUBLE, x[i] * a + b)
#if defined(__x86_64__)
#define AVX2_FMA __attribute__((target("avx2,fma")))
#define AVX512F __attribute__((target("avx512f")))
ROOFTOP_CHAINS(sse2_fp32, , "x", __m128, _mm_set1_ps, _mm_add_ps(_mm_mul_ps(x[i], a), b))
ROOFTOP_CHAINS(sse2_fp64, , "x", __m128d, _mm_set1_pd, _mm_add_pd(_mm_mul_pd(x[i], a), b))
ROOFTOP_CHAINS(avx2_fp32, AVX2_FMA, "x", __m256, _mm256_set1_ps, _mm256_fmadd_ps(x[i], a, b))
ROOFTOP_CHAINS(avx2_fp64, AVX2_FMA, "x", __m256d, _mm256_set1_pd, _mm256_fmadd_pd(x[i], a, b))
ROOFTOP_CHAINS(avx512_fp32, AVX512F, "v", __m512, _mm512_set1_ps, _mm512_fmadd_ps(x[i], a, b))
ROOFTOP_CHAINS(avx512_fp64, AVX512F, "v", __m512d, _mm512_set1_pd, _mm512_fmadd_pd(x[i], a, b))
#elif defined(__aarch64__)
ROOFTOP_CHAINS(neon_fp32, , "w", float32x4_t, vdupq_n_f32, vfmaq_f32(b, x[i], a))
ROOFTOP_CHAINS(neon_fp64, , "w", float64x2_t, vdupq_n_f64, vfmaq_f64(b, x[i], a))
#endif

struct Kernel {
  const char* isa;
  const char* precision;
  int lanes;
  void (*run)(std::uint64_t rounds);
};

/// Only what this processor can execute.
std::vector<Kernel> kernels() {
  std::vector<Kernel> all = {{"scalar", "fp32", 1, scalar_fp32}, {"scalar", "fp64", 1, scalar_fp64}};
#if defined(__x86_64__)
  all.push_back({"sse2", "fp32", 4, sse2_fp32});
  all.push_back({"sse2", "fp64", 2, sse2_fp64});
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    all.push_back({"avx2", "fp32", 8, avx2_fp32});
    all.push_back({"avx2", "fp64", 4, avx2_fp64});
  }
  if (__builtin_cpu_supports("avx512f")) {
    all.push_back({"avx512", "fp32", 16, avx512_fp32});
    all.push_back({"avx512", "fp64", 8, avx512_fp64});
  }
#elif defined(__aarch64__)
  all.push_back({"neon", "fp32", 4, neon_fp32});
  all.push_back({"neon", "fp64", 2, neon_fp64});
#endif
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  const auto cpus = probe::usable_processors();
  const auto options = rooftop::parse_probe_options(argc, argv, static_cast<int>(cpus.size()));
  const rooftop::ProbeLines lines("fma_peak");
  probe::Pace pace;
  pace.max_bursts = 1000;
  pace.budget_s = options.brief ? 0.01 : options.quick ? 0.04 : 0.25;
  // Looks that are seconds apart, because a neighbour on the same host can hold a core back for that long.
  for (int look = 0; look < (options.brief ? 1 : 2); ++look)
    for (const int threads : probe::team_sizes(options.threads, false)) {
      for (const auto& kernel : kernels()) {
        const auto bursts = probe::run_bursts(
            cpus, threads, pace, [](int) { return 0; },
            [&](int, std::uint64_t repetitions) { kernel.run(repetitions * 100); });
        const double flops = 2.0 * kernel.lanes * chains * steps * 100 * threads;
        lines.figure("fma", flops / bursts.best_repetition_s(), "flop/s", threads,
                     {{"isa", kernel.isa}, {"precision", kernel.precision}, {"bursts", bursts.elapsed_s.size()}});
      }
    }
}
