/// The filters of a dataset, and decoding of chunks without the HDF5 library.
#pragma once

#include <hdf5.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rooftop/h5io.hpp"

struct libdeflate_decompressor;

namespace rooftop::h5io::internal {

/// A buffer allocated by malloc(), since a plugin's filter may free it and return another one.
class Bytes {
 public:
  Bytes() = default;
  Bytes(Bytes&& other) noexcept { swap(other); }
  Bytes& operator=(Bytes&& other) noexcept {
    swap(other);
    return *this;
  }
  Bytes(const Bytes&) = delete;
  Bytes& operator=(const Bytes&) = delete;
  ~Bytes();

  /// Makes `room` at least `bytes`. The contents are lost if the buffer grows. Throws std::bad_alloc.
  void make_room(std::size_t bytes);
  void swap(Bytes& other) noexcept;

  void* data = nullptr;
  std::size_t room = 0, size = 0;
};

/// The filters of a dataset. Immutable, so that threads can share it.
class Pipeline {
 public:
  /// Whether every filter can be decoded without the library. The caller holds the library's lock.
  static bool can_undo(const std::vector<Filter>& filters);
  /// Requires can_undo(filters). The caller holds the library's lock.
  Pipeline(const std::vector<Filter>& filters, std::size_t element_bytes, std::size_t chunk_bytes);

  struct Step {
    Filter filter;
    H5Z_func_t function = nullptr;  ///< of a plugin; null for built-in filters
  };
  [[nodiscard]] const std::vector<Step>& steps() const { return steps_; }
  [[nodiscard]] std::size_t element_bytes() const { return element_bytes_; }
  [[nodiscard]] std::size_t chunk_bytes() const { return chunk_bytes_; }

 private:
  std::vector<Step> steps_;
  std::size_t element_bytes_, chunk_bytes_;
};

/// Decodes chunks. Each thread needs a decoder of its own.
class Decoder {
 public:
  explicit Decoder(const Pipeline& pipeline);

  /// Decodes `chunk` in place. `skipped`: filter mask, bit i is set if the i-th filter was not applied. Throws
  /// FileError, whose message begins with `where`, if a filter fails or the decoded size is wrong.
  void undo(Bytes& chunk, std::uint32_t skipped, const std::string& where);

 private:
  struct Free {
    void operator()(libdeflate_decompressor* one) const;
  };

  void inflate(Bytes& chunk, const std::string& where);
  void unshuffle(Bytes& chunk, const std::vector<unsigned>& parameters);

  const Pipeline& pipeline_;
  Bytes other_;
  std::unique_ptr<libdeflate_decompressor, Free> inflater_;
};

}  // namespace rooftop::h5io::internal
