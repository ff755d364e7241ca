/// 4K aliasing: a load that resembles an earlier store in the last twelve bits of its address.
///
/// A load must see an earlier store to its address that is still in the store buffer. To find it at once, a core
/// compares the lower twelve bits first. If only those agree, the load may have to wait for a store that it does not
/// need.
#include <algorithm>
#include <array>
#include <rooftop/aligned.hpp>
#include <rooftop/lab.hpp>
#include <string>
#include <vector>

namespace {

/// A copy of `count` numbers, `passes` times.
class Copy final : public rooftop::Lab {
 public:
  struct Parameters {
    std::int64_t count;
    std::int64_t passes;
  };
  static constexpr std::array fields{rooftop::field<&Parameters::count>("count", 1, 1 << 20),
                                     rooftop::field<&Parameters::passes>("passes", 1, 1 << 20)};
  static std::vector<Parameters> checks() { return {{.count = 1, .passes = 1}, {.count = 251, .passes = 3}}; }

  Copy(const Parameters& given, const rooftop::Setting& /*setting*/)
      : parameters(given), result(static_cast<std::size_t>(given.count)) {}

  void poison() override { std::fill(result.begin(), result.end(), -1); }
  void spoil() override { result.back() += 1; }
  [[nodiscard]] rooftop::Verdict verify(std::string_view /*algorithm*/) const override {
    for (std::int64_t i = 0; i < parameters.count; ++i) {
      const std::int64_t found = result[static_cast<std::size_t>(i)];
      if (found != 3 * i) return rooftop::exact("number " + std::to_string(i) + " is " + std::to_string(found));
    }
    return rooftop::exact("");
  }

  const Parameters parameters;
  std::vector<std::int64_t> result;
};

/// The target lies `offset` bytes further within its page than the source. The empty asm keeps the compiler from
/// copying by vectors, or by the library.
template <std::size_t offset>
class At final : public rooftop::LabRung {
 public:
  explicit At(Copy& lab) : lab_(lab) {
    const std::size_t bytes = lab.result.size() * sizeof(std::int64_t);
    const std::size_t pages = (bytes + 4095) / 4096 + 1;
    memory_ = rooftop::AlignedArray<std::int64_t>((2 * pages + 1) * 512);
    from_ = memory_.data();
    to_ = memory_.data() + pages * 512 + offset / sizeof(std::int64_t);
    for (std::int64_t i = 0; i < lab.parameters.count; ++i) from_[i] = 3 * i;
  }

  void run() override {
    const std::int64_t* from = from_;
    std::int64_t* to = to_;
    const std::int64_t count = lab_.parameters.count;
    for (std::int64_t pass = 0; pass < lab_.parameters.passes; ++pass) {
#pragma GCC unroll 4
      for (std::int64_t i = 0; i < count; ++i) {
        to[i] = from[i];
        asm volatile("" ::: "memory");
      }
    }
  }
  void finish() override {
    for (std::size_t i = 0; i < lab_.result.size(); ++i) lab_.result[i] = to_[i];
  }
  [[nodiscard]] rooftop::Work work() const override {
    const double bytes = 2.0 * sizeof(std::int64_t) * static_cast<double>(lab_.parameters.count);
    return {.memory_bytes = bytes * static_cast<double>(lab_.parameters.passes),
            .working_set_bytes = bytes,
            .algorithm = {}};
  }

 private:
  Copy& lab_;
  rooftop::AlignedArray<std::int64_t> memory_;
  std::int64_t* from_ = nullptr;
  std::int64_t* to_ = nullptr;
};

using rooftop::variant;

}  // namespace

ROOFTOP_LAB(Copy, variant<At<8>, Copy>("10-8-bytes-ahead", "Each load resembles the store before it."),
            variant<At<64>, Copy>("20-64-bytes-ahead", "Each load resembles the eighth store before it."),
            variant<At<2048>, Copy>("30-2048-bytes-ahead", "No store under way resembles a load."));
