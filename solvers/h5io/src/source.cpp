#include "source.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "rooftop/h5io.hpp"

namespace rooftop::h5io::internal {
namespace {

std::string system_reason() { return std::generic_category().message(errno); }

int opened(const std::string& path, bool writable) {
  return open(path.c_str(), (writable ? O_RDWR : O_RDONLY) | O_CLOEXEC);
}

std::string path_of(int descriptor) { return "/proc/self/fd/" + std::to_string(descriptor); }

}  // namespace

Source::Source(const std::string& path, bool writable) : path_(path), descriptor_(opened(path, writable)) {
  if (descriptor_ < 0) throw FileError(path + ": cannot be opened: " + system_reason());
}

Source::Source(const std::string& path, bool writable, int descriptor)
    : path_(path), descriptor_(opened(path_of(descriptor), writable)) {
  if (descriptor_ < 0) throw FileError(path + ": cannot be opened once more: " + system_reason());
}

std::unique_ptr<Source> Source::reopened() const {
  try {
    return std::make_unique<Source>(path_, false, descriptor_);
  } catch (const FileError&) {
    return nullptr;
  }
}

Source::~Source() { close(descriptor_); }

void Source::read(std::uint64_t offset, void* to, std::size_t bytes, Asked& asked) const {
  auto* at = static_cast<std::byte*>(to);
  while (bytes > 0) {
    const ssize_t got = pread(descriptor_, at, bytes, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      throw FileError(path_ + ": bytes from " + std::to_string(offset) + " on cannot be read: " + system_reason());
    }
    if (got == 0) {
      struct stat status {};
      const std::string size = fstat(descriptor_, &status) == 0 ? std::to_string(status.st_size) : "fewer";
      throw FileError(path_ + ": is cut short: it has " + size + " bytes, expected " + std::to_string(bytes) +
                      " more at " + std::to_string(offset));
    }
    asked.bytes.fetch_add(static_cast<std::uint64_t>(got), std::memory_order_relaxed);
    asked.reads.fetch_add(1, std::memory_order_relaxed);
    at += got, offset += static_cast<std::uint64_t>(got), bytes -= static_cast<std::size_t>(got);
  }
}

void Source::prefetch(std::uint64_t offset, std::uint64_t bytes, Asked& asked) const {
  // Linux loads at most the device's read-ahead per call, by default 128 KiB.
  constexpr std::uint64_t at_once = 128 << 10;
  for (std::uint64_t done = 0; done < bytes; done += at_once) {
    const std::uint64_t length = std::min(at_once, bytes - done);
    posix_fadvise(descriptor_, static_cast<off_t>(offset + done), static_cast<off_t>(length), POSIX_FADV_WILLNEED);
    asked.bytes.fetch_add(length, std::memory_order_relaxed);
    asked.reads.fetch_add(1, std::memory_order_relaxed);
  }
}

std::uint64_t Source::bytes() const {
  struct stat status {};
  if (fstat(descriptor_, &status) != 0) throw FileError(path_ + ": its length cannot be told: " + system_reason());
  return static_cast<std::uint64_t>(status.st_size);
}

FileState Source::state() const {
  struct stat status {};
  if (fstat(descriptor_, &status) != 0) throw FileError(path_ + ": its state cannot be told: " + system_reason());
  constexpr std::int64_t second_ns = 1'000'000'000;
  return {static_cast<std::uint64_t>(status.st_size),
          std::int64_t{status.st_mtim.tv_sec} * second_ns + std::int64_t{status.st_mtim.tv_nsec}};
}

std::pair<std::uint64_t, std::uint64_t> Source::identity() const {
  struct stat status {};
  if (fstat(descriptor_, &status) != 0) throw FileError(path_ + ": cannot be told from others: " + system_reason());
  return {status.st_dev, status.st_ino};
}

void Source::write(std::uint64_t offset, const void* from, std::size_t bytes, Asked& asked) const {
  const auto* at = static_cast<const std::byte*>(from);
  while (bytes > 0) {
    const ssize_t put = pwrite(descriptor_, at, bytes, static_cast<off_t>(offset));
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) {
      throw FileError(path_ + ": " + std::to_string(bytes) + " bytes cannot be written at " + std::to_string(offset) +
                      ": " + system_reason());
    }
    asked.bytes.fetch_add(static_cast<std::uint64_t>(put), std::memory_order_relaxed);
    asked.reads.fetch_add(1, std::memory_order_relaxed);
    at += put, offset += static_cast<std::uint64_t>(put), bytes -= static_cast<std::size_t>(put);
  }
}

}  // namespace rooftop::h5io::internal
