/// Files that ranks read and write parts of.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <system_error>

namespace elasticity_by_ranks {

/// A file, closed with this object. Throws std::system_error.
class File {
 public:
  File(const std::string& path, int flags) : path_(path), number_(::open(path.c_str(), flags | O_CLOEXEC)) {
    if (number_ < 0) fail();
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() { ::close(number_); }

  [[nodiscard]] int number() const { return number_; }
  [[nodiscard]] std::int64_t size() const {
    struct stat found {};
    if (::fstat(number_, &found) != 0) fail();
    return found.st_size;
  }
  void read(void* to, std::size_t bytes, std::int64_t at) const {
    each(bytes, at, [&](std::size_t done, std::size_t left, std::int64_t where) {
      return ::pread(number_, static_cast<char*>(to) + done, left, where);
    });
  }
  void write(const void* from, std::size_t bytes, std::int64_t at) const {
    each(bytes, at, [&](std::size_t done, std::size_t left, std::int64_t where) {
      return ::pwrite(number_, static_cast<const char*>(from) + done, left, where);
    });
  }

  [[noreturn]] void fail() const { throw std::system_error(errno, std::generic_category(), path_); }

 private:
  template <class Move>
  void each(std::size_t bytes, std::int64_t at, Move move) const {
    for (std::size_t done = 0; done < bytes;) {
      const ssize_t moved = move(done, bytes - done, at + static_cast<std::int64_t>(done));
      if (moved < 0 && errno == EINTR) continue;
      if (moved <= 0) fail();
      done += static_cast<std::size_t>(moved);
    }
  }

  std::string path_;
  int number_;
};

/// All values of a file, of which the ranks of a machine have one copy together. Throws std::system_error.
template <class Value>
class Mapped {
 public:
  explicit Mapped(const std::string& path) {
    const File file(path, O_RDONLY);
    bytes_ = static_cast<std::size_t>(file.size());
    if (bytes_ == 0) return;
    values_ = ::mmap(nullptr, bytes_, PROT_READ, MAP_SHARED, file.number(), 0);
    if (values_ == MAP_FAILED) file.fail();
  }
  Mapped(const Mapped&) = delete;
  Mapped& operator=(const Mapped&) = delete;
  ~Mapped() {
    if (bytes_ > 0) ::munmap(values_, bytes_);
  }

  [[nodiscard]] std::span<const Value> values() const {
    return {static_cast<const Value*>(values_), bytes_ / sizeof(Value)};
  }

 private:
  void* values_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace elasticity_by_ranks
