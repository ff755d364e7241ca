/// Serializes calls of the HDF5 library: it is rarely built thread-safe, and where it is, it has one global lock too.
#pragma once

#include <hdf5.h>

#include <mutex>
#include <string>
#include <utility>

namespace rooftop::h5io::internal {

/// Holds the library's lock, and keeps it from printing errors. Every call of the library needs one.
class Locked {
 public:
  Locked();
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;
  ~Locked();

  /// Returns the innermost message of the library's last error, or `otherwise` if there is none.
  [[nodiscard]] static std::string reason(const std::string& otherwise = "the HDF5 library gave no reason");
  /// The lock alone, if no other thread holds it; as long as it is held, a Locked is made at once.
  [[nodiscard]] static std::unique_lock<std::recursive_mutex> attempt();

 private:
  std::scoped_lock<std::recursive_mutex> lock_;
  H5E_auto2_t print_ = nullptr;
  void* print_with_ = nullptr;
};

/// How often this process and its ancestors were forked since the library was first used. A lock that another thread
/// held then is held for ever in the process that was forked.
[[nodiscard]] unsigned forks();

/// Owns an identifier of the library, and closes it by `close` under the library's lock.
template <herr_t (*close)(hid_t)>
class Id {
 public:
  Id() = default;
  explicit Id(hid_t id) : id_(id) {}
  Id(Id&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)) {}
  Id& operator=(Id&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  Id(const Id&) = delete;
  Id& operator=(const Id&) = delete;
  ~Id() {
    if (id_ < 0) return;
    const Locked locked;
    close(id_);
  }

  [[nodiscard]] bool valid() const { return id_ >= 0; }
  [[nodiscard]] hid_t get() const { return id_; }
  /// Returns the identifier, which the caller then must close.
  [[nodiscard]] hid_t release() { return std::exchange(id_, H5I_INVALID_HID); }

 private:
  hid_t id_ = H5I_INVALID_HID;
};

using FileId = Id<H5Fclose>;
using DatasetId = Id<H5Dclose>;
using SpaceId = Id<H5Sclose>;
using TypeId = Id<H5Tclose>;
using PropertiesId = Id<H5Pclose>;

}  // namespace rooftop::h5io::internal
