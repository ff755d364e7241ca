/// Loop schedules: who gets which iterations, on work that is even and on work that grows.
///
/// A static schedule fixes the shares before the loop, a dynamic one hands out the next chunk to who asks: each time an
/// addition to a common counter, whose cache line comes from the core that asked last.
#include <array>
#include <rooftop/delay.hpp>
#include <rooftop/lab.hpp>
#include <string>
#include <vector>

namespace {

/// Iterations of `cycles` cycles, or, if skewed, of 0 to 2 * `cycles`: the mean is the same.
class Iterations final : public rooftop::Lab {
 public:
  struct Parameters {
    std::int64_t iterations;
    std::int64_t cycles;
    std::int64_t skewed;
  };
  static constexpr std::array fields{rooftop::field<&Parameters::iterations>("iterations", 1, 1 << 24),
                                     rooftop::field<&Parameters::cycles>("cycles", 0, 1 << 24),
                                     rooftop::field<&Parameters::skewed>("skewed", 0, 1)};
  static std::vector<Parameters> checks() {
    return {{.iterations = 1, .cycles = 0, .skewed = 0}, {.iterations = 203, .cycles = 9, .skewed = 1}};
  }

  Iterations(const Parameters& given, const rooftop::Setting& setting)
      : parameters(given), threads(setting.threads), done(static_cast<std::size_t>(given.iterations)) {}

  void poison() override { done.assign(done.size(), -1); }
  void spoil() override { done.back() += 1; }

  [[nodiscard]] rooftop::Verdict verify(std::string_view /*algorithm*/) const override {
    for (std::size_t i = 0; i < done.size(); ++i) {
      const std::int64_t expected = 7 + rooftop::Delay::step * cycles_of(static_cast<std::int64_t>(i));
      if (done[i] == expected) continue;
      return rooftop::exact("iteration " + std::to_string(i) + " gave " + std::to_string(done[i]));
    }
    return rooftop::exact("");
  }

  [[nodiscard]] std::int64_t cycles_of(std::int64_t i) const {
    return parameters.skewed != 0 ? 2 * parameters.cycles * i / parameters.iterations : parameters.cycles;
  }
  void iterate(std::int64_t i) {
    done[static_cast<std::size_t>(i)] = rooftop::Delay().after(std::int64_t{7}, cycles_of(i));
  }

  const Parameters parameters;
  const int threads;
  std::vector<std::int64_t> done;  ///< the result
};

enum class Kind : std::uint8_t { blocks, static_1, dynamic, dynamic_16, guided };

/// One schedule, known to the compiler: with `schedule(runtime)` each chunk is a call of the library, a static one too.
template <Kind kind>
class Schedule final : public rooftop::LabRung {
 public:
  explicit Schedule(Iterations& lab) : lab_(lab) {}

  void run() override {
    const std::int64_t count = lab_.parameters.iterations;
#pragma omp parallel num_threads(lab_.threads)
    if constexpr (kind == Kind::blocks) {
#pragma omp for schedule(static)
      for (std::int64_t i = 0; i < count; ++i) lab_.iterate(i);
    } else if constexpr (kind == Kind::static_1) {
#pragma omp for schedule(static, 1)
      for (std::int64_t i = 0; i < count; ++i) lab_.iterate(i);
    } else if constexpr (kind == Kind::guided) {
#pragma omp for schedule(guided)
      for (std::int64_t i = 0; i < count; ++i) lab_.iterate(i);
    } else {
#pragma omp for schedule(dynamic, kind == Kind::dynamic ? 1 : 16)
      for (std::int64_t i = 0; i < count; ++i) lab_.iterate(i);
    }
  }

 private:
  Iterations& lab_;
};

using rooftop::variant;

}  // namespace

ROOFTOP_LAB(Iterations, variant<Schedule<Kind::blocks>, Iterations>("10-static", "A contiguous share for each thread."),
            variant<Schedule<Kind::static_1>, Iterations>("20-static-1", "One iteration for each, in turn."),
            variant<Schedule<Kind::dynamic>, Iterations>("30-dynamic", "The next iteration to who asks."),
            variant<Schedule<Kind::dynamic_16>, Iterations>("40-dynamic-16", "The next 16 to who asks."),
            variant<Schedule<Kind::guided>, Iterations>("50-guided", "Chunks that become smaller."));
