#include "guarded_array.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace rooftop::conv {
namespace {

constexpr std::size_t alignment = 64;
constexpr unsigned char pattern = 0xA5;

std::size_t page_bytes() {
  static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

}  // namespace

GuardedArray::GuardedArray(std::size_t bytes, Place place) : bytes_(bytes) {
  const std::size_t page = page_bytes();
  const std::size_t inner = (bytes + alignment + page - 1) / page * page;
  mapping_bytes_ = inner + 2 * page;
  void* mapping = mmap(nullptr, mapping_bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED) throw std::bad_alloc();
  mapping_ = static_cast<unsigned char*>(mapping);
  if (mprotect(mapping_ + page, inner, PROT_READ | PROT_WRITE) != 0) throw std::bad_alloc();
  switch (place) {
    case Place::line:
      data_ = mapping_ + page + inner - (bytes + alignment - 1) / alignment * alignment;
      break;
    case Place::back:
      data_ = mapping_ + page + inner - bytes;
      break;
    case Place::front:
      data_ = mapping_ + page + sizeof(float);
      break;
  }
  each_guard_byte([](unsigned char& byte) {
    byte = pattern;
    return true;
  });
}

GuardedArray::GuardedArray(GuardedArray&& other) noexcept
    : mapping_(std::exchange(other.mapping_, nullptr)),
      mapping_bytes_(other.mapping_bytes_),
      data_(other.data_),
      bytes_(other.bytes_) {}

GuardedArray::~GuardedArray() {
  if (mapping_ != nullptr) munmap(mapping_, mapping_bytes_);
}

std::span<float> GuardedArray::floats() const { return {reinterpret_cast<float*>(data_), bytes_ / sizeof(float)}; }

void GuardedArray::poison() const {
  std::memset(data_, 0xFF, bytes_);  // floats of which all bits are set are NaNs
}

bool GuardedArray::intact() const {
  bool intact = true;
  each_guard_byte([&intact](const unsigned char& byte) { return intact = byte == pattern; });
  return intact;
}

template <typename Visit>
void GuardedArray::each_guard_byte(const Visit& visit) const {
  const std::size_t page = page_bytes();
  unsigned char* const end = mapping_ + mapping_bytes_ - page;
  for (unsigned char* byte = mapping_ + page; byte < data_; ++byte) {
    if (!visit(*byte)) return;
  }
  for (unsigned char* byte = data_ + bytes_; byte < end; ++byte) {
    if (!visit(*byte)) return;
  }
}

}  // namespace rooftop::conv
