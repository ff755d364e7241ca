/// Owning handles of HDF5 objects, and HDF5 errors as exceptions.
#pragma once

#include <hdf5.h>

#include <stdexcept>
#include <string>
#include <utility>

namespace h5bench {

/// Returns the innermost message of HDF5's last error.
std::string reason();

/// Returns `status`. Throws std::runtime_error with HDF5's reason if it is negative.
template <class Status>
Status checked(Status status, const std::string& what) {
  if (status < 0) throw std::runtime_error(what + ": " + reason());
  return status;
}

template <herr_t (*Close)(hid_t)>
class Handle {
 public:
  Handle() = default;
  /// Throws std::runtime_error if `id` is invalid.
  Handle(hid_t id, const std::string& what) : id_(checked(id, what)) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() {
    if (id_ >= 0) Close(id_);
  }

  operator hid_t() const { return id_; }  // NOLINT(google-explicit-constructor): HDF5's functions take hid_t
  /// Closes the object, and throws std::runtime_error if that fails: data may then be missing from the file.
  void close(const std::string& what) {
    if (id_ >= 0) checked(Close(std::exchange(id_, H5I_INVALID_HID)), what);
  }

 private:
  hid_t id_ = H5I_INVALID_HID;
};

using File = Handle<H5Fclose>;
using Group = Handle<H5Gclose>;
using Dataset = Handle<H5Dclose>;
using Space = Handle<H5Sclose>;
using Type = Handle<H5Tclose>;
using Attribute = Handle<H5Aclose>;
using Properties = Handle<H5Pclose>;

}  // namespace h5bench
