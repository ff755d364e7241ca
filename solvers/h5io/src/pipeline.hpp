/// What a chunk goes through when it is written, and how it is undone without the HDF5 library.
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

/// Memory by malloc: a plugin frees what it gets and returns other memory.
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

  /// Throws std::bad_alloc. What was in there is lost where there was too little room.
  void make_room(std::size_t bytes);
  void swap(Bytes& other) noexcept;

  void* data = nullptr;
  std::size_t room = 0, size = 0;
};

/// The filters of a dataset. Immutable: decoders share it.
class Pipeline {
 public:
  /// Whether every filter can be undone here. Called under the library's lock.
  static bool can_undo(const std::vector<Filter>& filters);
  /// Called under the library's lock, where all can.
  Pipeline(const std::vector<Filter>& filters, std::size_t element_bytes, std::size_t chunk_bytes);

  struct Step {
    Filter filter;
    H5Z_func_t function = nullptr;  ///< of a plugin
  };
  [[nodiscard]] const std::vector<Step>& steps() const { return steps_; }
  [[nodiscard]] std::size_t element_bytes() const { return element_bytes_; }
  [[nodiscard]] std::size_t chunk_bytes() const { return chunk_bytes_; }

 private:
  std::vector<Step> steps_;
  std::size_t element_bytes_, chunk_bytes_;
};

/// One thread's buffers and state.
class Decoder {
 public:
  explicit Decoder(const Pipeline& pipeline);

  /// Replaces what `chunk` has by what was written. `skipped`: bit i where the i-th filter was not applied. Throws
  /// FileError, with `where` in front, if it cannot have come from these filters.
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
