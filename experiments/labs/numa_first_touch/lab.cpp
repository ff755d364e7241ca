/// First touch: memory lies on the node of the thread that first writes it.
///
/// An allocation reserves addresses, not memory. The system finds a page when it is first written, on the memory node
/// of the core that writes. Who initialises the arrays decides how far every later access must go.
#include <omp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <rooftop/aligned.hpp>
#include <rooftop/lab.hpp>
#include <string>
#include <vector>

namespace {

/// c = a + b, of `length` numbers each.
class VectorAdd final : public rooftop::Lab {
 public:
  struct Parameters {
    std::int64_t length;
  };
  static constexpr std::array fields{rooftop::field<&Parameters::length>("length", 1, 1LL << 32)};
  static std::vector<Parameters> checks() { return {{.length = 1}, {.length = 10007}}; }

  VectorAdd(const Parameters& given, const rooftop::Setting& setting)
      : length(static_cast<std::size_t>(given.length)),
        threads(static_cast<std::size_t>(setting.threads)),
        sums(length) {}

  void poison() override { sums.assign(length, -1); }
  void spoil() override { sums.back() += 1; }
  [[nodiscard]] rooftop::Verdict verify(std::string_view /*algorithm*/) const override {
    for (std::size_t i = 0; i < length; ++i) {
      if (sums[i] != static_cast<double>(3 * i)) return rooftop::exact("sum " + std::to_string(i) + " is wrong");
    }
    return rooftop::exact("");
  }

  const std::size_t length, threads;
  std::vector<double> sums;  ///< the result
};

enum class Touch : std::uint8_t { crossed, one_thread, interleaved, own };

/// Asks for this thread's new pages in turn from all nodes that it may use; not `on`: from the node where it runs.
void interleave(bool on) {
  constexpr int system_default = 0, interleaved = 3;  // MPOL_DEFAULT and MPOL_INTERLEAVE of linux/mempolicy.h
  constexpr unsigned long allowed = 4;                // MPOL_F_MEMS_ALLOWED: which nodes those are
  std::array<unsigned long, 1024 / (8 * sizeof(unsigned long))> nodes{};
  long failed = on ? syscall(SYS_get_mempolicy, nullptr, nodes.data(), 1024, nullptr, allowed) : 0;
  if (failed == 0)
    failed = syscall(SYS_set_mempolicy, on ? interleaved : system_default, on ? nodes.data() : nullptr, on ? 1024 : 0);
  if (failed != 0) throw rooftop::Skip("the system does not let this process interleave pages");
}

template <Touch touch>
class Add final : public rooftop::LabRung {
 public:
  explicit Add(VectorAdd& lab) : lab_(lab), a_(lab.length), b_(lab.length), c_(lab.length) {
    if (access("/sys/devices/system/node/node1", F_OK) != 0) throw rooftop::Skip("not visible here: one NUMA node");
    if (touch != Touch::interleaved) return;
    interleave(true);  // tried here, where a variant may say that it cannot run
    interleave(false);
  }

  /// All regions spread the threads over the places, and thus over the nodes: the same threads on the same nodes.
  void prepare() override {
    if (touch == Touch::interleaved) interleave(true);  // thread 0 writes all pages
#pragma omp parallel num_threads(static_cast<int>(lab_.threads)) proc_bind(spread)
    for (std::size_t part = 0; part < lab_.threads; ++part) {
      const std::size_t who = one_writes ? 0 : touch == Touch::own ? part : lab_.threads - 1 - part;
      if (thread() != who) continue;
      for (std::size_t i = begin(part); i < begin(part + 1); ++i) {
        a_[i] = static_cast<double>(i);
        b_[i] = static_cast<double>(2 * i);
        c_[i] = 0;
      }
    }
    if (touch == Touch::interleaved) interleave(false);
  }
  void run() override {
#pragma omp parallel num_threads(static_cast<int>(lab_.threads)) proc_bind(spread)
    {
      const std::size_t end = begin(thread() + 1);
      for (std::size_t i = begin(thread()); i < end; ++i) c_[i] = a_[i] + b_[i];
    }
  }
  void finish() override { lab_.sums.assign(c_.begin(), c_.end()); }
  [[nodiscard]] rooftop::Work work() const override {
    const auto numbers = static_cast<double>(lab_.length);
    return {.add_flops = numbers, .memory_bytes = 24 * numbers, .working_set_bytes = 24 * numbers, .algorithm = {}};
  }

 private:
  static constexpr bool one_writes = touch == Touch::one_thread || touch == Touch::interleaved;
  static std::size_t thread() { return static_cast<std::size_t>(omp_get_thread_num()); }
  [[nodiscard]] std::size_t begin(std::size_t part) const { return lab_.length * part / lab_.threads; }

  VectorAdd& lab_;
  rooftop::AlignedArray<double> a_, b_, c_;
};

using rooftop::variant;

}  // namespace

ROOFTOP_LAB(VectorAdd,
            variant<Add<Touch::crossed>, VectorAdd>("10-crossed", "Each part is initialised on another node."),
            variant<Add<Touch::one_thread>, VectorAdd>("20-one-thread", "One thread initialises: all is on its node."),
            variant<Add<Touch::interleaved>, VectorAdd>("30-interleaved",
                                                        "One thread, and pages in turn from all nodes."),
            variant<Add<Touch::own>, VectorAdd>("40-own-part", "Each thread initialises what it works on."));
