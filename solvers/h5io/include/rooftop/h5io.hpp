/// Reads and writes hyperslabs of HDF5 files in the fastest way: directly from and to the file if the layout allows it,
/// with chunks decoded and encoded by all threads, otherwise by the HDF5 library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
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

/// `external`: contiguous, in other files that are not HDF5. `other`: virtual, or not known.
enum class Layout : std::uint8_t { compact, contiguous, chunked, other, external };

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
  /// The element type in JSON: a string as above; {"names": […], "formats": […], "offsets": […], "itemsize": n} for a
  /// compound; {"base": …, "shape": […]} for an array; {"text": true} for a pointer to characters; {"sequence": …} for
  /// a length and a pointer. Nested strings with another padding than NumPy's are
  /// {"string": "|S10", "ends": "null" or "space"}.
  std::string structure;
  /// Whether elements contain pointers to memory of the HDF5 library, which `reclaim` frees.
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
  direct,   ///< one system call for each contiguous piece, into the caller's memory
  sieved,   ///< pieces together with the small gaps between them, through a buffer
  chunks,   ///< chunks read and decoded by all threads, without the HDF5 library
  library,  ///< with H5Dread
};

struct Options {
  int threads = 0;       ///< OpenMP threads; 0: omp_get_max_threads()
  bool library = false;  ///< always read with H5Dread
  /// Largest gap in bytes between two pieces that is read rather than skipped; it costs about as much as a call.
  std::uint64_t gap_bytes = 4 << 10;
  const std::int32_t* stop = nullptr;  ///< optional flag; any thread or signal handler may set it to stop the read
};

/// Cost of a read. Calls and bytes of the HDF5 library are not counted.
struct Report {
  Way way = Way::nothing;
  std::uint64_t selected_bytes = 0;  ///< returned to the caller
  std::uint64_t read_bytes = 0;      ///< requested from the system
  std::uint64_t reads = 0;           ///< system calls, or chunks that were not in the chunk cache
};

/// Adds a folder to search for filter plugins, after those in HDF5_PLUGIN_PATH. Throws InvalidArgument if it does not
/// exist.
void add_plugins(const std::string& folder);

class File;
class Request;  // in rooftop/h5io_later.hpp

/// A dataset of a file open for reading. The file stays open as long as the dataset. Several threads may read it at the
/// same time. Decoded chunks are kept as HDF5 2 keeps them, 8 MiB, unless one selection has more, and read anew once
/// this process has changed the file through this library. Other changes are seen when the file is opened again.
class Dataset {
 public:
  [[nodiscard]] const Description& description() const;

  /// Reads a selection, one Span for each dimension, row by row into `to`, which has room for `selected_bytes(spans)`.
  /// Values are returned as stored, except that strings are zero-padded (not within compounds and arrays) and numbers
  /// of unusual formats, which have no type in C or NumPy, are converted.
  ///
  /// Throws InvalidArgument if the spans do not fit the shape, FileError if the file cannot be read, and Stopped. After
  /// an error, `to` may contain parts of the selection.
  Report read(const std::vector<Span>& spans, void* to, std::size_t to_bytes, const Options& options = {}) const;
  /// Does the same if the calling thread alone takes less time for it than waking another one: where one or a few calls
  /// of the system bring the selection, or its chunks are in the dataset's chunk cache. Otherwise reads nothing and
  /// returns nothing.
  [[nodiscard]] std::optional<Report> read_brief(const std::vector<Span>& spans, void* to, std::size_t to_bytes) const;
  /// Does the same by `options.threads` threads if it takes some 50 ms at most, so that nobody needs to stop it: up to
  /// 16 MiB and 4096 calls of the system or chunks, in a file that is in the system's cache.
  [[nodiscard]] std::optional<Report> read_at_once(const std::vector<Span>& spans, void* to, std::size_t to_bytes,
                                                   const Options& options = {}) const;
  /// Frees the memory that elements read from a `variable` dataset point to.
  void reclaim(void* values, std::uint64_t elements) const;
  /// Passes the read to the file's I/O thread, which works alone unless `options.threads` is above 1. Throws
  /// InvalidArgument; other errors of the read are thrown by the request's `wait`.
  [[nodiscard]] Request read_later(const std::vector<Span>& spans, void* to, std::size_t to_bytes,
                                   const Options& options = {}) const;
  /// Asks the operating system to load a selection from the device into the page cache.
  [[nodiscard]] Request prefetch(const std::vector<Span>& spans, const Options& options = {}) const;

