/// Delegated output: a thread of its own writes step s while the others compute step s + 1.
///
/// With two buffers, and one thread more that does all the waiting, a step takes the longer of both, not their sum.
#include <omp.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <rooftop/delay.hpp>
#include <rooftop/lab.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

constexpr std::size_t block = 1024;  // words that a thread puts out in a step

/// In each step a thread computes a block, for `cycles` cycles. A write returns `device_us` after the data are in the
/// system's cache: that stands for a device which must have them.
class Steps final : public rooftop::Lab {
 public:
  struct Parameters {
    std::int64_t steps, cycles, device_us;
  };
  static constexpr std::array fields{rooftop::field<&Parameters::steps>("steps", 1, 1 << 12),
                                     rooftop::field<&Parameters::cycles>("cycles", 0, 1 << 30),
                                     rooftop::field<&Parameters::device_us>("device_us", 0, 1 << 20)};
  static std::vector<Parameters> checks() {
    return {{.steps = 1, .cycles = 0, .device_us = 0}, {.steps = 5, .cycles = 9, .device_us = 20}};
  }

  Steps(const Parameters& given, const rooftop::Setting& setting)
      : parameters(given), threads(static_cast<std::size_t>(setting.threads)), file(std::tmpfile()) {
    if (file == nullptr) throw std::runtime_error("cannot make a temporary file");
  }
  ~Steps() override { std::fclose(file); }

  void poison() override {
    written.clear();
    if (ftruncate(fileno(file), 0) != 0) std::abort();
  }
  void spoil() override { written.back() += 1; }
  [[nodiscard]] rooftop::Verdict verify(std::string_view /*algorithm*/) const override {
    if (written.size() != static_cast<std::size_t>(parameters.steps) * threads * block)
      return rooftop::exact("too short");
    for (std::size_t i = 0; i < written.size(); ++i) {
      const auto number = static_cast<std::int64_t>(i / block);
      if (written[i] != number + rooftop::Delay::step * parameters.cycles)
        return rooftop::exact("block " + std::to_string(number));
    }
    return rooftop::exact("");
  }

  /// Fills a block with the end of a delay.
  void compute(std::size_t number, std::int64_t* data) const {
    std::fill_n(data, block, rooftop::Delay().after(static_cast<std::int64_t>(number), parameters.cycles));
  }
  void write(std::size_t number, const std::int64_t* data, std::size_t blocks) const {
    const auto bytes = static_cast<ssize_t>(8 * block * blocks);
    if (pwrite(fileno(file), data, 8 * block * blocks, static_cast<off_t>(8 * block * number)) != bytes) std::abort();
    if (parameters.device_us > 0) usleep(static_cast<useconds_t>(parameters.device_us));
  }

  const Parameters parameters;
  const std::size_t threads;
  std::FILE* const file;              ///< gone when it is closed
  std::vector<std::int64_t> written;  ///< the result: what the file holds
};

void each_writes(const Steps& lab) {
#pragma omp parallel num_threads(static_cast<int>(lab.threads))
  {
    std::vector<std::int64_t> data(block);
    const auto thread = static_cast<std::size_t>(omp_get_thread_num());
    for (std::size_t step = 0; step < static_cast<std::size_t>(lab.parameters.steps); ++step) {
      lab.compute(step * lab.threads + thread, data.data());
      lab.write(step * lab.threads + thread, data.data(), 1);
    }
  }
}

/// Sleeps until a count is at least so large.
void await(const std::atomic<std::size_t>& count, std::size_t least) {
  for (std::size_t seen = count; seen < least; seen = count) count.wait(seen);
}

void delegated(const Steps& lab) {
  std::vector<std::int64_t> buffers(2 * lab.threads * block);  // of even steps, and of odd ones
  std::vector<std::atomic<std::size_t>> computed(lab.threads);
  std::atomic<std::size_t> output{0};  // steps, as in `computed`
#pragma omp parallel num_threads(static_cast<int>(lab.threads) + 1)
  {
    const auto thread = static_cast<std::size_t>(omp_get_thread_num());
    for (std::size_t step = 0; step < static_cast<std::size_t>(lab.parameters.steps); ++step) {
      std::int64_t* const buffer = &buffers[step % 2 * lab.threads * block];
      if (thread < lab.threads) {
        if (step > 1) await(output, step - 1);
        lab.compute(step * lab.threads + thread, buffer + thread * block);
        computed[thread] = step + 1;
        computed[thread].notify_one();
      } else {
        for (const auto& one : computed) await(one, step + 1);
        lab.write(step * lab.threads, buffer, lab.threads);
        output = step + 1;
        output.notify_all();
      }
    }
  }
}

template <void (*way)(const Steps&)>
class Writing final : public rooftop::LabRung {
 public:
  explicit Writing(Steps& lab) : lab_(lab) {}
  void run() override { way(lab_); }
  void finish() override {
    lab_.written.assign(static_cast<std::size_t>(lab_.parameters.steps) * lab_.threads * block, -1);
    if (pread(fileno(lab_.file), lab_.written.data(), 8 * lab_.written.size(), 0) < 0) lab_.written.clear();
  }

 private:
  Steps& lab_;
};

template <void (*way)(const Steps&)>
constexpr auto variant = rooftop::variant<Writing<way>, Steps>;

}  // namespace

ROOFTOP_LAB(Steps, variant<each_writes>("10-each-writes", "Each thread computes its block, and writes it."),
            variant<delegated>("20-delegated", "One thread more, which writes for all."));
