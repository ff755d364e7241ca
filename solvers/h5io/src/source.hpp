/// The bytes of a file, read and written past the HDF5 library.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace rooftop::h5io::internal {

/// What threads asked of the system, together.
struct Asked {
  std::atomic<std::uint64_t> bytes{0}, reads{0};
};

/// An open file. Several threads may read it at once.
class Source {
 public:
  /// Throws FileError.
  explicit Source(const std::string& path, bool writable = false);
  /// The file of a descriptor that somebody else has; `path` is its name in messages. Throws FileError.
  Source(const std::string& path, bool writable, int descriptor);
  /// The same file, open once more: threads that share a descriptor wait for each other in the kernel, which counts its
  /// users with each call. Null where it cannot be.
  [[nodiscard]] std::unique_ptr<Source> reopened() const;
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
  ~Source();

  /// Reads `bytes` bytes from `offset` on. Throws FileError where the file ends before, or cannot be read.
  void read(std::uint64_t offset, void* to, std::size_t bytes, Asked& asked) const;
  /// Asks the system to bring them into its cache; nothing is said if it does not.
  void prefetch(std::uint64_t offset, std::uint64_t bytes, Asked& asked) const;
  /// How many there are now. Throws FileError.
  [[nodiscard]] std::uint64_t bytes() const;
  /// Writes them. Throws FileError where the file cannot be written.
  void write(std::uint64_t offset, const void* from, std::size_t bytes, Asked& asked) const;

 private:
  std::string path_;
  int descriptor_ = -1;
};

}  // namespace rooftop::h5io::internal
