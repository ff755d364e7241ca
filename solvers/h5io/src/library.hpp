/// The HDF5 library behind one lock: it is rarely built for threads, and then has a lock like this one.
#pragma once

#include <hdf5.h>

#include <mutex>
#include <string>
#include <utility>

namespace rooftop::h5io::internal {

/// Holds the lock, and keeps the library from printing its errors. Calls of the library are made while one lives.
class Locked {
 public:
  Locked();
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;
  ~Locked();

  /// What the library said last: its innermost message, or `otherwise`.
  [[nodiscard]] static std::string reason(const std::string& otherwise = "the HDF5 library gave no reason");

 private:
  std::scoped_lock<std::recursive_mutex> lock_;
  H5E_auto2_t print_ = nullptr;
  void* print_with_ = nullptr;
};

/// An identifier of the library, closed under its lock by `close`.
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
  /// Leaves it to the caller to close.
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
