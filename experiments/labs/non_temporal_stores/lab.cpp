/// Non-temporal stores: past the caches, without reading first what is overwritten.
///
/// A plain store needs its line in the cache, so the line is read from memory before it is written, and goes back to
/// memory later. A non-temporal store collects a whole line and sends it to memory directly.
#include <algorithm>
#include <array>
#include <rooftop/aligned.hpp>
#include <rooftop/lab.hpp>
#include <string>
#include <vector>

#if defined(__x86_64__)
#include <immintrin.h>
#define AVX2 __attribute__((target("avx2,fma,bmi2")))
#else
#define AVX2
#endif

namespace {

/// A copy of an array of whole lines, or a fill with the number that its first element has.
class Stores final : public rooftop::Lab {
 public:
  struct Parameters {
    std::string level;
    std::int64_t bytes;
  };
  static constexpr std::array fields{rooftop::field<&Parameters::level>("level"),
                                     rooftop::field<&Parameters::bytes>("bytes", 64, 1e12)};
  static std::vector<Parameters> checks() { return {{.level = "L1", .bytes = 64}, {.level = "L1", .bytes = 64 * 37}}; }

  Stores(const Parameters& given, const rooftop::Setting& /*setting*/)
      : from(static_cast<std::size_t>(given.bytes) / 64 * 8), to(from.size()) {
    for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<std::int64_t>(5 * i + 1);
    poison();
  }

  void poison() override { std::fill(to.begin(), to.end(), -1); }
  void spoil() override { to[to.size() - 1] += 1; }
  [[nodiscard]] rooftop::Verdict verify(std::string_view /*algorithm*/) const override {
    for (std::size_t i = 0; i < to.size(); ++i) {
      const auto expected = static_cast<std::int64_t>(fill ? 1 : 5 * i + 1);
      if (to[i] != expected) return rooftop::exact("number " + std::to_string(i) + " is " + std::to_string(to[i]));
    }
    return rooftop::exact("");
  }

  rooftop::AlignedArray<std::int64_t> from;
  rooftop::AlignedArray<std::int64_t> to;  ///< the result
  bool fill = false;                       ///< whether the variant that ran is a fill
};

template <bool fill, bool non_temporal>
class Store final : public rooftop::LabRung {
 public:
  explicit Store(Stores& lab) : lab_(lab) {
    lab_.fill = fill;
#if !defined(__x86_64__)
    throw rooftop::Skip("written for x86-64");
#endif
  }

  AVX2 void run() override {
#if defined(__x86_64__)
    const auto* from = reinterpret_cast<const __m256i*>(lab_.from.data());
    auto* const to = reinterpret_cast<__m256i*>(lab_.to.data());
    const std::size_t count = lab_.to.size() / 4;
    const __m256i constant = _mm256_set1_epi64x(lab_.from[0]);
#pragma GCC unroll 4
    for (std::size_t i = 0; i < count; ++i) {
      const __m256i value = fill ? constant : _mm256_load_si256(from + i);
      if constexpr (non_temporal) {
        _mm256_stream_si256(to + i, value);
      } else {
        _mm256_store_si256(to + i, value);
        asm volatile("" ::: "memory");  // or the compiler calls memcpy, which decides by itself
      }
    }
    _mm_sfence();  // so that the stores are done when the run ends
#endif
  }
  [[nodiscard]] rooftop::Work work() const override {
    const double bytes = 8.0 * static_cast<double>(lab_.to.size()) * (fill ? 1 : 2);
    return {.memory_bytes = bytes, .working_set_bytes = bytes, .algorithm = {}};
  }

 private:
  Stores& lab_;
};

using rooftop::variant;

}  // namespace

ROOFTOP_LAB(Stores, variant<Store<false, false>, Stores>("10-copy.avx2", "Plain stores, which read their lines first."),
            variant<Store<false, true>, Stores>("20-copy-non-temporal.avx2", "Stores past the caches."),
            variant<Store<true, false>, Stores>("30-fill.avx2", "A fill with plain stores."),
            variant<Store<true, true>, Stores>("40-fill-non-temporal.avx2", "A fill past the caches."));