  /// Selection of the whole dataset.
  [[nodiscard]] std::vector<Span> all() const;
  /// Size of a selection. Throws InvalidArgument if the spans do not fit the shape.
  [[nodiscard]] std::uint64_t selected_bytes(const std::vector<Span>& spans) const;

  class Open;  ///< internal state of an open dataset
  [[nodiscard]] const Open& opened() const { return *open_; }

 private:
  friend class File;
  explicit Dataset(std::shared_ptr<const Open> open) : open_(std::move(open)) {}
  std::shared_ptr<const Open> open_;
};

/// File open for reading.
class File {
 public:
  /// Throws FileError if the file cannot be opened or is not an HDF5 file.
  explicit File(const std::string& path);

  [[nodiscard]] const std::string& path() const;
  /// Paths of all datasets, such as "group/x", sorted.
  [[nodiscard]] std::vector<std::string> datasets() const;
  /// Opens a dataset. Throws FileError if it does not exist or its type is not supported, such as times.
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
  std::vector<Filter> filters;       ///< in the order of writing; only `id` and `parameters` are used
};

class OutputFile;

/// A dataset open for writing. Several threads may write different chunks, or different elements of a contiguous
/// dataset, at the same time.
class OutputDataset {
 public:
  [[nodiscard]] const Description& description() const;

  /// Writes `from` row by row to a selection. Complete chunks, including those cut off by the end of a dimension, are
  /// encoded by all threads, other chunks by the HDF5 library. Contiguous datasets are written directly into the file.
  ///
  /// Throws InvalidArgument if the spans do not fit the shape, FileError if the file cannot be written, and Stopped. In
  /// the report, `read_bytes` and `reads` count what was written.
  Report write(const std::vector<Span>& spans, const void* from, std::size_t from_bytes,
               const Options& options = {}) const;
  /// Passes the write to the file's I/O thread: see `Dataset::read_later`. If requests overlap, the last one wins.
  [[nodiscard]] Request write_later(const std::vector<Span>& spans, const void* from, std::size_t from_bytes,
                                    const Options& options = {}) const;
  [[nodiscard]] std::vector<Span> all() const;
  [[nodiscard]] const Dataset::Open& opened() const { return *open_; }

 private:
  friend class OutputFile;
  explicit OutputDataset(std::shared_ptr<const Dataset::Open> open) : open_(std::move(open)) {}
  std::shared_ptr<const Dataset::Open> open_;
};

/// File open for writing.
class OutputFile {
 public:
  /// Creates a file. Throws FileError if it cannot be created, or exists and `replace` is false.
  explicit OutputFile(const std::string& path, bool replace = false);
  /// Opens an existing file to change its datasets. Throws FileError if it cannot be opened for writing.
  [[nodiscard]] static OutputFile existing(const std::string& path);

  [[nodiscard]] const std::string& path() const;
  /// Creates a dataset and the groups in its name. Throws InvalidArgument for invalid properties, FileError if it
  /// exists.
  [[nodiscard]] OutputDataset dataset(const std::string& name, const Creation& creation);
  /// Opens an existing dataset. Throws FileError if it does not exist or its type is not supported.
  [[nodiscard]] OutputDataset dataset(const std::string& name) const;
  /// Waits for pending requests and writes all data to the file. Its datasets can no longer be written. Throws
  /// FileError, or the error of a write that nobody waited for. The destructor does the same, but ignores errors.
  void close();

 private:
  explicit OutputFile(std::shared_ptr<File::Open> open);
  std::shared_ptr<File::Open> open_;
};

}  // namespace rooftop::h5io
