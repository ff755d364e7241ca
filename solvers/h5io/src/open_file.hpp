/// What the public classes keep.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "changes.hpp"
#include "chunk_memory.hpp"
#include "chunk_places.hpp"
#include "io_thread.hpp"
#include "library.hpp"
#include "linked_files.hpp"
#include "pipeline.hpp"
#include "read_ahead.hpp"
#include "rooftop/h5io.hpp"
#include "runs.hpp"
#include "source.hpp"

namespace rooftop::h5io {

namespace internal {

/// How a file that is written is opened: a new one, a new one in the place of any, or one that is there.
enum class Opening : std::uint8_t { create, replace, change };

}  // namespace internal

class File::Open {
 public:
  /// For reading. Throws FileError.
  explicit Open(const std::string& path);
  /// For writing. Throws FileError.
  Open(const std::string& path, internal::Opening opening);
  /// As the library has opened it for a link of another file. Throws FileError.
  Open(std::string path, internal::FileId id);
  /// Closes a file that is written, and those that its links led to. Throws the first FileError of them, and what a
  /// write threw that nobody waited for.
  void close();

  std::string path;
  internal::Changes changes;  ///< goes after the library has closed the file, which may change it
  internal::FileId id;        ///< not valid once a file that is written is closed
  /// The file's bytes, by the library's addresses. None where the library has a driver that spreads them over files.
  std::optional<internal::Source> source;
  mutable internal::LinkedFiles linked;
  mutable std::set<hid_t> objects;  ///< of the library, open through this file; changed under its lock
  internal::IoThread io;            ///< goes first

 private:
  void close_alone();
};

class Dataset::Open {
 public:
  /// Throws FileError.
  Open(std::shared_ptr<const File::Open> file, const std::string& name);
  /// A new one. Throws InvalidArgument and FileError.
  Open(std::shared_ptr<const File::Open> file, const std::string& name, const Creation& creation);
  Open(const Open&) = delete;
  Open& operator=(const Open&) = delete;
  ~Open();

  /// "FILE: dataset NAME", for messages, and the file that a link of that file led to.
  [[nodiscard]] std::string where() const;
  [[nodiscard]] std::vector<Span> all() const;
  /// Of what `spans` select. Throws InvalidArgument where they do not fit the shape.
  [[nodiscard]] std::uint64_t selected_bytes(const std::vector<Span>& spans) const;
  /// The same for a read, or a write. Throws InvalidArgument, too, where the caller's memory or the options do not fit.
  [[nodiscard]] std::uint64_t readable_bytes(const std::vector<Span>& spans, std::size_t room,
                                             const Options& options) const;
  [[nodiscard]] std::uint64_t writable_bytes(const std::vector<Span>& spans, std::size_t bytes,
                                             const Options& options) const;

  std::shared_ptr<const File::Open> file;  ///< that it lies in
  std::string name;
  internal::DatasetId id;
  internal::TypeId type;  ///< in memory
  Description description;
  /// Of the array in the file, where it lies there in one piece, or nothing was written yet.
  bool in_one_piece = false;
  std::optional<std::uint64_t> address;
  /// Where the layout is chunked and every filter can be undone here.
  std::optional<internal::Pipeline> pipeline;
  bool plain_at_end = false;  ///< chunks that reach beyond the array go through no filter
  /// Strings end as the library's strings of a fixed length do: what is read ends as NumPy's, and is written so.
  std::optional<H5T_str_t> padding;
  std::vector<std::byte> fill;  ///< one element that stands for what was never written
  bool library_fills = false;   ///< whether H5Dread puts it there, or leaves the caller's memory as it was

  /// What is kept of chunks that were read.
  [[nodiscard]] internal::ChunkMemory& memory() const { return memory_; }
  /// Of a file that is read; looked for once, and again when the file was changed. Null where they are not known.
  [[nodiscard]] std::shared_ptr<const internal::ChunkPlaces> places() const;
  /// Whether the chunk whose first element is `begin` goes through no filter.
  [[nodiscard]] bool is_plain(const std::vector<hsize_t>& begin) const;

  /// Whether the dataset is compact, and its elements are kept in memory, under the first one.
  [[nodiscard]] bool keeps_whole() const {
    return description.layout == Layout::compact && description.as_stored && memory_.keeps();
  }

  /// See `Dataset::read`. Nothing is read ahead.
  Report read(const std::vector<Span>& spans, void* to, std::size_t to_bytes, const Options& options) const;
  /// The same of a dataset that has an address. `selected`: the bytes of the selection.
  Report read_runs(const internal::Runs& runs, void* to, std::uint64_t selected, const Options& options) const;
  /// Has the chunks decoded that come next, if the program's reads, of which this is the latest, go through the
  /// dataset.
  void read_ahead(const std::vector<Span>& spans) const { ahead_.note(*this, spans); }

 private:
  void look_for_file();
  void describe();
  void describe_fill(hid_t properties);
  void describe_layout(hid_t properties);
  void describe_chunks(hid_t properties);
  [[nodiscard]] Report finished(Report report, const internal::Asked& asked, std::byte* to) const;

  std::string asked_of_;  ///< the path of the file by whose links it was opened

  mutable internal::ChunkMemory memory_;
  mutable internal::ReadAhead ahead_;  ///< ended before anything else goes
};

namespace internal {

/// Of what `spans` select. Throws InvalidArgument where they do not fit the shape.
std::uint64_t selected_bytes(const Description& description, const std::vector<Span>& spans);

/// A selection as the library takes it. Made under its lock.
class Selected {
 public:
  Selected(hid_t dataset, const std::vector<Span>& spans);

  SpaceId file, memory;
};

}  // namespace internal

}  // namespace rooftop::h5io
