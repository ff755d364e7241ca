/// Allocators under threads: pages from the system, a common arena, an arena for each thread, and libraries' malloc.
#include <dlfcn.h>
#include <omp.h>
#include <sys/mman.h>

#include <array>
#include <atomic>
#include <rooftop/lab.hpp>
#include <string>
#include <vector>

namespace {
constexpr std::size_t page = 4096;
/// Each thread allocates `blocks` blocks of `bytes`, writes a word to each page of them, and releases them.
class Blocks final : public rooftop::Lab {
 public:
  struct Parameters {
    std::int64_t blocks, bytes;
  };
  static constexpr std::array fields{rooftop::field<&Parameters::blocks>("blocks", 1, 1 << 20),
                                     rooftop::field<&Parameters::bytes>("bytes", 1, 1 << 24)};
  static std::vector<Parameters> checks() { return {{.blocks = 1, .bytes = 1}, {.blocks = 37, .bytes = 5003}}; }

  Blocks(const Parameters& given, const rooftop::Setting& setting)
      : blocks(static_cast<std::size_t>(given.blocks)),
        bytes((static_cast<std::size_t>(given.bytes) + 15) / 16 * 16),
        threads(static_cast<std::size_t>(setting.threads)),
        sums(threads) {}
  void poison() override { sums.assign(threads, 0); }
  void spoil() override { sums.back() -= 1; }
  /// Blocks that lie apart keep what is written to them: each thread reads 1, 2, ... from each page of its own.
  [[nodiscard]] rooftop::Verdict verify(std::string_view /*algorithm*/) const override {
    const std::size_t expected = (bytes + page - 1) / page * (blocks * (blocks + 1) / 2);
    for (const std::size_t sum : sums) {
      if (sum != expected) return rooftop::exact("a thread's blocks add up to " + std::to_string(sum));
    }
    return rooftop::exact("");
  }
  /// What a thread's first write to a page took in the last run, in the mean.
  [[nodiscard]] std::vector<rooftop::LabFigure> figures() const override {
    const auto pages = static_cast<double>(threads * blocks * ((bytes + page - 1) / page));
    return {{"touch_ns", 1e9 * touch_s / pages}};
  }
  const std::size_t blocks, bytes, threads;
  std::vector<std::size_t> sums;  ///< the result: of what each thread read
  double touch_s = 0;             ///< of all threads
};

struct System {
  explicit System(const Blocks& /*lab*/) {}
  static void* allocate(std::size_t bytes) {
    return mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  }
  static void release(void* block, std::size_t bytes) { munmap(block, bytes); }
};

/// Memory for the blocks of all threads: each takes the next bytes, and all are released at once.
struct CommonArena {
  explicit CommonArena(const Blocks& lab) : memory(lab.threads * lab.blocks * lab.bytes) {}
  void* allocate(std::size_t bytes) {
    return &memory[next.fetch_add(bytes, std::memory_order_relaxed) % memory.size()];
  }
  void release(void* /*block*/, std::size_t /*bytes*/) {}
  std::vector<char> memory;
  alignas(128) std::atomic<std::size_t> next{0};
};

/// The same for each thread.
struct OwnArenas {
  explicit OwnArenas(const Blocks& lab) : arenas(lab.threads) {
    for (Arena& arena : arenas) arena.memory.resize(lab.blocks * lab.bytes);
  }
  void* allocate(std::size_t bytes) {
    Arena& mine = arenas[static_cast<std::size_t>(omp_get_thread_num())];
    mine.next = (mine.next + bytes) % mine.memory.size();  // round and round: what lies there was released
    return &mine.memory[mine.next];
  }
  void release(void* /*block*/, std::size_t /*bytes*/) {}
  struct alignas(128) Arena {
    std::vector<char> memory;
    std::size_t next = 0;
  };
  std::vector<Arena> arenas;
};

constexpr const char* libraries[][3] = {{"libc.so.6", "malloc", "free"},
                                        {"libmimalloc.so.2", "mi_malloc", "mi_free"},
                                        {"libtbbmalloc.so.2", "scalable_malloc", "scalable_free"}};

template <int which>
struct Library {
  explicit Library(const Blocks& /*lab*/) {
    void* library = dlopen(libraries[which][0], RTLD_NOW);  // stays: threads keep blocks of it
    if (library == nullptr) throw rooftop::Skip(std::string(libraries[which][0]) + " is not installed");
    take = reinterpret_cast<void* (*)(std::size_t)>(dlsym(library, libraries[which][1]));
    give = reinterpret_cast<void (*)(void*)>(dlsym(library, libraries[which][2]));
  }
  void* allocate(std::size_t bytes) const { return take(bytes); }
  void release(void* block, std::size_t /*bytes*/) const { give(block); }
  void* (*take)(std::size_t) = nullptr;
  void (*give)(void*) = nullptr;
};

template <typename Allocator>
class Allocating final : public rooftop::LabRung {
 public:
  explicit Allocating(Blocks& lab) : lab_(lab), allocator_{lab}, taken_(lab.threads, std::vector<char*>(lab.blocks)) {}
  void run() override {
    double touch_s = 0;
#pragma omp parallel num_threads(static_cast<int>(lab_.threads)) reduction(+ : touch_s)
    {
      const auto thread = static_cast<std::size_t>(omp_get_thread_num());
      std::size_t value = 0, sum = 0;
      for (char*& block : taken_[thread]) block = static_cast<char*>(allocator_.allocate(lab_.bytes));
#pragma omp barrier  // calls that change the address space would hold up the faults of others
      touch_s = -omp_get_wtime();
      for (char* block : taken_[thread]) {
        ++value;
        for (std::size_t at = 0; at < lab_.bytes; at += page) *reinterpret_cast<std::size_t*>(block + at) = value;
      }
      touch_s += omp_get_wtime();
#pragma omp barrier
      for (char* block : taken_[thread]) {
        for (std::size_t at = 0; at < lab_.bytes; at += page) sum += *reinterpret_cast<std::size_t*>(block + at);
        allocator_.release(block, lab_.bytes);
      }
      lab_.sums[thread] = sum;
    }
    lab_.touch_s = touch_s;
  }

 private:
  Blocks& lab_;
  Allocator allocator_;
  std::vector<std::vector<char*>> taken_;
};
template <typename Allocator>
constexpr auto variant = rooftop::variant<Allocating<Allocator>, Blocks>;
}  // namespace

ROOFTOP_LAB(Blocks, variant<System>("10-system", "Each block from the system, and back."),
            variant<CommonArena>("20-common-arena", "The next bytes of one arena for all."),
            variant<Library<0>>("30-malloc", "The C library's malloc."),
            variant<OwnArenas>("40-own-arenas", "The next bytes of the thread's own arena."),
            variant<Library<1>>("50-mimalloc", "mimalloc."), variant<Library<2>>("60-tbbmalloc", "oneTBB's malloc."));
