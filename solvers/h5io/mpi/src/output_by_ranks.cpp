#include "output_by_ranks.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include "chunk_writing.hpp"
#include "selections.hpp"
#include "words.hpp"
#include "write_in_order.hpp"

namespace rooftop::h5io {
namespace internal {
namespace {

/// Small enough for the int counts of MPI, even if many ranks have parts of a chunk.
constexpr std::uint64_t most_chunk_bytes = std::uint64_t{1} << 30;

std::string system_reason() { return std::generic_category().message(errno); }

/// Waits until a file, or the entries of a folder, are on the device. Throws FileError.
void sync(const std::string& path, int flags) {
  const int descriptor = open(path.c_str(), flags | O_CLOEXEC);
  const bool done = descriptor >= 0 && fsync(descriptor) == 0;
  const std::string reason = system_reason();
  if (descriptor >= 0) ::close(descriptor);
  if (!done) throw FileError(path + ": cannot be brought to the device: " + reason);
}

void require_size(const Creation& creation, std::size_t element_bytes) {
  std::uint64_t bytes = element_bytes;
  for (const std::uint64_t length : creation.chunk) bytes *= length;
  if (!creation.chunk.empty() && bytes > most_chunk_bytes) {
    throw InvalidArgument("chunks have " + std::to_string(bytes) + " bytes; expected at most 1 GiB by ranks");
  }
}

std::vector<std::uint64_t> words_of(const std::string& name, const Creation& creation) {
  WordWriter words;
  words.add(name);
  words.add(creation.shape);
  words.add(creation.type);
  words.add(creation.chunk);
  words.add(creation.filters);
  return words.words;
}

/// Returns what rank 0 knows about a new dataset, as a message to the other ranks.
std::vector<std::uint64_t> words_of(const Dataset::Open& dataset) {
  WordWriter words;
  words.add(std::uint64_t{dataset.description.element_bytes});
  words.add(static_cast<std::uint64_t>(dataset.description.layout));
  words.add(dataset.description.filters);
  words.add(std::uint64_t{dataset.address.has_value()});
  words.add(std::uint64_t{dataset.address.value_or(0)});
  return words.words;
}

}  // namespace

OutputByRanks::OutputByRanks(const std::string& file_path, MPI_Comm communicator, bool replace)
    : ranks(communicator), path(file_path), replace_(replace) {
  std::vector<std::uint64_t> number{static_cast<std::uint64_t>(getpid())};
  ranks.broadcast(number, 0);
  partial_ = path + ".partial-" + std::to_string(number[0]);
  const auto create = [&] {
    if (ranks.rank() != 0) return;
    require_absent();
    file_.emplace(partial_, true);
  };
  try {
    ranks.together(create);
    ranks.together([&] { source_.emplace(partial_, true); });
  } catch (...) {
    remove_partial();
    throw;
  }
}

OutputByRanks::~OutputByRanks() {
  if (!closed_) remove_partial();
}

void OutputByRanks::remove_partial() noexcept {
  if (!file_) return;
  try {
    file_->close();
  } catch (const std::exception&) {  // the file is removed anyway
  }
  file_.reset();
  std::error_code ignored;
  std::filesystem::remove(partial_, ignored);
}

void OutputByRanks::require_open() const {
  if (closed_) throw InvalidArgument(path + " is closed; expected an open file");
  if (failed_) throw FileError(path + ": a write failed before; nothing more is written");
}

void OutputByRanks::require_absent() const {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) throw FileError(path + ": is a folder; expected a file's name");
  if (!replace_ && std::filesystem::exists(path, ignored)) {
    throw FileError(path + ": is there already; name another file, or ask for its replacement");
  }
}

std::shared_ptr<const OutputArray> OutputByRanks::make(const std::string& name, const Creation& creation) {
  auto array = std::make_shared<OutputArray>();
  auto of_first = words_of(name, creation);
  ranks.broadcast(of_first, 0);
  ranks.together([&] {
    require_open();
    if (words_of(name, creation) != of_first) {
      throw InvalidArgument("dataset " + name + ": rank 0 makes another one; expected the same on all ranks");
    }
    array->name = name;
  });
  ranks.together([&] {
    if (ranks.rank() != 0) return;
    array->opened.emplace(file_->dataset(name, creation));
    require_size(creation, array->opened->description().element_bytes);
  });
  std::vector<std::uint64_t> facts;
  if (ranks.rank() == 0) facts = words_of(array->opened->opened());
  ranks.broadcast(facts, 0);
  bool encoded = false;
  ranks.together([&] {
    WordReader words(facts);
    Description& description = array->description;
    description.shape = creation.shape, description.type = creation.type, description.chunk = creation.chunk;
    description.element_bytes = words.number();
    description.layout = static_cast<Layout>(words.number());
    description.filters = words.filters();
    const bool placed = words.number() != 0;
    const std::uint64_t address = words.number();
    if (placed) array->address = address;
    const Locked locked;
    encoded = description.layout == Layout::chunked && Pipeline::can_undo(description.filters);
  });
  // If any rank lacks a plugin, the library encodes the chunks on rank 0.
  if (ranks.largest(encoded ? std::uint64_t{0} : 1) == 0) {
    ranks.together([&] {
      std::size_t bytes = array->description.element_bytes;
      for (const std::uint64_t length : creation.chunk) bytes *= length;
      const Locked locked;
      array->pipeline.emplace(array->description.filters, array->description.element_bytes, bytes);
    });
  }
  return array;
}

ReportByRanks OutputByRanks::write(const OutputArray& array, const std::vector<Written>& parts,
                                   const Options& options) {
  ReportByRanks report;
  std::vector<std::vector<Span>> spans;
  ranks.together([&] {
    require_open();
    if (options.threads < 0) {
      throw InvalidArgument("threads is " + std::to_string(options.threads) + "; expected 0 or more");
    }
    for (const Written& part : parts) {
      const std::uint64_t bytes = selected_bytes(array.description, part.spans);
      if (bytes != part.from_bytes) {
        throw InvalidArgument("the selection takes " + std::to_string(bytes) + " bytes, the memory has " +
                              std::to_string(part.from_bytes) + "; expected as many");
      }
      report.selected_bytes += bytes;
      spans.push_back(part.spans);
    }
  });
  const auto selections = gather_selections(ranks, spans, array.description.shape.size());
  if (selections.empty()) return report;
  Asked asked;
  try {
    if (array.description.layout == Layout::chunked) {
      std::optional<ChunkWriting> writing;
      ranks.together([&] { writing.emplace(*this, array, selections, parts); });
      report.sharing = Sharing::chunks;
      report.sent_bytes = writing->write(options, asked);
    } else {
      ranks.agree(write_in_order(*this, array, selections, parts, options, asked));
    }
  } catch (...) {
    failed_ = true;
    throw;
  }
  if (report.selected_bytes > 0 || asked.reads > 0) {
    report.way = array.description.layout != Layout::chunked ? Way::direct
                 : array.pipeline                            ? Way::chunks
                                                             : Way::library;
  }
  report.read_bytes = asked.bytes, report.reads = asked.reads;
  return report;
}

void OutputByRanks::close(bool durable) {
  if (closed_) return;
  closed_ = true;
  try {
    ranks.together([&] {
      if (failed_) throw FileError(path + ": a write failed before; there is no new file");
      if (durable) sync(partial_, O_RDONLY);
    });
    ranks.together([&] {
      if (ranks.rank() == 0) finish(durable);
    });
  } catch (...) {
    remove_partial();
    throw;
  }
  file_.reset();
}

void OutputByRanks::finish(bool durable) {
  file_->close();
  if (durable) sync(partial_, O_RDONLY);
  require_absent();
  if (std::rename(partial_.c_str(), path.c_str()) != 0) {
    throw FileError(partial_ + ": cannot be renamed to " + path + ": " + system_reason());
  }
  if (!durable) return;
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  sync(folder.empty() ? "." : folder.string(), O_RDONLY | O_DIRECTORY);
}

}  // namespace internal

const Description& OutputDatasetByRanks::description() const { return array_->description; }

ReportByRanks OutputDatasetByRanks::write(const std::vector<Span>& spans, const void* from, std::size_t from_bytes,
                                          const Options& options) const {
  return file_->write(*array_, {{spans, from, from_bytes}}, options);
}

ReportByRanks OutputDatasetByRanks::write(const std::vector<Written>& parts, const Options& options) const {
  return file_->write(*array_, parts, options);
}

OutputFileByRanks::OutputFileByRanks(const std::string& path, MPI_Comm ranks, bool replace)
    : file_(std::make_shared<internal::OutputByRanks>(path, ranks, replace)) {}

const std::string& OutputFileByRanks::path() const { return file_->path; }

OutputDatasetByRanks OutputFileByRanks::dataset(const std::string& name, const Creation& creation) {
  return {file_, file_->make(name, creation)};
}

void OutputFileByRanks::close(bool durable) { file_->close(durable); }

}  // namespace rooftop::h5io
