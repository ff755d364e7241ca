/// What the public classes keep.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "chunk_places.hpp"
#include "io_thread.hpp"
#include "library.hpp"
#include "pipeline.hpp"
#include "rooftop/h5io.hpp"
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
  /// Closes a file that is written. Throws FileError.
  void close();

  std::string path;
  internal::FileId id;  ///< not valid once a file that is written is closed
  std::optional<internal::Source> source;
  internal::IoThread io;  ///< goes first
};

class Dataset::Open {
 public:
  /// Throws FileError.
  Open(std::shared_ptr<const File::Open> file, const std::string& name);
  /// A new one. Throws InvalidArgument and FileError.
  Open(std::shared_ptr<const File::Open> file, const std::string& name, const Creation& creation);

  /// "FILE: dataset NAME", for messages.
  [[nodiscard]] std::string where() const;
  [[nodiscard]] std::vector<Span> all() const;
  /// Of what `spans` select. Throws InvalidArgument where they do not fit the shape.
  [[nodiscard]] std::uint64_t selected_bytes(const std::vector<Span>& spans) const;
  /// The same for a read, or a write. Throws InvalidArgument, too, where the caller's memory or the options do not fit.
  [[nodiscard]] std::uint64_t readable_bytes(const std::vector<Span>& spans, std::size_t room,
                                             const Options& options) const;
  [[nodiscard]] std::uint64_t writable_bytes(const std::vector<Span>& spans, std::size_t bytes,
                                             const Options& options) const;

  std::shared_ptr<const File::Open> file;
  std::string name;
  internal::DatasetId id;
  internal::TypeId type;  ///< in the file, and in memory: nothing is converted
  Description description;
  /// Of the array in the file, where it lies there in one piece, or nothing was written yet.
  bool in_one_piece = false;
  std::optional<std::uint64_t> address;
  /// Where the layout is chunked and every filter can be undone here.
  std::optional<internal::Pipeline> pipeline;
  std::vector<std::byte> fill;  ///< one element

  /// Of a file that is read; looked for once, null where they are not known.
  [[nodiscard]] const internal::ChunkPlaces* places() const;

 private:
  void describe();
  void describe_layout(hid_t properties);

  mutable std::atomic<bool> looked_for_places_{false};
  mutable std::optional<internal::ChunkPlaces> places_;
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
