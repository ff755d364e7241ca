/// Amdahl and Gustafson: a program of which one part runs on one thread only.
///
/// On T threads a program with the serial share s takes s + (1 - s) / T of its time: at most 1 / s times as fast. If
/// the parallel part grows with the machine, the time stays, and what is done grows.
#include <omp.h>

#include <array>
#include <rooftop/delay.hpp>
#include <rooftop/lab.hpp>
#include <string>

namespace {

/// Additions, of which `serial_percent` are made by one thread while the others wait.
class Shares final : public rooftop::Lab {
 public:
  struct Parameters {
    std::int64_t additions;
    std::int64_t serial_percent;
  };
  static constexpr std::array fields{rooftop::field<&Parameters::additions>("additions", 100, 1 << 30),
                                     rooftop::field<&Parameters::serial_percent>("serial_percent", 0, 100)};
  static std::vector<Parameters> checks() {
    return {{.additions = 100, .serial_percent = 0}, {.additions = 1009, .serial_percent = 5}};
  }

  Shares(const Parameters& given, const rooftop::Setting& setting) : parameters(given), threads(setting.threads) {}

  void poison() override { sum = parts = -1; }
  void spoil() override { sum += 1; }

  /// A step for each addition; the variant says how many times the parallel part was done.
  [[nodiscard]] rooftop::Verdict verify(std::string_view algorithm) const override {
    const std::int64_t grown = algorithm == "grown" ? threads : 1;
    const std::int64_t expected =
        rooftop::Delay::step * (algorithm == "parallel" ? parameters.additions : serial() + grown * parallel());
    if (sum == expected && parts == threads) return rooftop::exact("");
    return rooftop::exact("the sum is " + std::to_string(sum) + ", expected " + std::to_string(expected));
  }

  [[nodiscard]] std::int64_t serial() const { return parameters.additions * parameters.serial_percent / 100; }
  [[nodiscard]] std::int64_t parallel() const { return parameters.additions - serial(); }

  const Parameters parameters;
  const int threads;
  std::int64_t sum = 0;    ///< the result: of all additions
  std::int64_t parts = 0;  ///< and how many threads took part
};

std::int64_t add(std::int64_t additions) { return rooftop::Delay().after(std::int64_t{0}, additions); }

enum class Kind { amdahl, parallel, grown };

template <Kind kind>
class Program final : public rooftop::LabRung {
 public:
  explicit Program(Shares& lab) : lab_(lab) {}

  void run() override {
    const std::int64_t serial = kind == Kind::parallel ? 0 : lab_.serial();
    const std::int64_t rest = kind == Kind::parallel ? lab_.parameters.additions : lab_.parallel();
    const std::int64_t parallel = kind == Kind::grown ? rest * lab_.threads : rest;
    std::int64_t sum = add(serial);
    std::int64_t parts = 0;
#pragma omp parallel num_threads(lab_.threads) reduction(+ : sum, parts)
    {
      const std::int64_t thread = omp_get_thread_num();
      sum += add(parallel * (thread + 1) / lab_.threads - parallel * thread / lab_.threads);
      parts += 1;
    }
    lab_.sum = sum;
    lab_.parts = parts;
  }
  [[nodiscard]] rooftop::Work work() const override {
    const char* const names[] = {"amdahl", "parallel", "grown"};
    return {.algorithm = names[static_cast<int>(kind)]};
  }

 private:
  Shares& lab_;
};

using rooftop::variant;

}  // namespace

ROOFTOP_LAB(Shares, variant<Program<Kind::amdahl>, Shares>("10-amdahl", "One part serial, the rest shared out."),
            variant<Program<Kind::parallel>, Shares>("20-all-parallel", "The same work without a serial part."),
            variant<Program<Kind::grown>, Shares>("30-gustafson", "A parallel part that grows with the threads."));
