/// Blocks: reads a dataset block by block, ahead of the caller.
#include <algorithm>
#include <string>

#include "rooftop/h5io_later.hpp"

namespace rooftop::h5io {

Blocks::Blocks(const Dataset& dataset, std::uint64_t rows, int ahead, const Options& options)
    : dataset_(dataset), rows_(rows), spans_(dataset.all()), options_(options) {
  if (spans_.empty()) throw InvalidArgument("the dataset has no dimensions; expected one that has rows");
  if (rows == 0) throw InvalidArgument("rows is 0; expected 1 or more");
  if (ahead < 0) throw InvalidArgument("ahead is " + std::to_string(ahead) + "; expected 0 or more");
  const std::uint64_t all = dataset.description().shape[0];
  const std::uint64_t blocks = all / rows + (all % rows != 0 ? 1 : 0);
  buffers_.resize(std::min<std::uint64_t>(static_cast<std::uint64_t>(ahead) + 1, blocks));
  spans_[0] = {0, 1, 1, std::min(rows, all)};
  const std::uint64_t bytes = dataset.selected_bytes(spans_);
  for (Buffer& buffer : buffers_) {
    buffer.memory = std::make_unique_for_overwrite<std::byte[]>(bytes);
    ask(buffer);
  }
}

void Blocks::ask(Buffer& buffer) {
  const std::uint64_t all = dataset_.description().shape[0];
  if (asked_ == all) return;
  const std::uint64_t rows = std::min(rows_, all - asked_);
  spans_[0] = {asked_, 1, rows, rows};
  const std::uint64_t bytes = dataset_.selected_bytes(spans_);
  buffer.block = {asked_, rows, buffer.memory.get(), bytes};
  buffer.request = dataset_.read_later(spans_, buffer.memory.get(), bytes, options_);
  asked_ += rows;
}

std::optional<Block> Blocks::next() {
  if (held_ != nullptr) ask(*held_);
  held_ = nullptr;
  if (returned_ == dataset_.description().shape[0]) return {};
  Buffer& buffer = buffers_[place_];
  buffer.request.wait();
  place_ = (place_ + 1) % buffers_.size();
  returned_ += buffer.block.rows;
  held_ = &buffer;
  return buffer.block;
}

}  // namespace rooftop::h5io
