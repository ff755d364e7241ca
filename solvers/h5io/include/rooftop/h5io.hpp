/// Reads and writes hyperslabs of HDF5 files in the cheapest way: directly from and to the file where the layout allows
/// it, chunks decoded and encoded by all threads, and by the HDF5 library otherwise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace rooftop::h5io {

/// Invalid argument. The message gives what was wrong, the value and what is expected.
class InvalidArgument : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// File that cannot be read or written. The message names the file, what was wrong, and the bytes where known.
class FileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Thrown by a read that was stopped through Options::stop.
class Stopped : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Selection along one dimension: `count` blocks of `block` elements, whose first elements are `stride` apart.
struct Span {
  std::uint64_t start = 0, count = 1, stride = 1, block = 1;

  [[nodiscard]] std::uint64_t size() const { return count * block; }
};

enum class Layout : std::uint8_t { compact, contiguous, chunked, other };

/// Filter applied to each chunk when it is written.
struct Filter {
  int id = 0;        ///< HDF5's filter identifier
  std::string name;  ///< from the file; "" if it has none
  std::vector<unsigned> parameters;
  bool optional = true;  ///< skipped for chunks that it does not make smaller
};

/// Description of a dataset. Extents are in elements, in C order: the last dimension varies fastest.
struct Description {
  std::vector<std::uint64_t> shape;  ///< empty for a single value
  /// Element type as in NumPy's array interface: "<f8", ">i2", "|S10", "|b1" for HDF5's enumeration of false and true.
  /// Opaque bytes, such as "|V12", stand for compounds, arrays and references, "|O16" for what has pointers.
  std::string type;
  /// The same in JSON, with all fields: a type as above, {"names": […], "formats": […], "offsets": […], "itemsize": n}
  /// of a compound, {"base": …, "shape": […]} of an array, {"text": true} of a pointer to characters, and
  /// {"sequence": …} of a length and a pointer. A string within one of them that does not end as in NumPy is
  /// {"string": "|S10", "ends": "null" or "space"}.
  std::string structure;
  /// Whether elements have pointers to memory of the HDF5 library, which `reclaim` frees.
  bool variable = false;
  bool as_stored = true;  ///< whether a read gives the file's bytes unconverted, without pointers
  std::size_t element_bytes = 0;
  Layout layout = Layout::other;
  std::vector<std::uint64_t> chunk;  ///< one extent for each dimension if chunked, else empty
  std::vector<Filter> filters;       ///< in the order of writing
  std::uint64_t stored_bytes = 0;    ///< in the file
};

/// Way in which a selection was read.
enum class Way : std::uint8_t {
  nothing,  ///< empty selection, or never written: the fill value is returned
  direct,   ///< one call for each contiguous piece, into the caller's memory
  sieved,   ///< pieces together with small gaps, through a buffer
  chunks,   ///< chunks read and decoded by all threads, without the HDF5 library
  library,  ///< by H5Dread
};

struct Options {
  int threads = 0;       ///< OpenMP threads; 0: omp_get_max_threads()
  bool library = false;  ///< always read with H5Dread
  /// Largest gap in bytes between two pieces that is read rather than skipped; it costs about as much as a call.
  std::uint64_t gap_bytes = 2 << 10;
  const std::int32_t* stop = nullptr;  ///< optional flag; any thread or signal handler may set it to stop the read
};

/// Cost of a read. Calls and bytes of the HDF5 library are not counted.
struct Report {
  Way way = Way::nothing;
  std::uint64_t selected_bytes = 0;  ///< returned to the caller
  std::uint64_t read_bytes = 0;      ///< requested from the system
  std::uint64_t reads = 0;           ///< system calls, or chunks
};

/// Adds a folder to search for filter plugins, after those in HDF5_PLUGIN_PATH. Throws InvalidArgument if it does not
/// exist.
void add_plugins(const std::string& folder);

class File;
class Request;  // of rooftop/h5io_later.hpp, as all that is asked for later

/// One dataset of a file, which stays open as long as the dataset. Several threads may read it at once.
class Dataset {
 public:
  [[nodiscard]] const Description& description() const;

