/// The file that is read and written: it has no name, so that nothing stays of it however the probe ends.
#pragma once

#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <system_error>
#include <utility>

namespace probe {

/// A file descriptor, closed in the end; negative where there is none.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  [[nodiscard]] int get() const { return number_; }
  [[nodiscard]] bool valid() const { return number_ >= 0; }

 private:
  int number_;
};

[[noreturn]] inline void fail_with(int error, const std::string& what) {
  throw std::system_error(error, std::generic_category(), what);
}

/// An unnamed file in `folder`. Throws std::system_error where none can be made there.
class ScratchFile {
 public:
  explicit ScratchFile(const std::string& folder) : folder_(folder), file_(unnamed(folder)) {}

  [[nodiscard]] int get() const { return file_.get(); }
  [[nodiscard]] const std::string& folder() const { return folder_; }
  /// The same file, opened once more: threads that share a descriptor wait for each other. Not valid, with errno set,
  /// where the file system refuses these flags.
  [[nodiscard]] Descriptor opened(int flags) const {
    const std::string path = "/proc/self/fd/" + std::to_string(file_.get());
    return Descriptor(open(path.c_str(), flags | O_CLOEXEC));
  }
  /// Whether reads and writes may bypass the system's cache.
  [[nodiscard]] bool takes_direct() const { return opened(O_RDWR | O_DIRECT).valid(); }

 private:
  static int unnamed(const std::string& folder) {
    const int file = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (file >= 0) return file;
    // Some file systems, such as NFS, have no files without a name: its name is removed at once.
    std::string name = folder + "/rooftop-probe-XXXXXX";
    const int named = mkostemp(name.data(), O_CLOEXEC);
    if (named < 0) fail_with(errno, folder);
    unlink(name.c_str());
    return named;
  }

  std::string folder_;
  Descriptor file_;
};

/// Bytes that a user without privileges may still write to the file system of a file; 0 where that is not told.
inline std::uint64_t free_bytes(const ScratchFile& file) {
  struct statvfs told {};
  if (fstatvfs(file.get(), &told) != 0) return 0;
  return static_cast<std::uint64_t>(told.f_bavail) * told.f_frsize;
}

}  // namespace probe
