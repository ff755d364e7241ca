/// Scalar, vector and fused rates: one polynomial at many points, by instructions that do 1 to 16 operations each.
///
/// The points are independent and in the L1 cache: what counts is how many operations an instruction does.
#include <algorithm>
#include <array>
#include <rooftop/aligned.hpp>
#include <rooftop/lab.hpp>
#include <string>
#include <vector>

#if defined(__x86_64__)
#define FOR(ISA) __attribute__((target(ISA)))
#define KEPT(VALUE) "+x"(VALUE)
#else
#define FOR(ISA)
#define KEPT(VALUE) "+m"(VALUE)
#endif

namespace {

/// The values at `points` points, computed `passes` times, of 1 + 2x + 3x^2 + ... + 9x^8.
class Polynomial final : public rooftop::Lab {
 public:
  struct Parameters {
    std::int64_t points, passes;
  };
  static constexpr std::array fields{rooftop::field<&Parameters::points>("points", 1, 1 << 20),
                                     rooftop::field<&Parameters::passes>("passes", 1, 1 << 20)};
  static std::vector<Parameters> checks() {
    return {{.points = 1, .passes = 1}, {.points = 16, .passes = 2}, {.points = 101, .passes = 1}};
  }

  Polynomial(const Parameters& given, const rooftop::Setting& /*setting*/)
      : parameters(given), at(rounded(given.points)), values(rounded(given.points)) {
    for (std::size_t i = 0; i < at.size(); ++i) at[i] = static_cast<double>(i % 5);
  }

  void poison() override { std::fill(values.begin(), values.end(), -1); }
  void spoil() override { values[static_cast<std::size_t>(parameters.points) - 1] += 1; }

  [[nodiscard]] rooftop::Verdict verify(std::string_view /*algorithm*/) const override {
    constexpr std::array<double, 5> expected{1, 45, 4097, 83653, 757305};  // at 0 to 4, and exact
    for (std::size_t i = 0; i < static_cast<std::size_t>(parameters.points); ++i) {
      if (values[i] != expected[i % 5]) return rooftop::exact("the value at point " + std::to_string(i) + " is wrong");
    }
    return rooftop::exact("");
  }

  const Parameters parameters;
  rooftop::AlignedArray<double> at;
  rooftop::AlignedArray<double> values;  ///< the result

  /// The last vectors may hold points that nobody asked for.
  static std::size_t rounded(std::int64_t points) { return (static_cast<std::size_t>(points) + 31) / 32 * 32; }
};

using One = double;
using Four [[gnu::vector_size(32), gnu::may_alias]] = double;
using Eight [[gnu::vector_size(64), gnu::may_alias]] = double;

using Kernel = void(const double* at, double* values, std::size_t points, std::int64_t passes);

/// Horner's scheme on four VALUEs side by side. A macro, because what an instruction set allows belongs to each
/// function: without fma the compiler cannot fuse. The empty asm keeps it from making four scalars a vector.
#define HORNER(NAME, ISA, VALUE)                                                                  \
  FOR(ISA) void NAME(const double* at, double* values, std::size_t points, std::int64_t passes) { \
    for (std::int64_t pass = 0; pass < passes; ++pass) {                                          \
      for (std::size_t i = 0; i < points; i += 4 * (sizeof(VALUE) / 8)) {                         \
        const VALUE* x = reinterpret_cast<const VALUE*>(at + i);                                  \
        VALUE* out = reinterpret_cast<VALUE*>(values + i);                                        \
        VALUE a = VALUE{} + 9.0, b = a, c = a, d = a;                                             \
        _Pragma("GCC unroll 8") for (int k = 8; k > 0; --k) {                                     \
          a = a * x[0] + double(k), b = b * x[1] + double(k);                                     \
          c = c * x[2] + double(k), d = d * x[3] + double(k);                                     \
        }                                                                                         \
        asm volatile("" : KEPT(a), KEPT(b), KEPT(c), KEPT(d));                                    \
        out[0] = a, out[1] = b, out[2] = c, out[3] = d;                                           \
      }                                                                                           \
    }                                                                                             \
  }
HORNER(scalar, "sse2", One)
HORNER(scalar_fused, "avx2,fma", One)
HORNER(vector, "avx2", Four)
HORNER(vector_fused, "avx2,fma", Four)
HORNER(wide_fused, "avx512f,fma", Eight)

template <Kernel* kernel, bool fused>
class Horner final : public rooftop::LabRung {
 public:
  explicit Horner(Polynomial& lab) : lab_(lab) {}
  void run() override {
    const Polynomial::Parameters& given = lab_.parameters;
    kernel(lab_.at.data(), lab_.values.data(), static_cast<std::size_t>(given.points), given.passes);
  }
  [[nodiscard]] rooftop::Work work() const override {
    const auto points = static_cast<double>(lab_.parameters.points);
    const double steps = 8 * points * static_cast<double>(lab_.parameters.passes);
    const double bytes = 2 * sizeof(double) * points;
    return {.fma_flops = fused ? 2 * steps : 0,
            .add_flops = fused ? 0 : 2 * steps,
            .memory_bytes = bytes * static_cast<double>(lab_.parameters.passes),
            .working_set_bytes = bytes,
            .algorithm = {}};
  }

 private:
  Polynomial& lab_;
};

using rooftop::variant;

}  // namespace

ROOFTOP_LAB(Polynomial, variant<Horner<scalar, false>, Polynomial>("10-scalar", "A product, then a sum, of one point."),
            variant<Horner<scalar_fused, true>, Polynomial>("20-scalar-fused.avx2", "Both in one instruction."),
            variant<Horner<vector, false>, Polynomial>("30-vector.avx2", "A product, then a sum, of four points."),
            variant<Horner<vector_fused, true>, Polynomial>("40-vector-fused.avx2", "Both, of four points at once."),
            variant<Horner<wide_fused, true>, Polynomial>("50-wide-fused.avx512", "Both, of eight points at once."));
