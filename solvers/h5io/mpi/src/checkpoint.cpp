#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "checksums.hpp"
#include "output_by_ranks.hpp"
#include "rooftop/h5io_checkpoint.hpp"
#include "rooftop/h5io_mpi.hpp"

namespace rooftop::h5io {
namespace {

using internal::Blocks;
using internal::OutputByRanks;
using internal::Ranks;

constexpr std::uint64_t version = 1, block_bytes = 1 << 20;
constexpr const char* own_names = "checkpoint/";
constexpr const char* version_name = "checkpoint/version";
constexpr const char* block_name = "checkpoint/block_bytes";

std::string sums_name(const std::string& name) { return own_names + ("crc32/" + name); }

/// Returns the type string `type` with this machine's byte order.
std::string native(const char* type) {
  return std::string(1, std::endian::native == std::endian::little ? '<' : '>').append(type);
}

std::vector<Span> spans_of(const Box& box) {
  std::vector<Span> spans;
  for (std::size_t d = 0; d < box.start.size(); ++d) {
    spans.push_back({box.start[d], 1, std::max<std::uint64_t>(box.extent[d], 1), box.extent[d]});
  }
  return spans;
}

std::string text_of(const std::vector<std::uint64_t>& shape) {
  std::string text;
  for (const std::uint64_t extent : shape) text += (text.empty() ? "" : " x ") + std::to_string(extent);
  return text;
}

std::uint64_t elements_of(const std::vector<std::uint64_t>& extent) {
  std::uint64_t elements = 1;
  for (const std::uint64_t length : extent) elements *= length;
  return elements;
}

template <typename Pointer>
void require_boxes(const std::vector<PartOfArray<Pointer>>& arrays) {
  std::set<std::string> names;
  for (const auto& array : arrays) {
    const auto refuse = [&](const std::string& what) { throw InvalidArgument("array " + array.name + what); };
    if (array.name.starts_with(own_names))
      refuse(": names of arrays do not begin with \"checkpoint/\"; choose another");
    if (!names.insert(array.name).second) refuse(" is there twice; expected one of each name");
    if (array.box.start.size() != array.shape.size() || array.box.extent.size() != array.shape.size()) {
      refuse(": the box has " + std::to_string(array.box.start.size()) + " starts and " +
             std::to_string(array.box.extent.size()) + " extents, the array " + std::to_string(array.shape.size()) +
             " dimensions; expected as many");
    }
  }
}

/// Writes a scalar dataset; rank 0 writes the value.
void save_number(OutputByRanks& file, const std::string& name, std::uint64_t number) {
  std::vector<Written> parts;
  if (file.ranks.rank() == 0) parts.push_back({{}, &number, sizeof number});
  file.write(*file.make(name, {{}, native("u8"), {}, {}}), parts, {});
}

std::uint64_t load_number(const FileByRanks& file, const Ranks& ranks, const std::string& name) {
  const DatasetByRanks dataset = file.dataset(name);
  std::uint64_t number = 0;
  ranks.together([&] {
    if (dataset.description().type == native("u8") && dataset.description().shape.empty()) return;
    throw FileError(file.path() + ": dataset " + name + " is no number of a checkpoint that this machine wrote");
  });
  dataset.read({}, &number, sizeof number);
  return number;
}

void save_array(OutputByRanks& file, const SavedPart& array) {
  const Ranks& ranks = file.ranks;
  const auto made = file.make(array.name, {array.shape, array.type, {}, {}});
  const std::size_t element_bytes = made->description.element_bytes;
  const std::uint64_t own = elements_of(array.box.extent), all = elements_of(array.shape), of_ranks = ranks.sum(own);
  ranks.together([&] {
    if (of_ranks >= all) return;
    throw InvalidArgument("array " + array.name + ": boxes have " + std::to_string(of_ranks) + " of its " +
                          std::to_string(all) + " elements; expected all");
  });
  file.write(*made, {{spans_of(array.box), array.data, own * element_bytes}}, {});
  const Blocks blocks{made->address.value_or(0), all * element_bytes, block_bytes};
  const auto rank = static_cast<std::uint64_t>(ranks.rank());
  const std::uint64_t first = blocks.first_of(rank, ranks), last = blocks.first_of(rank + 1, ranks);
  std::vector<std::uint32_t> sums;
  // Read the data back: a block holds data of several ranks.
  ranks.together([&] { sums = internal::checksums(file.source(), blocks, first, last); });
  const auto sums_made = file.make(sums_name(array.name), {{blocks.count()}, native("u4"), {}, {}});
  file.write(*sums_made, {{{{first, 1, 1, last - first}}, sums.data(), sums.size() * sizeof(std::uint32_t)}}, {});
}

/// Returns the blocks of a dataset. Throws, on this rank only, InvalidArgument if its shape or type differs from that
/// of `array`, and FileError if it is not contiguous.
Blocks blocks_of(const DatasetByRanks& dataset, const LoadedPart& array, std::uint64_t file_block_bytes) {
  const Description& there = dataset.description();
  if (there.shape != array.shape || there.type != array.type) {
    throw InvalidArgument("array " + array.name + " is " + text_of(there.shape) + " of type \"" + there.type +
                          "\" in the checkpoint; expected " + text_of(array.shape) + " of \"" + array.type + "\"");
  }
  const auto& opened = dataset.alone().opened();
  const std::uint64_t bytes = elements_of(there.shape) * there.element_bytes;
  if (there.layout != Layout::contiguous || (bytes > 0 && !opened.address)) {
    throw FileError(opened.where() + " does not lie in one piece; expected an array of a checkpoint");
  }
  return {opened.address.value_or(0), bytes, std::max<std::uint64_t>(file_block_bytes, 1)};
}

void verify(const Ranks& ranks, const DatasetByRanks& dataset, const DatasetByRanks& sums, const Blocks& blocks) {
  const auto rank = static_cast<std::uint64_t>(ranks.rank());
  const std::uint64_t first = blocks.first_of(rank, ranks), last = blocks.first_of(rank + 1, ranks);
  std::vector<std::uint32_t> expected(last - first);
  ranks.together([&] {
    if (sums.description().shape == std::vector{blocks.count()} && sums.description().type == native("u4")) return;
    throw FileError(sums.alone().opened().where() + " has no checksum for each block of the array");
  });
  sums.read({{first, 1, 1, last - first}}, expected.data(), expected.size() * sizeof(std::uint32_t));
  ranks.together([&] {
    const auto& opened = dataset.alone().opened();
    const auto found = internal::checksums(*opened.file->source, blocks, first, last);
    const auto [at, wanted] = std::mismatch(found.begin(), found.end(), expected.begin());
    if (at == found.end()) return;
    const std::uint64_t begin = (first + static_cast<std::uint64_t>(at - found.begin())) * blocks.block_bytes;
    std::array<char, 64> sums_text{};
    std::snprintf(sums_text.data(), sums_text.size(), "%08x, expected %08x", *at, *wanted);
    throw FileError(opened.where() + " is damaged: the checksum of its bytes " + std::to_string(begin) + " to " +
                    std::to_string(std::min(begin + blocks.block_bytes, blocks.bytes) - 1) + " is " + sums_text.data());
  });
}

}  // namespace

void save_checkpoint(const std::string& path, const std::vector<SavedPart>& arrays, MPI_Comm ranks) {
  OutputByRanks file(path, ranks, true);
  file.ranks.together([&] { require_boxes(arrays); });
  save_number(file, version_name, version);
  save_number(file, block_name, block_bytes);
  for (const SavedPart& array : arrays) save_array(file, array);
  file.close(true);
}

void load_checkpoint(const std::string& path, const std::vector<LoadedPart>& arrays, MPI_Comm communicator) {
  const FileByRanks file(path, communicator);
  const Ranks ranks(communicator);
  ranks.together([&] {
    require_boxes(arrays);
    const auto names = file.datasets();
    if (std::binary_search(names.begin(), names.end(), std::string(version_name))) return;
    throw FileError(path + ": is no checkpoint: it has no dataset " + version_name);
  });
  const std::uint64_t of_file = load_number(file, ranks, version_name);
  ranks.together([&] {
    if (of_file == version) return;
    throw FileError(path + ": is a checkpoint of version " + std::to_string(of_file) + "; expected " +
                    std::to_string(version));
  });
  const std::uint64_t file_block_bytes = load_number(file, ranks, block_name);
  std::vector<DatasetByRanks> datasets;
  for (const LoadedPart& array : arrays) {
    datasets.push_back(file.dataset(array.name));
    Blocks blocks;
    ranks.together([&] { blocks = blocks_of(datasets.back(), array, file_block_bytes); });
    verify(ranks, datasets.back(), file.dataset(sums_name(array.name)), blocks);
  }
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    const std::uint64_t bytes = elements_of(arrays[i].box.extent) * datasets[i].description().element_bytes;
    datasets[i].read(spans_of(arrays[i].box), arrays[i].data, bytes);
  }
}

}  // namespace rooftop::h5io
