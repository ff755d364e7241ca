/// Strong and weak scaling of two kernels: one of even rows, one of rows that become longer.
///
/// Strong: the same problem on more threads. Weak: a problem that grows with them. The time follows the thread with the
/// most work, and the balance, the mean work over the most, says how much of the machine is used.
#include <omp.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <numeric>
#include <rooftop/delay.hpp>
#include <rooftop/lab.hpp>
#include <string>

namespace {

/// A triangle or a rectangle of additions, `rows` high; in a weak study it has `rows` for each thread.
class Rows final : public rooftop::Lab {
 public:
  struct Parameters {
    std::int64_t rows;
    std::int64_t cycles;
  };
  static constexpr std::array fields{rooftop::field<&Parameters::rows>("rows", 1, 1 << 20),
                                     rooftop::field<&Parameters::cycles>("cycles", 0, 1 << 20)};
  static std::vector<Parameters> checks() { return {{.rows = 1, .cycles = 0}, {.rows = 61, .cycles = 9}}; }

  Rows(const Parameters& given, const rooftop::Setting& setting)
      : parameters(given), threads(setting.threads), busy_ns(static_cast<std::size_t>(setting.threads)) {}

  void poison() override { done.assign(1, -1); }
  void spoil() override { done.back() += 1; }

  [[nodiscard]] rooftop::Verdict verify(std::string_view algorithm) const override {
    const bool uneven = algorithm.starts_with("uneven");
    const auto rows = static_cast<std::size_t>(parameters.rows * (algorithm.ends_with("weak") ? threads : 1));
    if (done.size() != rows)
      return rooftop::exact(std::to_string(done.size()) + " rows, expected " + std::to_string(rows));
    for (std::size_t row = 0; row < rows; ++row) {
      const std::int64_t cycles =
          uneven ? 2 * parameters.cycles * static_cast<std::int64_t>(row) / parameters.rows : parameters.cycles;
      if (done[row] != rooftop::Delay::step * cycles) return rooftop::exact("row " + std::to_string(row) + " is wrong");
    }
    return rooftop::exact("");
  }
  /// From the time that each thread was busy in the last run.
  [[nodiscard]] std::vector<rooftop::LabFigure> figures() const override {
    const double mean = std::accumulate(busy_ns.begin(), busy_ns.end(), 0.0) / threads;
    return {{"balance_percent", 100 * mean / std::max(1.0, *std::ranges::max_element(busy_ns))}};
  }

  const Parameters parameters;
  const int threads;
  std::vector<std::int64_t> done;  ///< the result: a sum for each row
  std::vector<double> busy_ns;
};

template <bool uneven, bool weak>
class Kernel final : public rooftop::LabRung {
 public:
  explicit Kernel(Rows& lab)
      : lab_(lab), done_(static_cast<std::size_t>(lab.parameters.rows * (weak ? lab.threads : 1))) {}

  void run() override {
    const std::int64_t rows = lab_.parameters.rows;
    const std::int64_t cycles = lab_.parameters.cycles;
#pragma omp parallel num_threads(lab_.threads)
    {
      const rooftop::Delay delay;
      const auto start = std::chrono::steady_clock::now();
#pragma omp for schedule(static) nowait
      for (std::size_t row = 0; row < done_.size(); ++row) {
        const std::int64_t busy_cycles = uneven ? 2 * cycles * static_cast<std::int64_t>(row) / rows : cycles;
        done_[row] = delay.after(std::int64_t{0}, busy_cycles);
      }
      const std::chrono::duration<double, std::nano> busy = std::chrono::steady_clock::now() - start;
      lab_.busy_ns[static_cast<std::size_t>(omp_get_thread_num())] = busy.count();
    }
  }
  void finish() override { lab_.done = done_; }
  [[nodiscard]] rooftop::Work work() const override {
    return {.algorithm = std::string(uneven ? "uneven" : "even") + (weak ? " weak" : " strong")};
  }

 private:
  Rows& lab_;
  std::vector<std::int64_t> done_;
};

using rooftop::variant;

}  // namespace

ROOFTOP_LAB(Rows, variant<Kernel<false, false>, Rows>("10-even-strong", "Even rows, as many on any number of threads."),
            variant<Kernel<true, false>, Rows>("20-uneven-strong", "Growing rows, as many on any number of threads."),
            variant<Kernel<false, true>, Rows>("30-even-weak", "Even rows, as many for each thread."),
            variant<Kernel<true, true>, Rows>("40-uneven-weak", "Growing rows, as many for each thread."));
