/// Huge pages: how much memory one entry of the TLB covers.
///
/// The TLB of a core keeps some thousand translations of addresses. With pages of 4 KiB that is less than the caches
/// hold, and a miss at random pays for a walk through the page table on top. With pages of 2 MiB it is gigabytes.
#include <sys/mman.h>

#include <array>
#include <fstream>
#include <new>
#include <numeric>
#include <rooftop/lab.hpp>
#include <rooftop/random.hpp>
#include <string>
#include <utility>
#include <vector>

namespace {

constexpr std::size_t line_bytes = 64;
constexpr std::size_t huge_page = std::size_t{2} << 20;

/// Hops from line to line in random order.
class Pages final : public rooftop::Lab {
 public:
  struct Parameters {
    std::int64_t bytes;
    std::int64_t hops;
  };
  static constexpr std::array fields{rooftop::field<&Parameters::bytes>("bytes", 64, 1e12),
                                     rooftop::field<&Parameters::hops>("hops", 1, 1 << 30)};
  static std::vector<Parameters> checks() { return {{.bytes = 64, .hops = 1}, {.bytes = 64 * 1009, .hops = 2048}}; }

  Pages(const Parameters& given, const rooftop::Setting& /*setting*/)
      : bytes(static_cast<std::size_t>(given.bytes) / line_bytes * line_bytes), hops(given.hops) {}

  void poison() override { found = -1; }
  void spoil() override { found += 1; }
  [[nodiscard]] rooftop::Verdict verify(std::string_view /*algorithm*/) const override {
    if (found == expected) return rooftop::exact("");
    return rooftop::exact("ended at place " + std::to_string(found) + ", expected " + std::to_string(expected));
  }

  const std::size_t bytes;
  const std::int64_t hops;
  std::int64_t expected = 0;  ///< the last line's place on the way
  std::int64_t found = -1;    ///< the result
};

/// Anonymous memory at a boundary of huge pages, with or without them.
class Mapping {
 public:
  Mapping(std::size_t bytes, bool huge) : reserved_((bytes + huge_page - 1) / huge_page * huge_page + huge_page) {
    void* const data = mmap(nullptr, reserved_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (data == MAP_FAILED) throw std::bad_alloc();
    start_ = static_cast<char*>(data);
    (void)madvise(start_, reserved_, huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  ~Mapping() { munmap(start_, reserved_); }
  [[nodiscard]] char* data() const {
    return start_ + (huge_page - reinterpret_cast<std::uintptr_t>(start_) % huge_page);
  }

 private:
  std::size_t reserved_;
  char* start_ = nullptr;
};

void need_huge_pages() {
  std::ifstream file("/sys/kernel/mm/transparent_hugepage/enabled");
  std::string text;
  std::getline(file, text);
  if (text.empty() || text.find("[never]") != std::string::npos) {
    throw rooftop::Skip("not visible here: transparent huge pages are off");
  }
}

template <bool huge>
class Hops final : public rooftop::LabRung {
  struct alignas(line_bytes) Line {
    Line* next;
    std::int64_t place;
  };

 public:
  explicit Hops(Pages& lab)
      : lab_(lab), mapping_(lab.bytes, huge), lines_(static_cast<std::int64_t>(lab.bytes / line_bytes)) {
    if (huge) need_huge_pages();
    auto* const line = reinterpret_cast<Line*>(mapping_.data());
    std::vector<std::uint32_t> order(static_cast<std::size_t>(lines_));
    std::iota(order.begin(), order.end(), 0U);
    const rooftop::RandomStream stream(1);
    for (std::size_t i = order.size() - 1; i > 0; --i) std::swap(order[i], order[stream.bits(i) % (i + 1)]);
    for (std::size_t i = 0; i < order.size(); ++i) {
      line[order[i]] = {.next = line + order[(i + 1) % order.size()], .place = static_cast<std::int64_t>(i)};
    }
    at_ = line + order[0];
  }

  /// Goes on where the run before ended, so that no cache knows the lines.
  void run() override {
    lab_.expected = (at_->place + lab_.hops) % lines_;
    for (std::int64_t hop = 0; hop < lab_.hops; ++hop) at_ = at_->next;
  }
  void finish() override { lab_.found = at_->place; }
  /// A line for each hop.
  [[nodiscard]] rooftop::Work work() const override {
    return {.memory_bytes = static_cast<double>(line_bytes) * static_cast<double>(lab_.hops),
            .working_set_bytes = static_cast<double>(lab_.bytes),
            .algorithm = {}};
  }

 private:
  Pages& lab_;
  Mapping mapping_;
  std::int64_t lines_;
  Line* at_ = nullptr;
};

using rooftop::variant;

}  // namespace

ROOFTOP_LAB(Pages, variant<Hops<false>, Pages>("10-base-pages", "Hops at random through pages of 4 KiB."),
            variant<Hops<true>, Pages>("20-huge-pages", "The same hops through pages of 2 MiB."));
