/// First touch: memory lies on the node of the thread that first writes it.
///
/// An allocation reserves addresses, not memory. The system finds a page when it is first written, on the memory node
/// of the core that writes. Who initialises the arrays decides how far every later access must go.
#include <omp.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <rooftop/aligned.hpp>
#include <rooftop/lab.hpp>
#include <string>
#include <vector>

namespace {

/// The processors of the memory nodes that have any, from a list such as "0-3,8-11" for each.
std::vector<cpu_set_t> memory_nodes() {
  std::vector<cpu_set_t> nodes;
  for (int node = 0; node < 64; ++node) {
    const std::string path = "/sys/devices/system/node/node" + std::to_string(node) + "/cpulist";
    std::FILE* file = std::fopen(path.c_str(), "re");
    if (file == nullptr) continue;
    cpu_set_t cores;
    CPU_ZERO(&cores);
    int first = 0;
    while (std::fscanf(file, "%d", &first) == 1) {
      int last = first;
      if (std::fscanf(file, "-%d", &last) != 1) last = first;
      for (int core = first; core <= last && core < CPU_SETSIZE; ++core) CPU_SET(core, &cores);
      if (std::fgetc(file) != ',') break;
    }
    (void)std::fclose(file);
    if (CPU_COUNT(&cores) > 0) nodes.push_back(cores);
  }
  return nodes;
}

/// c = a + b, of `length` numbers each; the threads are spread over the memory nodes.
class VectorAdd final : public rooftop::Lab {
 public:
  struct Parameters {
    std::int64_t length;
  };
  static constexpr std::array fields{rooftop::field<&Parameters::length>("length", 1, 1LL << 32)};
  static std::vector<Parameters> checks() { return {{.length = 1}, {.length = 10007}}; }

  VectorAdd(const Parameters& given, const rooftop::Setting& setting)
      : length(given.length), threads(setting.threads), sums(static_cast<std::size_t>(given.length)) {}

  void poison() override {
    for (double& sum : sums) sum = -1;
  }
  void spoil() override { sums.back() += 1; }

  [[nodiscard]] rooftop::Verdict verify(std::string_view /*algorithm*/) const override {
    for (std::size_t i = 0; i < sums.size(); ++i) {
      if (sums[i] != static_cast<double>(3 * i)) return rooftop::exact("sum " + std::to_string(i) + " is wrong");
    }
    return rooftop::exact("");
  }

  const std::int64_t length;
  const int threads;
  std::vector<double> sums;  ///< the result
};

enum class Touch : std::uint8_t { others, first, dealt, own };

template <Touch touch>
class Add final : public rooftop::LabRung {
 public:
  explicit Add(VectorAdd& lab)
      : lab_(lab),
        size_(static_cast<std::size_t>(lab.length)),
        nodes_(memory_nodes()),
        a_(size_),
        b_(size_),
        c_(size_) {
    if (nodes_.size() < 2) throw rooftop::Skip("not visible here: one NUMA node");
    const auto threads = static_cast<std::size_t>(lab.threads);
    int refused = 0;
#pragma omp parallel num_threads(lab_.threads) reduction(+ : refused)
    {
      const auto node = static_cast<std::size_t>(omp_get_thread_num()) * nodes_.size() / threads;
      refused += sched_setaffinity(0, sizeof(cpu_set_t), &nodes_[node]) == 0 ? 0 : 1;
    }
    if (refused > 0) throw rooftop::Skip("the threads may not run on all NUMA nodes");
  }

  void prepare() override {
    if (touch == Touch::first) {
      initialise(0, lab_.length);
      return;
    }
    if (touch == Touch::dealt) deal_out();
#pragma omp parallel num_threads(lab_.threads)
    {
      const int thread = omp_get_thread_num();
      const int whose = touch == Touch::others ? lab_.threads - 1 - thread : thread;
      initialise(lab_.length * whose / lab_.threads, lab_.length * (whose + 1) / lab_.threads);
    }
  }

  void run() override {
#pragma omp parallel num_threads(lab_.threads)
    {
      const int thread = omp_get_thread_num();
      const std::int64_t end = lab_.length * (thread + 1) / lab_.threads;
      for (std::int64_t i = lab_.length * thread / lab_.threads; i < end; ++i) {
        const auto at = static_cast<std::size_t>(i);
        c_[at] = a_[at] + b_[at];
      }
    }
  }
  void finish() override { lab_.sums.assign(c_.begin(), c_.end()); }
  [[nodiscard]] rooftop::Work work() const override {
    const double bytes = 3.0 * sizeof(double) * static_cast<double>(size_);
    return {
        .add_flops = static_cast<double>(size_), .memory_bytes = bytes, .working_set_bytes = bytes, .algorithm = {}};
  }

 private:
  void initialise(std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const auto at = static_cast<std::size_t>(i);
      a_[at] = static_cast<double>(i);
      b_[at] = static_cast<double>(2 * i);
      c_[at] = 0;
    }
  }
  /// Asks for the pages of each array from the nodes in turn, which `numactl --interleave` does for a whole program.
  void deal_out() {
    constexpr int interleave = 3;  // MPOL_INTERLEAVE
    const auto mask = nodes_.size() < 64 ? (1UL << nodes_.size()) - 1 : ~0UL;
    const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    for (rooftop::AlignedArray<double>* array : {&a_, &b_, &c_}) {
      const auto start = (reinterpret_cast<std::uintptr_t>(array->begin()) + page - 1) / page * page;
      const auto end = reinterpret_cast<std::uintptr_t>(array->end()) / page * page;
      if (start < end && syscall(SYS_mbind, start, end - start, interleave, &mask, 65UL, 0U) != 0)
        throw rooftop::Skip("the system does not let a program choose its NUMA nodes");
    }
  }

  VectorAdd& lab_;
  std::size_t size_;
  std::vector<cpu_set_t> nodes_;
  rooftop::AlignedArray<double> a_, b_, c_;
};

using rooftop::variant;

}  // namespace

ROOFTOP_LAB(VectorAdd,
            variant<Add<Touch::others>, VectorAdd>("10-crossed", "Each part is first written on another node."),
            variant<Add<Touch::first>, VectorAdd>("20-one-thread", "One thread initialises: all lies on its node."),
            variant<Add<Touch::dealt>, VectorAdd>("30-dealt-out", "Pages on the nodes in turn, whoever writes them."),
            variant<Add<Touch::own>, VectorAdd>("40-own-part", "Each thread initialises what it works on."));
