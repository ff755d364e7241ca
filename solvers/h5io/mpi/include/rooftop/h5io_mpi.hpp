/// Collective reads and writes of HDF5 files by the ranks of an MPI job.
///
/// Constructors, and the functions that read, write, make or close something, are collective: all ranks of the
/// communicator call them, in the same order, from the thread that MPI was initialized in (MPI_THREAD_FUNNELED). They
/// throw on every rank what they throw on one, with the message of the lowest rank that failed. Only ThrownOn::own_rank
/// says otherwise.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rooftop/h5io.hpp"

namespace rooftop::h5io {

namespace internal {
class Ranks;
class ReadPlan;
struct FileState;
class OutputByRanks;
struct OutputArray;  // one dataset of it
}  // namespace internal

/// Way in which ranks share a read or a write.
enum class Sharing : std::uint8_t {
  alone,    ///< each rank by itself; the report has the Way
  domains,  ///< some ranks each read one part of the array and send every rank its pieces
  chunks,   ///< one rank decodes or encodes each chunk and exchanges its parts with the others
};

/// Costs in seconds by which the way of sharing is chosen. The defaults are typical of a cached file and of ranks on
/// one machine; DatasetByRanks::measured_costs() measures them.
struct Costs {
  double call = 2e-7;          ///< of a read, whatever its length
  double byte = 1e-10;         ///< of each byte read
  double decoded_byte = 1e-9;  ///< of each byte of a chunk that went through filters
  double piece = 2e-8;         ///< of each piece that a rank picks out of its domain, for itself or for another rank
  double message = 2e-6;
  double sent_byte = 2e-10;
};

/// Ranks that an error is thrown on if each rank reads by itself.
enum class ThrownOn : std::uint8_t {
  all_ranks,  ///< all: ranks wait for each other at the end of the read, to agree on it
  own_rank,   ///< the rank that cannot read its own part; the others do not wait, and are not told
};

/// Options of a read. `threads` and `stop` are each rank's own, the others those of rank 0.
struct OptionsByRanks : Options {
  std::optional<Sharing> sharing;  ///< none: the cheapest. A layout without this way is read `alone`
  /// Of reads `alone`. Errors of shared reads, invalid arguments and errors of planning are thrown on all ranks.
  ThrownOn errors = ThrownOn::all_ranks;
  int aggregators = 0;  ///< ranks that read domains; 0: one per MiB, at most all
  Costs costs;
};

/// Cost of a read or a write on this rank, including its calls and bytes for other ranks.
struct ReportByRanks : Report {
  Sharing sharing = Sharing::alone;
  std::uint64_t sent_bytes = 0;  ///< to other ranks
};

/// A read by all ranks that is planned once and run many times: the ranks know what each of them selects, and how they
/// share the read. It belongs to one state of the file, by its length and time of last change.
class PlannedRead {
 public:
  PlannedRead(PlannedRead&&) noexcept;
  PlannedRead& operator=(PlannedRead&&) noexcept;
  ~PlannedRead();

  /// Way in which ranks share each run, the same on all ranks.
  [[nodiscard]] Sharing sharing() const;
  /// Size of this rank's selection.
  [[nodiscard]] std::uint64_t selected_bytes() const;

  /// Reads the selection into the memory that the plan was made for. Ranks agree once in a run (of chunks once in each
  /// 64 MiB) on whether any of them failed, and all throw: FileError, also if the file was changed since the dataset
  /// was opened, or Stopped. After an error, the memory may contain parts of the selection, and another run may follow.
  ///
  /// If sharing() is `alone` and errors are thrown on the own rank, run() is not collective and sends no messages: a
  /// rank that fails throws, and the others go on. A program that catches it must still make the same collective calls
  /// on all ranks.
  ReportByRanks run();

 private:
  friend class DatasetByRanks;
  explicit PlannedRead(std::unique_ptr<internal::ReadPlan> plan);
  std::unique_ptr<internal::ReadPlan> plan_;
};

/// One dataset of a file that all ranks have open.
class DatasetByRanks {
 public:
  [[nodiscard]] const Description& description() const;
  /// The whole dataset.
  [[nodiscard]] std::vector<Span> all() const;
  /// The dataset for reads of this rank alone, which are not collective.
  [[nodiscard]] const Dataset& alone() const { return dataset_; }

