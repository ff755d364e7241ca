/// Overlapping writes: threads that write more of a file than their own part of it.
///
/// Where two write the same bytes, the last one's stay, and nobody knows who is last. The kernel's lock of the file
/// keeps the writes apart, so that no mixture comes out; the order is the program's business, or there is no overlap.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <rooftop/lab.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

/// A file of a part of `words` words for each thread. With overlap a thread also writes the next one's part.
class Overlap final : public rooftop::Lab {
 public:
  struct Parameters {
    std::int64_t words;
  };
  static constexpr std::array fields{rooftop::field<&Parameters::words>("words", 1, 1 << 24)};
  static std::vector<Parameters> checks() { return {{.words = 1}, {.words = 10'007}}; }

  Overlap(const Parameters& given, const rooftop::Setting& setting)
      : words(static_cast<std::size_t>(given.words)),
        threads(static_cast<std::size_t>(setting.threads)),
        file(std::tmpfile()) {
    if (file == nullptr) throw std::runtime_error("cannot make a temporary file");
  }
  ~Overlap() override { std::fclose(file); }

  void poison() override {
    written.clear();
    if (ftruncate(fileno(file), 0) != 0) std::abort();
  }
  void spoil() override { written.back() += static_cast<std::int64_t>(threads); }

  /// Word i of thread t is i * threads + t. Part p is the p-th thread's, or, where any order will do, perhaps the one's
  /// before it.
  [[nodiscard]] rooftop::Verdict verify(std::string_view algorithm) const override {
    if (written.size() != threads * words) return rooftop::exact(std::to_string(written.size()) + " words");
    for (std::size_t i = 0; i < written.size(); ++i) {
      const bool early = algorithm == "any order" && i >= words && written[i] == word(i, i / words - 1);
      if (written[i] != word(i, i / words) && !early) return rooftop::exact("word " + std::to_string(i) + " is wrong");
    }
    return rooftop::exact("");
  }
  /// The parts that are one thread's from the first word to the last.
  [[nodiscard]] std::vector<rooftop::LabFigure> figures() const override {
    double whole = 0;
    for (std::size_t part = 0; part < threads && written.size() == threads * words; ++part) {
      const auto first = written.begin() + static_cast<std::ptrdiff_t>(part * words);
      const auto writer = [this](std::int64_t value) { return value % static_cast<std::int64_t>(threads); };
      whole += std::all_of(first, first + static_cast<std::ptrdiff_t>(words),
                           [&](std::int64_t value) { return writer(value) == writer(*first); });
    }
    return {{"whole_percent", 100 * whole / static_cast<double>(threads)}};
  }
  [[nodiscard]] std::int64_t word(std::size_t i, std::size_t thread) const {
    return static_cast<std::int64_t>(i * threads + thread);
  }

  const std::size_t words, threads;
  std::FILE* const file;              ///< gone when it is closed
  std::vector<std::int64_t> written;  ///< the result: what the file holds
};

enum class Order { any, of_threads, no_overlap };

template <Order order>
class Writing final : public rooftop::LabRung {
 public:
  explicit Writing(Overlap& lab) : lab_(lab), data_(lab.threads) {
    for (std::size_t thread = 0; thread < lab.threads; ++thread) {
      const std::size_t end = std::min(lab.threads, thread + (order == Order::no_overlap ? 1 : 2)) * lab.words;
      for (std::size_t i = thread * lab.words; i < end; ++i) data_[thread].push_back(lab.word(i, thread));
    }
  }
  void run() override {
#pragma omp parallel for ordered num_threads(static_cast<int>(lab_.threads)) schedule(static, 1)
    for (std::size_t thread = 0; thread < lab_.threads; ++thread) {
      if (order == Order::of_threads) {
#pragma omp ordered
        write(thread);
      } else {
        write(thread);
      }
    }
  }
  void finish() override {
    lab_.written.assign(lab_.threads * lab_.words, -1);
    if (pread(fileno(lab_.file), lab_.written.data(), 8 * lab_.written.size(), 0) < 0) lab_.written.clear();
  }
  [[nodiscard]] rooftop::Work work() const override {
    return {.algorithm = order == Order::any ? "any order" : "in order"};
  }

 private:
  void write(std::size_t thread) const {
    const std::size_t bytes = 8 * data_[thread].size();
    const auto place = static_cast<off_t>(8 * thread * lab_.words);
    if (pwrite(fileno(lab_.file), data_[thread].data(), bytes, place) != static_cast<ssize_t>(bytes)) std::abort();
  }
  Overlap& lab_;
  std::vector<std::vector<std::int64_t>> data_;
};

using rooftop::variant;

}  // namespace

ROOFTOP_LAB(Overlap, variant<Writing<Order::any>, Overlap>("10-any-order", "Each writes its part and the next one's."),
            variant<Writing<Order::of_threads>, Overlap>("20-in-order", "The same, one thread after another."),
            variant<Writing<Order::no_overlap>, Overlap>("30-no-overlap", "Each writes its own part only."));
