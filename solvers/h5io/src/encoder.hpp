/// Encodes chunks for writing, without the HDF5 library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "pipeline.hpp"

struct libdeflate_compressor;

namespace rooftop::h5io::internal {

/// Applies the filters of a dataset. Each thread needs an encoder of its own.
class Encoder {
 public:
  explicit Encoder(const Pipeline& pipeline);

  /// Encodes `chunk` in place. Returns the filter mask: bit i is set if the i-th filter, which is optional, failed and
  /// was skipped. Throws FileError, whose message begins with `where`, if a filter fails that is not optional.
  std::uint32_t apply(Bytes& chunk, const std::string& where);

 private:
  struct Free {
    void operator()(libdeflate_compressor* one) const;
  };

  void deflate(Bytes& chunk, unsigned level);
  /// Applies a plugin's filter. Returns false, and leaves the chunk unchanged, if it fails.
  bool call(Bytes& chunk, const Pipeline::Step& step);
  void shuffle(Bytes& chunk, std::size_t width);

  const Pipeline& pipeline_;
  Bytes other_;
  std::unique_ptr<libdeflate_compressor, Free> deflater_;
};

}  // namespace rooftop::h5io::internal
