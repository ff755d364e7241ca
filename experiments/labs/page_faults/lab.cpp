/// Page faults: memory that was asked for is not there before it is touched.
///
/// The kernel gives addresses at once and pages at the first access to each: a trap, a page of zeros, an entry in the
/// page table. A loop that touches memory first pays for all of that.
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <new>
#include <rooftop/lab.hpp>
#include <string>
#include <vector>

namespace {

/// Writes the first number of each page, by all threads, a contiguous part each.
class Touching final : public rooftop::Lab {
 public:
  struct Parameters {
    std::int64_t pages;
  };
  static constexpr std::array fields{rooftop::field<&Parameters::pages>("pages", 1, 1 << 24)};
  static std::vector<Parameters> checks() { return {{.pages = 1}, {.pages = 37}}; }

  Touching(const Parameters& given, const rooftop::Setting& setting)
      : pages(given.pages), threads(setting.threads), page_bytes(sysconf(_SC_PAGESIZE)) {}

  void poison() override { numbers.assign(static_cast<std::size_t>(pages), -1); }
  void spoil() override { numbers.back() += 1; }

  [[nodiscard]] rooftop::Verdict verify(std::string_view /*algorithm*/) const override {
    for (std::int64_t page = 0; page < pages; ++page) {
      if (numbers[static_cast<std::size_t>(page)] == page + 1) continue;
      return rooftop::exact("page " + std::to_string(page) + " holds another number than it was given");
    }
    return rooftop::exact("");
  }
  [[nodiscard]] std::vector<rooftop::LabFigure> figures() const override {
    return {{"faults", static_cast<double>(faults)}};
  }

  const std::int64_t pages;
  const int threads;
  const std::int64_t page_bytes;
  std::vector<std::int64_t> numbers;  ///< the result: what the pages hold
  std::int64_t faults = 0;            ///< of the last run, as the kernel counted them
};

std::int64_t faults_so_far() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt + usage.ru_majflt;
}

enum class Memory { fresh, huge, kept };
constexpr std::size_t huge_page = std::size_t{2} << 20;

/// New memory for each run, taken back untimed; or the same all the time.
template <Memory memory>
class Touch final : public rooftop::LabRung {
 public:
  explicit Touch(Touching& lab)
      : lab_(lab), reserved_(static_cast<std::size_t>(lab.pages * lab.page_bytes) + huge_page), start_(mapped()) {
    if constexpr (memory == Memory::huge) {
      std::string text;
      std::getline(std::ifstream("/sys/kernel/mm/transparent_hugepage/enabled"), text);
      const bool off = text.empty() || text.find("[never]") != std::string::npos;
      if (off) throw rooftop::Skip("not visible here: transparent huge pages are off");
    }
    touch();  // starts the threads
  }
  ~Touch() override { munmap(start_, reserved_); }

  [[nodiscard]] bool starts_anew() const override { return true; }
  void reset() override {
    if constexpr (memory == Memory::kept) return;
    munmap(start_, reserved_);
    start_ = mapped();
  }
  void run() override {
    const std::int64_t before = faults_so_far();
    touch();
    lab_.faults = faults_so_far() - before;
  }
  void finish() override {
    for (std::int64_t page = 0; page < lab_.pages; ++page) lab_.numbers[static_cast<std::size_t>(page)] = at(page);
  }

 private:
  [[nodiscard]] char* mapped() const {
    void* const data = mmap(nullptr, reserved_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (data == MAP_FAILED) throw std::bad_alloc();
    (void)madvise(data, reserved_, memory == Memory::huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
    return static_cast<char*>(data);
  }
  /// From the first boundary of huge pages on.
  [[nodiscard]] std::int64_t& at(std::int64_t page) {
    char* const aligned = start_ + (huge_page - reinterpret_cast<std::uintptr_t>(start_) % huge_page);
    return *reinterpret_cast<std::int64_t*>(aligned + page * lab_.page_bytes);
  }
  void touch() {
#pragma omp parallel for schedule(static) num_threads(lab_.threads)
    for (std::int64_t page = 0; page < lab_.pages; ++page) at(page) = page + 1;
  }

  Touching& lab_;
  std::size_t reserved_;
  char* start_;
};

using rooftop::variant;

}  // namespace

ROOFTOP_LAB(Touching, variant<Touch<Memory::fresh>, Touching>("10-first-touch", "A fault for each page of 4 KiB."),
            variant<Touch<Memory::huge>, Touching>("20-huge-pages", "A fault for each page of 2 MiB."),
            variant<Touch<Memory::kept>, Touching>("30-kept", "Pages that were touched before."));
