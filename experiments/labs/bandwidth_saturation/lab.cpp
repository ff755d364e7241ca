/// Bandwidth saturation: a loop that scales in cache stops scaling in memory.
///
/// Each core has its own L1 and L2 cache, and their bandwidth grows with the number of cores. Memory has one, for all
/// of them.
#include <omp.h>

#include <array>
#include <rooftop/aligned.hpp>
#include <rooftop/lab.hpp>
#include <string>
#include <vector>

#if defined(__x86_64__)
#define FOR_AVX2 __attribute__((target("avx2,fma,bmi2")))
#else
#define FOR_AVX2
#endif

namespace {

/// a = b + 3c, of `length` numbers each in memory, and of as many in pieces that stay in the cores' own caches.
class Triad final : public rooftop::Lab {
 public:
  struct Parameters {
    std::int64_t length;
    std::int64_t piece;
  };
  static constexpr std::array fields{rooftop::field<&Parameters::length>("length", 1, 1LL << 32),
                                     rooftop::field<&Parameters::piece>("piece", 1, 1LL << 32)};
  static std::vector<Parameters> checks() { return {{.length = 1, .piece = 1}, {.length = 10007, .piece = 101}}; }

  Triad(const Parameters& given, const rooftop::Setting& setting) : parameters(given), threads(setting.threads) {}

  void poison() override { results.assign(1, -1); }
  void spoil() override { results.back() += 1; }
  [[nodiscard]] rooftop::Verdict verify(std::string_view /*algorithm*/) const override {
    if (results.size() != expected_size)
      return rooftop::exact("there are " + std::to_string(results.size()) + " results");
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (results[i] != static_cast<float>(i % first_period + 3 * (i % second_period)))
        return rooftop::exact("result " + std::to_string(i) + " is wrong");
    }
    return rooftop::exact("");
  }

  static constexpr std::size_t first_period = 1021;
  static constexpr std::size_t second_period = 509;
  const Parameters parameters;
  const int threads;
  std::size_t expected_size = 0;  ///< numbers that the variant has
  std::vector<float> results;
};

FOR_AVX2 void triad(float* __restrict a, const float* b, const float* c, std::size_t length) {
  for (std::size_t i = 0; i < length; ++i) a[i] = b[i] + 3 * c[i];
}

/// Each thread has its part of the arrays: a piece of `piece` numbers, over which it goes again and again, or all of
/// its share.
template <bool in_cache>
class Parts final : public rooftop::LabRung {
 public:
  explicit Parts(Triad& lab)
      : lab_(lab),
        share_(whole_lines((static_cast<std::size_t>(lab.parameters.length) + threads() - 1) / threads())),
        part_(in_cache ? whole_lines(static_cast<std::size_t>(lab.parameters.piece)) : share_),
        a_(part_ * threads()),
        b_(part_ * threads()),
        c_(part_ * threads()) {
    lab.expected_size = a_.size();
  }

  /// Each thread writes its own part first, which puts it near the thread.
  void prepare() override {
#pragma omp parallel num_threads(lab_.threads)
    for (std::size_t i = begin(); i < begin() + part_; ++i) {
      a_[i] = 0;
      b_[i] = static_cast<float>(i % Triad::first_period);
      c_[i] = static_cast<float>(i % Triad::second_period);
    }
  }
  void run() override {
#pragma omp parallel num_threads(lab_.threads)
    for (std::size_t done = 0; done < share_; done += part_) {
      triad(a_.data() + begin(), b_.data() + begin(), c_.data() + begin(), part_);
    }
  }
  void finish() override { lab_.results.assign(a_.begin(), a_.end()); }
  [[nodiscard]] rooftop::Work work() const override {
    const auto numbers = static_cast<double>((share_ + part_ - 1) / part_ * part_ * threads());
    return {.fma_flops = 2 * numbers,
            .memory_bytes = 3 * sizeof(float) * numbers,
            .working_set_bytes = static_cast<double>(3 * sizeof(float) * a_.size()),
            .algorithm = {}};
  }

 private:
  static std::size_t whole_lines(std::size_t numbers) { return (numbers + 15) / 16 * 16; }
  [[nodiscard]] std::size_t threads() const { return static_cast<std::size_t>(lab_.threads); }
  [[nodiscard]] std::size_t begin() const { return part_ * static_cast<std::size_t>(omp_get_thread_num()); }

  Triad& lab_;
  std::size_t share_;
  std::size_t part_;
  rooftop::AlignedArray<float> a_, b_, c_;
};

using rooftop::variant;

}  // namespace

ROOFTOP_LAB(Triad, variant<Parts<false>, Triad>("10-memory.avx2", "Arrays much larger than the caches."),
            variant<Parts<true>, Triad>("20-cache.avx2", "As many operations on arrays in the cores' own L2 caches."));
