// needs: MPI
/// Which rank writes which file: one that writes for all must first receive, ranks that write one file share its lock.
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <rooftop/lab.hpp>
#include <rooftop/rank_messages.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace {
using Words = std::vector<std::int64_t>;
MPI_File open_file(MPI_Comm ranks, const std::string& name, int more = 0) {
  MPI_File file = MPI_FILE_NULL;
  const int mode = MPI_MODE_CREATE | MPI_MODE_RDWR | more;
  if (MPI_File_open(ranks, name.c_str(), mode, MPI_INFO_NULL, &file) == MPI_SUCCESS) return file;
  throw std::runtime_error("cannot open " + name);
}

/// Each rank has a part of `words` words, and a file. Rank 0 opens them all, and one more is open to all ranks.
class Output final : public rooftop::Lab {
 public:
  struct Parameters {
    std::int64_t words;
  };
  static constexpr std::array fields{rooftop::field<&Parameters::words>("words", 1, 1 << 24)};
  static std::vector<Parameters> checks() { return {{.words = 1}, {.words = 20'011}}; }

  Output(const Parameters& given, const rooftop::Setting& setting)
      : words(static_cast<int>(given.words)), rank(setting.rank), ranks(setting.ranks) {
    for (int i = 0; i < words; ++i) part.push_back(std::int64_t{words} * rank + i);
    if (rank == 0) gathered.resize(part.size() * static_cast<std::size_t>(ranks));
    const char* folder = std::getenv("TMPDIR");
    int process = getpid();
    MPI_Bcast(&process, 1, MPI_INT, 0, MPI_COMM_WORLD);
    const std::string name =
        std::string(folder == nullptr ? "/tmp" : folder) + "/rooftop-" + std::to_string(process) + "-";
    common = open_file(MPI_COMM_WORLD, name + "all", MPI_MODE_DELETE_ON_CLOSE);
    for (int one = rank; one < (rank == 0 ? ranks : rank + 1); ++one)
      files.push_back(open_file(MPI_COMM_SELF, name + std::to_string(one)));
    MPI_Barrier(MPI_COMM_WORLD);
    unlink((name + std::to_string(rank)).c_str());  // gone when it is closed
  }
  ~Output() override {
    for (MPI_File& file : files) MPI_File_close(&file);
    MPI_File_close(&common);
  }
  void poison() override {
    written.clear();
    MPI_File_set_size(common, 0);
    for (MPI_File file : files) MPI_File_set_size(file, 0);
  }
  void spoil() override {
    if (rank == 0) written.back() += 1;
  }
  [[nodiscard]] rooftop::Verdict verify(std::string_view /*algorithm*/) const override {
    if (written.size() != part.size() * static_cast<std::size_t>(ranks)) return rooftop::exact("words are missing");
    for (std::size_t i = 0; i < written.size(); ++i)
      if (written[i] != static_cast<std::int64_t>(i)) return rooftop::exact("word " + std::to_string(i) + " is wrong");
    return rooftop::exact("");
  }
  /// Appends what a file holds.
  void read(MPI_File file) {
    MPI_Offset bytes = 0;
    MPI_File_get_size(file, &bytes);
    Words found(static_cast<std::size_t>(bytes) / sizeof(std::int64_t));
    MPI_File_read_at(file, 0, found.data(), static_cast<int>(found.size()), MPI_INT64_T, MPI_STATUS_IGNORE);
    written.insert(written.end(), found.begin(), found.end());
  }
  [[nodiscard]] MPI_Offset place() const { return MPI_Offset{words} * rank; }
  const int words, rank, ranks;
  MPI_File common = MPI_FILE_NULL;
  std::vector<MPI_File> files;
  Words part, gathered, written;  ///< written: the result, on rank 0, what the files hold
};

void write(MPI_File file, MPI_Offset place, const std::int64_t* data, int words) {
  if (MPI_File_write_at(file, 8 * place, data, words, MPI_INT64_T, MPI_STATUS_IGNORE) != MPI_SUCCESS) std::abort();
}

/// Brings `now` words of each part, from the word `at` on, to rank 0; its own stay where they are.
void gather(Output& lab, int at, int now) {
  if (lab.rank != 0) rooftop::as_just_written(lab.part.data() + at, static_cast<std::size_t>(now));
  const void* own = lab.rank == 0 ? MPI_IN_PLACE : lab.part.data() + at;
  MPI_Gather(own, now, MPI_INT64_T, lab.gathered.data(), now, MPI_INT64_T, 0, MPI_COMM_WORLD);
}

void one_to_one(Output& lab) {
  gather(lab, 0, lab.words);
  if (lab.rank == 0) write(lab.files[0], 0, lab.part.data(), lab.words);
  if (lab.rank == 0) write(lab.files[0], lab.words, lab.gathered.data() + lab.words, lab.words * (lab.ranks - 1));
}

/// At most so many words of each rank at a time: rank 0 needs memory for these only.
template <int most>
void one_to_all(Output& lab) {
  for (int at = 0, now = 0; at < lab.words; at += now) {
    gather(lab, at, now = std::min(most, lab.words - at));
    for (int one = 0; lab.rank == 0 && one < lab.ranks; ++one) {
      const Words& from = one == 0 ? lab.part : lab.gathered;
      write(lab.files[static_cast<std::size_t>(one)], at, from.data() + (one == 0 ? at : one * now), now);
    }
  }
}

void all_to_one(Output& lab) { write(lab.common, lab.place(), lab.part.data(), lab.words); }
void collectively(Output& lab) {
  MPI_File_write_at_all(lab.common, 8 * lab.place(), lab.part.data(), lab.words, MPI_INT64_T, MPI_STATUS_IGNORE);
}
void all_to_all(Output& lab) { write(lab.files[0], 0, lab.part.data(), lab.words); }

template <void (*way)(Output&)>
class Writing final : public rooftop::LabRung {
 public:
  explicit Writing(Output& lab) : lab_(lab) {}
  void run() override { way(lab_); }
  void finish() override {
    MPI_File_sync(lab_.common);
    MPI_File_sync(lab_.files[0]);
    MPI_Barrier(MPI_COMM_WORLD);
    lab_.written.clear();
    for (MPI_File file : lab_.files) lab_.read(file);
    lab_.read(lab_.common);
    MPI_Barrier(MPI_COMM_WORLD);
  }

 private:
  Output& lab_;
};

template <void (*way)(Output&)>
constexpr auto variant = rooftop::variant<Writing<way>, Output>;
}  // namespace

ROOFTOP_LAB(Output, variant<one_to_one>("10-one-to-one", "Rank 0 gathers, and writes one file."),
            variant<one_to_all<1 << 24>>("20-one-to-all", "Rank 0 gathers, and writes a file for each rank."),
            variant<one_to_all<8192>>("30-one-to-all-in-turn", "Rank 0 does so by turns, 64 KiB each."),
            variant<all_to_one>("40-all-to-one", "All ranks write one file."),
            variant<collectively>("50-collective", "All ranks write one file in a collective call."),
            variant<all_to_all>("60-all-to-all", "All ranks write a file each."));
