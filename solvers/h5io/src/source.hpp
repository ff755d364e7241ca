/// The bytes of a file, read and written without the HDF5 library.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace rooftop::h5io::internal {

/// Counts the bytes and system calls of all threads.
struct Asked {
  std::atomic<std::uint64_t> bytes{0}, reads{0};
};

/// By what it is seen that a file was changed: its length and the time of its last change, in ns.
struct FileState {
  std::uint64_t bytes = 0;
  std::int64_t modified_ns = 0;

  bool operator==(const FileState&) const = default;
};

/// An open file. All functions are thread-safe.
class Source {
 public:
  /// Opens a file. Throws FileError.
  explicit Source(const std::string& path, bool writable = false);
  /// Opens the file of another owner's descriptor again. `path` is its name in messages. Throws FileError.
  Source(const std::string& path, bool writable, int descriptor);
  /// Opens the file again, for one thread: threads that share a descriptor contend for its reference count in the
  /// kernel. Returns null if that fails.
  [[nodiscard]] std::unique_ptr<Source> reopened() const;
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
  ~Source();

  /// Reads `bytes` bytes at `offset`. Throws FileError if the file ends before or cannot be read.
  void read(std::uint64_t offset, void* to, std::size_t bytes, Asked& asked) const;
  /// Asks the system to load bytes into its page cache. Failures are ignored.
  void prefetch(std::uint64_t offset, std::uint64_t bytes, Asked& asked) const;
  /// Returns the current size of the file. Throws FileError.
  [[nodiscard]] std::uint64_t bytes() const;
  /// Returns the file's state now. Throws FileError.
  [[nodiscard]] FileState state() const;
  /// Returns the file's device and its inode number, which no other file has while this one is open. Throws FileError.
  [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> identity() const;
  /// Writes `bytes` bytes at `offset`. Throws FileError if the file cannot be written.
  void write(std::uint64_t offset, const void* from, std::size_t bytes, Asked& asked) const;

 private:
  std::string path_;
  int descriptor_ = -1;
};

}  // namespace rooftop::h5io::internal
