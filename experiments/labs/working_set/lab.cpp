/// The staircase of a growing working set: latency and bandwidth of the level that holds it.
///
/// Hops at random through a chain of lines wait for one line after the other. A sum in order lets the hardware fetch
/// lines in advance, as many as the level can deliver.
#include <array>
#include <numeric>
#include <rooftop/aligned.hpp>
#include <rooftop/lab.hpp>
#include <rooftop/random.hpp>
#include <string>
#include <utility>
#include <vector>

#if defined(__x86_64__)
#define AVX2 __attribute__((target("avx2,fma,bmi2")))
#else
#define AVX2
#endif

namespace {

struct alignas(64) Line {
  const Line* next;
  std::uint64_t place;  ///< on the way through all lines
  std::uint64_t rest[6];
};
typedef std::uint64_t Vector __attribute__((vector_size(32), may_alias));

/// `hops` from line to line in random order, or `passes` through all lines from the first to the last.
class WorkingSet final : public rooftop::Lab {
 public:
  struct Parameters {
    std::string level;
    std::int64_t bytes;
    std::int64_t hops;
    std::int64_t passes;
  };
  static constexpr std::array fields{
      rooftop::field<&Parameters::level>("level"), rooftop::field<&Parameters::bytes>("bytes", 64, 1e12),
      rooftop::field<&Parameters::hops>("hops", 1, 1 << 30), rooftop::field<&Parameters::passes>("passes", 1, 1 << 30)};
  static std::vector<Parameters> checks() {
    return {{.level = "L1", .bytes = 64, .hops = 1, .passes = 1},
            {.level = "L1", .bytes = 16064, .hops = 1009, .passes = 3}};
  }

  WorkingSet(Parameters given, const rooftop::Setting& setting)
      : parameters(std::move(given)), lines(static_cast<std::size_t>(parameters.bytes) / sizeof(Line)) {
    std::vector<std::uint32_t> order(lines.size());
    std::iota(order.begin(), order.end(), 0U);
    const rooftop::RandomStream stream(setting.seed);
    for (std::size_t i = order.size() - 1; i > 0; --i) std::swap(order[i], order[stream.bits(i) % (i + 1)]);
    for (std::size_t i = 0; i < order.size(); ++i) {
      lines[order[i]] = {.next = &lines[order[(i + 1) % order.size()]], .place = i, .rest = {1, 1, 1, 1, 1, 1}};
    }
  }

  void poison() override { found = ~std::uint64_t{0}; }
  void spoil() override { found += 1; }
  [[nodiscard]] rooftop::Verdict verify(std::string_view /*algorithm*/) const override {
    if (found == expected) return rooftop::exact("");
    return rooftop::exact("found " + std::to_string(found) + ", expected " + std::to_string(expected));
  }

  const Parameters parameters;
  rooftop::AlignedArray<Line> lines;
  std::uint64_t expected = 0;  ///< of the variant that ran: the last line's place, or the sum
  std::uint64_t found = 0;     ///< the result
};

/// Goes on where the run before ended, so that lines of memory are not in a cache from then.
class Hops final : public rooftop::LabRung {
 public:
  explicit Hops(WorkingSet& lab) : lab_(lab), at_(lab.lines.data()) {}

  void run() override {
    lab_.expected = (at_->place + static_cast<std::uint64_t>(lab_.parameters.hops)) % lab_.lines.size();
    for (std::int64_t hop = 0; hop < lab_.parameters.hops; ++hop) at_ = at_->next;
  }
  void finish() override { lab_.found = at_->place; }

 private:
  WorkingSet& lab_;
  const Line* at_;
};

/// Eight sums, so that no addition waits.
class Stream final : public rooftop::LabRung {
 public:
  explicit Stream(WorkingSet& lab) : lab_(lab) {
    std::uint64_t once = 0;
    for (const Line& line : lab.lines) once += reinterpret_cast<std::uintptr_t>(line.next) + line.place + 6;
    lab.expected = once * static_cast<std::uint64_t>(lab.parameters.passes);
  }

  AVX2 void run() override {
    Vector sums[8] = {};
    for (std::int64_t pass = 0; pass < lab_.parameters.passes; ++pass) {
      const auto* vector = reinterpret_cast<const Vector*>(lab_.lines.data());
      const auto* const end = vector + 2 * lab_.lines.size();
      for (; end - vector >= 8; vector += 8) {
#pragma GCC unroll 8
        for (std::size_t i = 0; i < 8; ++i) sums[i] += vector[i];
      }
      for (; vector < end; ++vector) sums[0] += *vector;
      asm volatile("" ::: "memory");  // the next pass reads again
    }
    for (std::size_t i = 1; i < 8; ++i) sums[0] += sums[i];
    lab_.found = sums[0][0] + sums[0][1] + sums[0][2] + sums[0][3];
  }
  [[nodiscard]] rooftop::Work work() const override {
    const auto bytes = static_cast<double>(lab_.parameters.bytes);
    const auto passes = static_cast<double>(lab_.parameters.passes);
    return {.memory_bytes = bytes * passes, .working_set_bytes = bytes, .algorithm = {}};
  }

 private:
  WorkingSet& lab_;
};

using rooftop::variant;

}  // namespace

ROOFTOP_LAB(WorkingSet, variant<Hops, WorkingSet>("10-random-hops", "Each line says which is next: latency."),
            variant<Stream, WorkingSet>("20-stream.avx2", "All lines in order: bandwidth."));
