// needs: MPI
/// Checkpoint and restart: a state that all ranks write, and that half of them read.
///
/// With a file for each rank the restart must know who wrote what, and read pieces of several files. One file in the
/// order of the state fits any number of ranks, and its writers wait for its lock.
#include <fcntl.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <rooftop/lab.hpp>
#include <string>
#include <vector>

namespace {

/// The part of a rank of so many, as the half-open range of its elements.
struct Range {
  Range(std::int64_t elements, int rank, int ranks)
      : begin(elements * rank / ranks), end(elements * (rank + 1) / ranks) {}
  std::int64_t begin;
  std::int64_t end;
};

/// A state of `elements` numbers, each rank's part of it, and what the restart found, which comes to rank 0.
class State final : public rooftop::Lab {
 public:
  struct Parameters {
    std::int64_t elements;
  };
  static constexpr std::array fields{rooftop::field<&Parameters::elements>("elements", 1, 1 << 26)};
  static std::vector<Parameters> checks() { return {{.elements = 1}, {.elements = 10'007}}; }

  State(const Parameters& given, const rooftop::Setting& setting)
      : elements(given.elements), rank(setting.rank), ranks(setting.ranks), readers((ranks + 1) / 2) {
    const Range mine(elements, rank, ranks);
    for (std::int64_t i = mine.begin; i < mine.end; ++i) state.push_back(7.0 * static_cast<double>(i) + 1);
    int process = getpid();
    MPI_Bcast(&process, 1, MPI_INT, 0, MPI_COMM_WORLD);
    const char* folder = std::getenv("TMPDIR");
    name = std::string(folder == nullptr ? "/tmp" : folder) + "/rooftop-" + std::to_string(process) + "-";
  }
  ~State() override { unlink(file_of(rank).c_str()); }

  void poison() override {
    all.clear();
    restarted.clear();
    unlink(file_of(rank).c_str());
  }
  void spoil() override {
    if (rank == 0) all.back() += 1;
  }
  [[nodiscard]] rooftop::Verdict verify(std::string_view /*algorithm*/) const override {
    if (all.size() != static_cast<std::size_t>(elements))
      return rooftop::exact(std::to_string(all.size()) + " numbers");
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i] != 7.0 * static_cast<double>(i) + 1)
        return rooftop::exact("number " + std::to_string(i) + " is wrong");
    }
    return rooftop::exact("");
  }
  [[nodiscard]] std::string file_of(int writer) const { return name + std::to_string(writer); }

  const std::int64_t elements;
  const int rank, ranks, readers;
  std::string name;
  std::vector<double> state, restarted;  ///< before, of all ranks, and after, of the readers
  std::vector<double> all;               ///< the result, on rank 0
};

/// Writes to a file, or reads from it, from a place in numbers.
template <typename Call, typename Number>
void transfer(const Call& call, const std::string& name, int flags, Number* data, std::int64_t count,
              std::int64_t place) {
  const int file = open(name.c_str(), flags | O_CLOEXEC, 0600);
  for (std::int64_t done = 0; done < 8 * count;) {
    const auto rest = static_cast<std::size_t>(8 * count - done);
    const ssize_t now = call(file, data + done / 8, rest, static_cast<off_t>(8 * place + done));
    if (now <= 0 || now % 8 != 0) std::abort();  // no file, or a full disk: nothing to measure
    done += now;
  }
  close(file);
}

/// The common file has the state in its order, a file of a rank's own has the rank's part.
template <bool common>
class Restarting final : public rooftop::LabRung {
 public:
  explicit Restarting(State& lab) : lab_(lab) {}

  void run() override {
    const Range mine(lab_.elements, lab_.rank, lab_.ranks);
    const auto count = static_cast<std::int64_t>(lab_.state.size());
    transfer(pwrite, lab_.file_of(common ? 0 : lab_.rank), O_CREAT | O_WRONLY, lab_.state.data(), count,
             common ? mine.begin : 0);
    MPI_Barrier(MPI_COMM_WORLD);
    if (lab_.rank >= lab_.readers) return;  // the restart has fewer ranks
    const Range wanted(lab_.elements, lab_.rank, lab_.readers);
    lab_.restarted.resize(static_cast<std::size_t>(wanted.end - wanted.begin));
    for (int writer = 0; writer < (common ? 1 : lab_.ranks); ++writer) {
      const Range theirs(lab_.elements, writer, common ? 1 : lab_.ranks);
      const std::int64_t begin = std::max(wanted.begin, theirs.begin);
      const std::int64_t end = std::min(wanted.end, theirs.end);
      double* const data = lab_.restarted.data() + (begin - wanted.begin);
      if (begin < end) transfer(pread, lab_.file_of(writer), O_RDONLY, data, end - begin, begin - theirs.begin);
    }
  }
  void finish() override {
    const int own = static_cast<int>(lab_.restarted.size());
    std::vector<int> counts(static_cast<std::size_t>(lab_.ranks));
    std::vector<int> places(counts.size());
    MPI_Gather(&own, 1, MPI_INT, counts.data(), 1, MPI_INT, 0, MPI_COMM_WORLD);
    for (std::size_t one = 1; one < counts.size(); ++one) places[one] = places[one - 1] + counts[one - 1];
    const int total = places.back() + counts.back();
    if (lab_.rank == 0) lab_.all.resize(static_cast<std::size_t>(total));
    MPI_Gatherv(lab_.restarted.data(), own, MPI_DOUBLE, lab_.all.data(), counts.data(), places.data(), MPI_DOUBLE, 0,
                MPI_COMM_WORLD);
  }

 private:
  State& lab_;
};

using rooftop::variant;

}  // namespace

ROOFTOP_LAB(State, variant<Restarting<true>, State>("10-one-file", "All write their parts of one file."),
            variant<Restarting<false>, State>("20-file-per-rank", "Each writes a file; readers put pieces together."));