  /// Reads what is selected, one Span for each dimension, row by row into `to`, which has room for
  /// `selected_bytes(spans)`. Values are those of the file, but strings end with zeros (not those within compounds and
  /// arrays), and numbers of an unusual form, which no type of C or NumPy holds, are converted.
  ///
  /// Throws InvalidArgument where spans do not fit the shape, FileError where the file cannot be read, and Stopped;
  /// `to` then has parts of the selection.
  Report read(const std::vector<Span>& spans, void* to, std::size_t to_bytes, const Options& options = {}) const;
  /// Frees the memory that elements read from a `variable` dataset point to.
  void reclaim(void* values, std::uint64_t elements) const;
  /// Asks the file's I/O thread for the same, alone unless `options.threads` says otherwise. Throws InvalidArgument;
  /// all else that `read` throws comes out of the request's `wait`.
  [[nodiscard]] Request read_later(const std::vector<Span>& spans, void* to, std::size_t to_bytes,
                                   const Options& options = {}) const;
  /// Asks it to have the system bring what is selected from the device into its cache, as a hint.
  [[nodiscard]] Request prefetch(const std::vector<Span>& spans, const Options& options = {}) const;

  /// The whole dataset.
  [[nodiscard]] std::vector<Span> all() const;
  /// Throws InvalidArgument where spans do not fit the shape.
  [[nodiscard]] std::uint64_t selected_bytes(const std::vector<Span>& spans) const;

  class Open;  ///< what the library keeps of an open dataset
  [[nodiscard]] const Open& opened() const { return *open_; }

 private:
  friend class File;
  explicit Dataset(std::shared_ptr<const Open> open) : open_(std::move(open)) {}
  std::shared_ptr<const Open> open_;
};

/// File open for reading.
class File {
 public:
  /// Throws FileError where it cannot be opened or is no HDF5 file.
  explicit File(const std::string& path);

  [[nodiscard]] const std::string& path() const;
  /// Paths of all datasets, such as "group/x", sorted.
  [[nodiscard]] std::vector<std::string> datasets() const;
  /// Throws FileError where there is none of this name, or one of a type that is not supported, such as times.
  [[nodiscard]] Dataset dataset(const std::string& name) const;

  class Open;

 private:
  std::shared_ptr<const Open> open_;
};

/// Properties of a new dataset.
struct Creation {
  std::vector<std::uint64_t> shape;
  std::string type = "<f8";          ///< as in Description
  std::vector<std::uint64_t> chunk;  ///< empty: contiguous
  std::vector<Filter> filters;       ///< of chunks, in the order of writing; only `id` and `parameters` count
};

class OutputFile;

/// One dataset that is written. Several threads may write it at once where they write other chunks, or other elements
/// of an array that lies in one piece.
class OutputDataset {
 public:
  [[nodiscard]] const Description& description() const;

  /// Writes `from`, which has the selection row by row. Whole chunks (those at the end of a dimension end there) are
  /// encoded by all threads, others by the library; an array that lies in one piece is written straight into the file.
  ///
  /// Throws InvalidArgument where spans do not fit the shape, FileError where the file cannot be written, and Stopped.
  /// In the report, `read_bytes` and `reads` are what was written.
  Report write(const std::vector<Span>& spans, const void* from, std::size_t from_bytes,
               const Options& options = {}) const;
  /// Asks the file's I/O thread for the same: see `Dataset::read_later`. Of requests that overlap, the last one stays.
  [[nodiscard]] Request write_later(const std::vector<Span>& spans, const void* from, std::size_t from_bytes,
                                    const Options& options = {}) const;
  [[nodiscard]] std::vector<Span> all() const;
  [[nodiscard]] const Dataset::Open& opened() const { return *open_; }

 private:
  friend class OutputFile;
  explicit OutputDataset(std::shared_ptr<const Dataset::Open> open) : open_(std::move(open)) {}
  std::shared_ptr<const Dataset::Open> open_;
};

/// A file that is written.
class OutputFile {
 public:
  /// A new one. Throws FileError where it cannot be made, or is there already and `replace` is false.
  explicit OutputFile(const std::string& path, bool replace = false);
  /// One that is there, whose datasets are changed. Throws FileError where it cannot be opened for writing.
  [[nodiscard]] static OutputFile existing(const std::string& path);

  [[nodiscard]] const std::string& path() const;
  /// Makes a dataset, and the groups that its name has. Throws InvalidArgument for what cannot be, FileError where
  /// there is one.
  [[nodiscard]] OutputDataset dataset(const std::string& name, const Creation& creation);
  /// A dataset that is there. Throws FileError where there is none of this name, or one of a type that is not
  /// supported.
  [[nodiscard]] OutputDataset dataset(const std::string& name) const;
  /// Waits for what was asked for later, and brings everything into the file. Its datasets are written no more. Throws
  /// FileError, and what a write threw that was never waited for. The destructor does the same, and says nothing.
  void close();

 private:
  explicit OutputFile(std::shared_ptr<File::Open> open);
  std::shared_ptr<File::Open> open_;
};

}  // namespace rooftop::h5io
