// needs: MPI
/// Delegated output by a rank: the last rank writes step s while the others compute step s + 1.
/// It takes the waiting from all others, and leaves its share of the computing to them.
#include <fcntl.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <rooftop/delay.hpp>
#include <rooftop/lab.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace {
constexpr int block = 512;  // words

/// A step has T (T - 1) blocks for T ranks, so that T and T - 1 ranks can share them evenly, of `cycles` cycles each. A
/// write returns `device_us` after the data are in the system's cache: that stands for a device which must have them.
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
      : parameters(given), rank(setting.rank), ranks(setting.ranks), blocks(ranks * (ranks - 1)) {
    if (ranks < 2) throw rooftop::Skip("needs two ranks");
    const char* folder = std::getenv("TMPDIR");
    int process = getpid();
    MPI_Bcast(&process, 1, MPI_INT, 0, MPI_COMM_WORLD);
    const std::string name = (folder == nullptr ? "/tmp" : folder) + ("/rooftop-steps-" + std::to_string(process));
    file = open(name.c_str(), O_CREAT | O_RDWR, 0600);
    MPI_Barrier(MPI_COMM_WORLD);
    unlink(name.c_str());  // gone when all have closed it
    if (file < 0) throw std::runtime_error("cannot open " + name);
  }
  ~Steps() override { close(file); }
  void poison() override {
    written.clear();
    if (ftruncate(file, 0) != 0) std::abort();
  }
  void spoil() override {
    if (rank == 0) written.back() += 1;
  }
  [[nodiscard]] rooftop::Verdict verify(std::string_view /*algorithm*/) const override {
    if (written.size() != size()) return rooftop::exact("the file is too short");
    for (std::size_t i = 0; i < written.size(); ++i) {
      const auto number = static_cast<std::int64_t>(i / block);
      if (written[i] != number + rooftop::Delay::step * parameters.cycles)
        return rooftop::exact("block " + std::to_string(number));
    }
    return rooftop::exact("");
  }
  [[nodiscard]] std::size_t size() const {
    return static_cast<std::size_t>(parameters.steps) * static_cast<std::size_t>(blocks * block);
  }
  /// Fills `count` blocks, each with the end of a delay.
  void compute(std::int64_t number, int count, std::vector<std::int64_t>& data) const {
    const rooftop::Delay delay;
    for (int one = 0; one < count; ++one)
      std::fill_n(data.begin() + one * block, block, delay.after(number + one, parameters.cycles));
  }
  void write(std::int64_t number, const std::vector<std::int64_t>& data) const {
    const std::size_t bytes = 8 * data.size();
    if (pwrite(file, data.data(), bytes, 8 * block * number) != static_cast<ssize_t>(bytes)) std::abort();
    if (parameters.device_us > 0) usleep(static_cast<useconds_t>(parameters.device_us));
  }

  const Parameters parameters;
  const int rank, ranks, blocks;
  int file = -1;
  std::vector<std::int64_t> written;  ///< the result, on rank 0: what the file holds
};

void each_writes(const Steps& lab) {
  const int share = lab.ranks - 1;
  std::vector<std::int64_t> data(static_cast<std::size_t>(share * block));
  for (std::int64_t step = 0; step < lab.parameters.steps; ++step) {
    lab.compute(step * lab.blocks + lab.rank * share, share, data);
    lab.write(step * lab.blocks + lab.rank * share, data);
  }
}

/// A send of a step waits until the step before is written: then the next is computed.
void delegated(const Steps& lab) {
  const int writer = lab.ranks - 1, share = lab.ranks, words = share * block;
  std::vector<std::int64_t> data(static_cast<std::size_t>(lab.rank == writer ? lab.blocks * block : words));
  for (std::int64_t step = 0; step < lab.parameters.steps; ++step) {
    if (lab.rank < writer) {
      lab.compute(step * lab.blocks + lab.rank * share, share, data);
      MPI_Send(data.data(), words, MPI_INT64_T, writer, 0, MPI_COMM_WORLD);
      continue;
    }
    for (int one = 0; one < writer; ++one)
      MPI_Recv(data.data() + one * words, words, MPI_INT64_T, one, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    lab.write(step * lab.blocks, data);
  }
}

template <void (*way)(const Steps&)>
class Writing final : public rooftop::LabRung {
 public:
  explicit Writing(Steps& lab) : lab_(lab) {}
  void run() override {
    MPI_Barrier(MPI_COMM_WORLD);
    way(lab_);
  }
  void finish() override {
    MPI_Barrier(MPI_COMM_WORLD);
    lab_.written.assign(lab_.rank == 0 ? lab_.size() : 0, -1);
    if (pread(lab_.file, lab_.written.data(), 8 * lab_.written.size(), 0) < 0) lab_.written.clear();
    MPI_Barrier(MPI_COMM_WORLD);
  }

 private:
  Steps& lab_;
};

template <void (*way)(const Steps&)>
constexpr auto variant = rooftop::variant<Writing<way>, Steps>;

}  // namespace

ROOFTOP_LAB(Steps, variant<each_writes>("10-each-writes", "Each rank computes its blocks, and writes them."),
            variant<delegated>("20-delegated", "The last rank writes, and the others compute all blocks."));
