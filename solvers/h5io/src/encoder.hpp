/// What a chunk goes through when it is written, without the HDF5 library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "pipeline.hpp"

struct libdeflate_compressor;

namespace rooftop::h5io::internal {

/// One thread's buffers and state.
class Encoder {
 public:
  explicit Encoder(const Pipeline& pipeline);

  /// Replaces what `chunk` has by what goes into the file. Returns which filters were not applied, bit i for the i-th:
  /// plugins that failed and may. Throws FileError, with `where` in front, if one fails that must not.
  std::uint32_t apply(Bytes& chunk, const std::string& where);

 private:
  struct Free {
    void operator()(libdeflate_compressor* one) const;
  };

  void deflate(Bytes& chunk, unsigned level);
  /// Whether it was applied; the chunk stays as it is if not.
  bool call(Bytes& chunk, const Pipeline::Step& step);
  void shuffle(Bytes& chunk, std::size_t width);

  const Pipeline& pipeline_;
  Bytes other_;
  std::unique_ptr<libdeflate_compressor, Free> deflater_;
};

}  // namespace rooftop::h5io::internal