  /// Measures the costs with this dataset's file, filters and ranks. Takes some milliseconds and reads at most 1 MiB,
  /// or one chunk, on each rank. Collective; all ranks get the same. Throws what read() throws.
  [[nodiscard]] Costs measured_costs() const;

  /// Reads what this rank selects, perhaps nothing, as Dataset::read does. Where ranks select parts of the same chunks,
  /// or small pieces that lie between each other's, they share the work if the costs say that it is less.
  ReportByRanks read(const std::vector<Span>& spans, void* to, std::size_t to_bytes,
                     const OptionsByRanks& options = {}) const;
  /// Plans such a read, for programs that read the same selections again and again. `to`, and `options.stop` if given,
  /// must outlive the plan. Throws what read() throws, and FileError if the file was changed since the dataset was
  /// opened.
  [[nodiscard]] PlannedRead plan(const std::vector<Span>& spans, void* to, std::size_t to_bytes,
                                 const OptionsByRanks& options = {}) const;

 private:
  friend class FileByRanks;
  DatasetByRanks(std::shared_ptr<const internal::Ranks> ranks, Dataset dataset,
                 std::shared_ptr<const internal::FileState> state)
      : ranks_(std::move(ranks)), dataset_(std::move(dataset)), state_(std::move(state)) {}
  std::shared_ptr<const internal::Ranks> ranks_;
  Dataset dataset_;
  std::shared_ptr<const internal::FileState> state_;  ///< of the file when the dataset was opened, if known
};

/// File open for reading on all ranks.
class FileByRanks {
 public:
  FileByRanks(const std::string& path, MPI_Comm ranks);

  [[nodiscard]] const std::string& path() const;
  /// As File::datasets(); not collective.
  [[nodiscard]] std::vector<std::string> datasets() const;
  [[nodiscard]] DatasetByRanks dataset(const std::string& name) const;

 private:
  std::shared_ptr<const internal::Ranks> ranks_;
  std::shared_ptr<const File> file_;
};

/// Selection and the values to write there, row by row.
struct Written {
  std::vector<Span> spans;
  const void* from = nullptr;
  std::size_t from_bytes = 0;
};

/// One dataset of a file that all ranks write.
class OutputDatasetByRanks {
 public:
  [[nodiscard]] const Description& description() const;

  /// Writes what this rank selects, perhaps nothing. An array that lies in one piece is written by each rank, straight
  /// into the file. Of chunks, each is put together and encoded by one rank, and rank 0 hands it to the HDF5 library;
  /// rank 0 also completes chunks that ranks together write only parts of, or over each other. Where ranks write the
  /// same element, the highest of them wins.
  ///
  /// In the report, `read_bytes` and `reads` are what was written, or encoded for rank 0.
  ReportByRanks write(const std::vector<Span>& spans, const void* from, std::size_t from_bytes,
                      const Options& options = {}) const;
  /// The same of several selections, of which each rank may have another number. Of its own, a later one wins.
  ReportByRanks write(const std::vector<Written>& parts, const Options& options = {}) const;

 private:
  friend class OutputFileByRanks;
  OutputDatasetByRanks(std::shared_ptr<internal::OutputByRanks> file,
                       std::shared_ptr<const internal::OutputArray> array)
      : file_(std::move(file)), array_(std::move(array)) {}
  std::shared_ptr<internal::OutputByRanks> file_;
  std::shared_ptr<const internal::OutputArray> array_;
};

/// A new file of all ranks, on a file system that all see. Until close() it has another name, PATH.partial-NUMBER; a
/// file that was at PATH stays as it was unless close() returns. A job that is killed leaves the partial file.
class OutputFileByRanks {
 public:
  /// Throws FileError where it cannot be made, or is there already and `replace` is false.
  OutputFileByRanks(const std::string& path, MPI_Comm ranks, bool replace = false);

  [[nodiscard]] const std::string& path() const;
  /// As OutputFile::dataset(); `name` and `creation` are the same on all ranks.
  [[nodiscard]] OutputDatasetByRanks dataset(const std::string& name, const Creation& creation);
  /// Brings everything into the file and gives it its name. `durable`: it is on the device before. Throws FileError
  /// where that cannot be, or a write failed before; there is no new file then. Without close() there is none either:
  /// the destructor removes what was written.
  void close(bool durable = false);

 private:
  std::shared_ptr<internal::OutputByRanks> file_;
};

}  // namespace rooftop::h5io
