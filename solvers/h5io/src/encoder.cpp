#include "encoder.hpp"

#include <libdeflate.h>

#include <algorithm>
#include <new>

#include "shuffle.hpp"

namespace rooftop::h5io::internal {

void Encoder::Free::operator()(libdeflate_compressor* one) const { libdeflate_free_compressor(one); }

Encoder::Encoder(const Pipeline& pipeline) : pipeline_(pipeline) {}

std::uint32_t Encoder::apply(Bytes& chunk, const std::string& where) {
  std::uint32_t skipped = 0;
  for (std::size_t i = 0; i < pipeline_.steps().size(); ++i) {
    const Pipeline::Step& step = pipeline_.steps()[i];
    const auto& values = step.filter.parameters;
    bool applied = true;
    if (step.filter.id == H5Z_FILTER_SHUFFLE) {
      shuffle(chunk, values.empty() ? pipeline_.element_bytes() : values[0]);
    } else if (step.filter.id == H5Z_FILTER_DEFLATE) {
      deflate(chunk, values.empty() ? 6 : values[0]);
    } else {
      applied = call(chunk, step);
    }
    if (applied) continue;
    if (!step.filter.optional) {
      throw FileError(where + ": filter " + std::to_string(step.filter.id) + " cannot encode it");
    }
    skipped |= std::uint32_t{1} << i;
  }
  return skipped;
}

void Encoder::deflate(Bytes& chunk, unsigned level) {
  if (deflater_ == nullptr) {
    deflater_.reset(libdeflate_alloc_compressor(static_cast<int>(std::min(level, 9U))));
    if (deflater_ == nullptr) throw std::bad_alloc();
  }
  other_.make_room(libdeflate_zlib_compress_bound(deflater_.get(), chunk.size));
  // Incompressible data becomes a few bytes longer.
  other_.size = libdeflate_zlib_compress(deflater_.get(), chunk.data, chunk.size, other_.data, other_.room);
  chunk.swap(other_);
}

bool Encoder::call(Bytes& chunk, const Pipeline::Step& step) {
  // A filter that returns 0 has not changed the chunk.
  const auto& values = step.filter.parameters;
  const std::size_t size = step.function(0, values.size(), values.data(), chunk.size, &chunk.room, &chunk.data);
  if (size == 0) return false;
  chunk.size = size;
  return true;
}

void Encoder::shuffle(Bytes& chunk, std::size_t width) {
  if (width <= 1 || chunk.size < width) return;
  other_.make_room(chunk.size);
  other_.size = chunk.size;
  internal::shuffle(static_cast<const std::byte*>(chunk.data), width, chunk.size, static_cast<std::byte*>(other_.data));
  chunk.swap(other_);
}

}  // namespace rooftop::h5io::internal
