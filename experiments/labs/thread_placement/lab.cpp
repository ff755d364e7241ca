/// Placement of threads: all on one core, close together, or spread over the machine.
#include <omp.h>
#include <sched.h>

#include <array>
#include <cstdio>
#include <map>
#include <memory>
#include <rooftop/lab.hpp>
#include <string>
#include <vector>

namespace {

/// Threads that add up `words` words, each a contiguous part that it has touched first.
class Sum final : public rooftop::Lab {
 public:
  struct Parameters {
    std::int64_t words;
  };
  static constexpr std::array fields{rooftop::field<&Parameters::words>("words", 1, std::int64_t{1} << 34)};
  static std::vector<Parameters> checks() { return {{.words = 1}, {.words = 100'003}}; }
  Sum(const Parameters& given, const rooftop::Setting& setting) : words(given.words), threads(setting.threads) {}
  void poison() override { sum = -1; }
  void spoil() override { sum += 1; }
  [[nodiscard]] rooftop::Verdict verify(std::string_view /*algorithm*/) const override {
    return rooftop::exact(sum == words * (words - 1) / 2 ? "" : "the sum is " + std::to_string(sum));
  }
  const std::int64_t words;
  const int threads;
  std::int64_t sum = 0;  ///< the result: of 0, 1, 2, ...
};

/// The first number of a file about a processor; `otherwise` where there is no such file.
int topology(int processor, const char* name, int otherwise) {
  const std::string path = "/sys/devices/system/cpu/cpu" + std::to_string(processor) + "/topology/" + name;
  std::FILE* file = std::fopen(path.c_str(), "r");
  if (file == nullptr) return otherwise;
  int number = 0;
  if (std::fscanf(file, "%d", &number) != 1) number = otherwise;
  std::fclose(file);
  return number;
}

/// One processor of each core, socket after socket. The master may be bound; the places say where others may run.
std::vector<int> cores() {
  std::vector<int> processors;
  for (int place = 0; place < omp_get_num_places(); ++place) {
    std::vector<int> ids(static_cast<std::size_t>(omp_get_place_num_procs(place)));
    omp_get_place_proc_ids(place, ids.data());
    processors.insert(processors.end(), ids.begin(), ids.end());
  }
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (processors.empty()) sched_getaffinity(0, sizeof allowed, &allowed);
  for (int one = 0; one < CPU_SETSIZE; ++one) {
    if (CPU_ISSET(static_cast<std::size_t>(one), &allowed)) processors.push_back(one);
  }
  std::map<std::array<int, 2>, int> by_core;  // of hardware threads that share a core the first
  for (const int one : processors) {
    by_core.try_emplace({topology(one, "physical_package_id", 0), topology(one, "thread_siblings_list", one)}, one);
  }
  std::vector<int> found;
  for (const auto& [core, processor] : by_core) found.push_back(processor);
  return found;
}

enum class Where { one_core, close, spread };
std::size_t core_of(Where where, std::size_t thread, std::size_t threads, std::size_t cores) {
  if (where == Where::one_core) return 0;
  return where == Where::close && threads <= cores ? thread : thread * cores / threads;
}

/// Binds the team, as OMP_PROC_BIND would at the start, and gives it its places back.
template <Where where>
class Placed final : public rooftop::LabRung {
 public:
  explicit Placed(Sum& lab) : lab_(lab), values_(new std::int64_t[static_cast<std::size_t>(lab.words)]) {
    const std::vector<int> all = cores();
    const auto threads = static_cast<std::size_t>(lab.threads);
    bool differs = where != Where::spread;
    for (std::size_t thread = 0; thread < threads; ++thread) {
      differs =
          differs || core_of(where, thread, threads, all.size()) != core_of(Where::close, thread, threads, all.size());
    }
    if (!differs) throw rooftop::Skip("not visible here: close and spread are the same on these cores");
    before_.resize(threads);
#pragma omp parallel num_threads(lab_.threads)
    {
      const auto thread = static_cast<std::size_t>(omp_get_thread_num());
      cpu_set_t mine;
      CPU_ZERO(&mine);
      CPU_SET(static_cast<std::size_t>(all[core_of(where, thread, threads, all.size())]), &mine);
      sched_getaffinity(0, sizeof mine, &before_[thread]);
      sched_setaffinity(0, sizeof mine, &mine);
#pragma omp for schedule(static)
      for (std::int64_t i = 0; i < lab_.words; ++i) values_[i] = i;
    }
  }
  ~Placed() override {
#pragma omp parallel num_threads(lab_.threads)
    sched_setaffinity(0, sizeof(cpu_set_t), &before_[static_cast<std::size_t>(omp_get_thread_num())]);
  }

  void run() override {
    std::int64_t sum = 0;
    const std::int64_t* const values = values_.get();
#pragma omp parallel for num_threads(lab_.threads) schedule(static) reduction(+ : sum)
    for (std::int64_t i = 0; i < lab_.words; ++i) sum += values[i];
    lab_.sum = sum;
  }
  [[nodiscard]] rooftop::Work work() const override {
    const auto bytes = static_cast<double>(8 * lab_.words);
    return {.memory_bytes = bytes, .working_set_bytes = bytes, .algorithm = {}};
  }

 private:
  Sum& lab_;
  std::unique_ptr<std::int64_t[]> values_;
  std::vector<cpu_set_t> before_;
};

using rooftop::variant;

}  // namespace

ROOFTOP_LAB(Sum, variant<Placed<Where::one_core>, Sum>("10-one-core", "All on one core, by a wrong list of places."),
            variant<Placed<Where::close>, Sum>("20-close", "Each on a core of its own, one beside the other."),
            variant<Placed<Where::spread>, Sum>("30-spread", "As far from one another as the cores allow."));
