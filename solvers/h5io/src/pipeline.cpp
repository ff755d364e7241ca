#include "pipeline.hpp"

#include <libdeflate.h>

#include <algorithm>
#include <cstdlib>
#include <new>
#include <utility>

#include "plugin.hpp"
#include "shuffle.hpp"

namespace rooftop::h5io::internal {
namespace {

bool is_built_in(int filter) { return filter == H5Z_FILTER_DEFLATE || filter == H5Z_FILTER_SHUFFLE; }

}  // namespace

Bytes::~Bytes() { std::free(data); }

void Bytes::make_room(std::size_t bytes) {
  if (room >= bytes) return;
  std::free(std::exchange(data, nullptr));
  room = size = 0;
  data = std::malloc(bytes);
  if (data == nullptr) throw std::bad_alloc();
  room = bytes;
}

void Bytes::swap(Bytes& other) noexcept {
  std::swap(data, other.data);
  std::swap(room, other.room);
  std::swap(size, other.size);
}

bool Pipeline::can_undo(const std::vector<Filter>& filters) {
  return std::all_of(filters.begin(), filters.end(), [](const Filter& filter) {
    return is_built_in(filter.id) || plugin_function(filter.id) != nullptr;
  });
}

Pipeline::Pipeline(const std::vector<Filter>& filters, std::size_t element_bytes, std::size_t chunk_bytes)
    : element_bytes_(element_bytes), chunk_bytes_(chunk_bytes) {
  for (const Filter& filter : filters) {
    steps_.push_back({filter, is_built_in(filter.id) ? nullptr : plugin_function(filter.id)});
  }
}

void Decoder::Free::operator()(libdeflate_decompressor* one) const { libdeflate_free_decompressor(one); }

Decoder::Decoder(const Pipeline& pipeline) : pipeline_(pipeline) {}

void Decoder::undo(Bytes& chunk, std::uint32_t skipped, const std::string& where) {
  const auto& steps = pipeline_.steps();
  for (std::size_t i = steps.size(); i-- > 0;) {
    if (i < 32 && (skipped >> i & 1U) != 0) continue;
    const Pipeline::Step& step = steps[i];
    if (step.filter.id == H5Z_FILTER_DEFLATE) {
      inflate(chunk, where);
    } else if (step.filter.id == H5Z_FILTER_SHUFFLE) {
      unshuffle(chunk, step.filter.parameters);
    } else {
      const auto& values = step.filter.parameters;
      const std::size_t size =
          step.function(H5Z_FLAG_REVERSE, values.size(), values.data(), chunk.size, &chunk.room, &chunk.data);
      if (size == 0) throw FileError(where + ": filter " + std::to_string(step.filter.id) + " cannot decode it");
      chunk.size = size;
    }
  }
  if (chunk.size != pipeline_.chunk_bytes()) {
    throw FileError(where + ": has " + std::to_string(chunk.size) + " bytes once decoded, expected " +
                    std::to_string(pipeline_.chunk_bytes()));
  }
}

void Decoder::inflate(Bytes& chunk, const std::string& where) {
  if (inflater_ == nullptr) {
    inflater_.reset(libdeflate_alloc_decompressor());
    if (inflater_ == nullptr) throw std::bad_alloc();
  }
  // The inflated data has the size of the chunk, unless another filter, applied before deflate, made it longer.
  other_.make_room(pipeline_.chunk_bytes());
  for (;;) {
    const libdeflate_result result =
        libdeflate_zlib_decompress(inflater_.get(), chunk.data, chunk.size, other_.data, other_.room, &other_.size);
    if (result == LIBDEFLATE_SUCCESS) break;
    // Deflate compresses by at most a factor of 1032.
    if (result != LIBDEFLATE_INSUFFICIENT_SPACE || other_.room / 1032 > chunk.size) {
      throw FileError(where + ": is no data that deflate wrote, or is damaged");
    }
    other_.make_room(2 * other_.room);
  }
  chunk.swap(other_);
}

void Decoder::unshuffle(Bytes& chunk, const std::vector<unsigned>& parameters) {
  const std::size_t width = parameters.empty() ? pipeline_.element_bytes() : parameters[0];
  if (width <= 1 || chunk.size < width) return;
  other_.make_room(chunk.size);
  other_.size = chunk.size;
  internal::unshuffle(static_cast<const std::byte*>(chunk.data), width, chunk.size,
                      static_cast<std::byte*>(other_.data));
  chunk.swap(other_);
}

}  // namespace rooftop::h5io::internal
